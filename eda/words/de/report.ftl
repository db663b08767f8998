# Die Titel der Teile, in ihrer Reihenfolge.
report-title =
    .verdict = Ergebnis
    .model = In den Worten eines Modells
    .reasons = Gründe
    .dissent = Gegenstimmen
    .sure = Wie sicher es ist
    .figures = Erste und letzte Abstimmung
    .open = Offene Fragen
    .risks = Risiken, die Mitglieder nannten
    .vote = Die Abstimmung
    .ballots = Die Stimmzettel
    .stances = Wer wofür steht
    .differing = Wessen Stimme sich unterscheidet
    .descent = Wie der Text entstand
    .put = Was vorgeschlagen wurde
    .stood = Was Mitglieder dazu sagten
    .promised = Was Mitglieder tun wollen
    .reserved = Vorbehalte derer, die zustimmen
    .minds = Was jemanden umstimmen würde
    .agreeing = Was die umstimmen würde, die zustimmen
    .decisions = Beschlüsse auf dem Weg
    .evidence = Belege, die Mitglieder nachschlugen
    .noted = Was Mitglieder festhielten
    .table = Der Tisch am Ende
    .run = Wie die Debatte lief
    .transcript = Mitschrift
    .each = Was für jedes sprach

report-none-given = { GIVEN($given) ->
    [yes] Weder { LIST($given, by: " noch ") } hat gewonnen.
   *[no] Keine der vorgegebenen Möglichkeiten hat gewonnen.
}
