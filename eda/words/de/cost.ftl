# Was eine Sitzung kostete, und was eine Debatte kosten würde.

cost-total = zusammen: { $calls ->
    [one] 1 Aufruf
   *[other] { $calls } Aufrufe
}, { $tokens } Tokens, { $dollars }{ $hit ->
    [0] {""}
   *[other] , { NUMBER($hit, style: "percent") } der Eingabe aus dem Zwischenspeicher gelesen
}
cost-forecast = etwa { $usual }; { $least } bei kurzen Antworten, { $most } bei langen; kein Aufruf wurde gemacht
cost-cut-short = bei üblichen Antworten endet die Aussprache vorzeitig: { $ended }
cost-reckoned = hochgerechnet aus Debatten von { $short } und { $long } Nachrichten; ganz durchgerechnete von bis zu 1.000 wichen höchstens um 2 Prozent davon ab
cost-assumed = angenommen: Preise vom { $prices_checked }; Tokens einer Antwort: { $lengths }; vier Zeichen sind ein Token; was in den letzten fünf Minuten gesendet wurde, kommt aus dem Zwischenspeicher; kein Nachdenken, kein fehlgeschlagener Aufruf, keine Zeitgrenze, niemand wiederholt Gesagtes; Haltungen stehen fest und Vetos enden bei kurzen Antworten sofort, bei üblichen nach der Hälfte, bei langen nie
cost-estimate = etwa { $usual }; { $least } bei kurzen Antworten, { $most } bei langen{ $cut ->
    [yes] ; das Budget beendet die Debatte vorzeitig
   *[no] {""}
}

cost-column =
    .agent = Mitglied
    .purpose = Zweck
    .model = Modell
    .provider = Anbieter
    .calls = Aufrufe
    .input = Eingabe
    .cached = gelesen
    .written = geschrieben
    .output = Ausgabe
    .share = Anteil
    .cost = Kosten
    .total = zusammen
    .least = kurze Antworten
    .usual = übliche Antworten
    .most = lange Antworten

cost-length = { debate-purpose } { $usual } ({ $least } bis { $most })
