persona-role = { $kind ->
    [accessibility-advocate] Fürsprecher der Barrierefreiheit
    [actuary] Aktuarin
    [city-resident-and-citizens-advocate] Stadtbewohnerin und Fürsprecherin der Bürger
    [consensus-facilitator] Moderatorin für Konsens
    [data-scientist] Datenwissenschaftler
    [economist] Ökonomin
    [environmental-planner] Umweltplanerin
    [ethicist] Ethikerin
    [fact-checker] Faktenprüferin
    [finance-director] Finanzdirektorin
    [forecaster] Prognostiker
    [historian-of-failed-projects] Historiker gescheiterter Vorhaben
    [legal-and-compliance-counsel] Jurist für Recht und Regeltreue
    [statistician-and-methodologist] Statistikerin und Methodikerin
    [facilitator] Gesprächsleiterin
    [parliamentary-clerk] Parlamentssekretär
    [peer-reviewer] Gutachterin
    [pragmatic-engineer] pragmatische Entwicklerin
    [procurement-officer] Einkäufer
    [product-manager] Produktmanager
    [public-administrator] Verwaltungsfachmann
    [public-health-officer] Amtsarzt
    [adversary] Gegenspielerin
    [site-reliability-engineer] Ingenieurin für den Betrieb
    [sceptic] Skeptikerin
    [security-reviewer] Sicherheitsprüfer
    [small-business-owner] Kleinunternehmer
    [software-architect] Softwarearchitekt
    [customer-support-lead] Leiterin des Kundendienstes
    [user-researcher] Nutzerforscherin
    [optimist] Optimist
    [works-council-representative] Betriebsrat
    [a-person-at-the-table] ein Mensch am Tisch
    [member-of-the-panel] Mitglied des Gremiums
   *[other] { $role }
}
