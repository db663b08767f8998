# Die Felder eines Formulars für Einstellungen.

settings-page =
    .as-usual = wie sonst
    .max-messages = Höchstzahl der Nachrichten
    .max-messages-how = Mindestens die Hälfte ist Aussprache; Eröffnungen und Schlussworte zählen mit.
    .budget-time = Höchstdauer (Sekunden)
    .budget-time-how = Ein Zehntel davon bleibt der Abstimmung.
    .budget-tokens = Höchstzahl der Tokens
    .budget-tokens-how = Ein Zehntel davon bleibt der Abstimmung.
    .budget = Höchstbetrag (US-Dollar)
    .budget-how = Ein Zehntel davon bleibt der Abstimmung.
    .call-timeout = Frist einer Anfrage (Sekunden)
    .call-timeout-how = So lange darf eine Anfrage ohne Fortschritt bleiben; im Ganzen darf sie fünfmal so lange dauern.
    .no-limit = keine Grenze
    .floor = Wer als Nächstes spricht
    .floor-how = Wie das Wort erteilt wird. Ohne Wahl so, wie der Ablauf es hat.
    .bids = Wortmeldungen
    .bids-how = Ob Mitglieder einzeln oder alle in einer Anfrage sagen, wie dringend sie sprechen wollen; eine solche Anfrage kann für mehrere Beiträge gelten.
    .rule = Regel
    .rule-how = Wie die Stimmen gezählt werden. Ohne Wahl so, wie der Ablauf es hat.
    .stop = Ende
    .stop-how = Eine weitere Bedingung, die die Aussprache beendet.
    .quorum = Quorum (Anteil)
    .quorum-how = Eine Abstimmung gilt, wenn mehr als dieser Anteil der Mitglieder gestimmt hat.
    .judge = Wer entscheidet (Mitglied)
    .judge-how = Das Mitglied, das entscheidet, wenn die Regel es so will.
    .answer = Art der Antwort
    .answer-how = Ob die Frage eine Antwort will oder eine Liste, aus der jeder Antrag angenommen wird oder nicht.
    .ballots = Stimmzettel
    .ballots-how = Ob nach Stimmen und Wortmeldungen mit strengem Schema oder in Worten gefragt wird.
    .read-typed = Getipptes lesen
    .read-typed-how = Wie eine getippte Zeile gelesen wird, die sich nicht genau lesen lässt: vom billigen Modell, das zurückfragt, oder gar nicht.
    .fixed-options = Nur gegebene Optionen
    .fixed-options-how = Nur über die gegebenen Optionen wird abgestimmt.
    .no-first-vote = Keine erste Abstimmung
    .no-first-vote-how = Vor der Debatte wird nicht geheim über die Optionen abgestimmt.
    .no-terms = Keine Bedingungen
    .no-terms-how = Wer gegen den führenden Text ist, wird nicht gefragt, was nötig wäre.
    .not-own = Nicht die eigenen
    .not-own-how = Mitglieder dürfen nicht für ihre eigenen Texte stimmen.
    .consensus = Konsens (Anteil)
    .consensus-how = Die Aussprache endet, sobald eine geheime Umfrage zeigt, dass dieser Anteil sich einig ist.
    .poll-every = Umfrage alle
    .poll-every-how = Nachrichten zwischen den Umfragen, die einen Konsens suchen.
    .summary-every = Zusammenfassung alle
    .summary-every-how = Nachrichten je Zusammenfassung.
    .summariser = Wer zusammenfasst
    .summariser-how = Wer die Zusammenfassungen schreibt.
    .language = Sprache
    .language-how = Des Gesprächs, des Ergebnisses und des Berichts.

settings-choice = { $kind ->
    [floor-bidding] auf Meldung
    [floor-round-robin] reihum
    [floor-random] durch das Los
    [floor-moderated] durch die Gesprächsleitung
    [floor-simultaneous] alle zugleich
    [bids-each] einzeln
    [bids-together] alle in einer Anfrage
    [bids-list] für mehrere Beiträge
    [rule-plurality] relative Mehrheit
    [rule-majority] absolute Mehrheit
    [rule-supermajority-2-3] Zweidrittelmehrheit
    [rule-supermajority-3-4] Dreiviertelmehrheit
    [rule-unanimity] Einstimmigkeit
    [rule-consent] Konsent
    [rule-approval] Zustimmung
    [rule-score] Punkte
    [rule-borda] Borda
    [rule-instant-runoff] Stichwahl in Runden
    [rule-copeland] Copeland
    [rule-ranked-pairs] Paarvergleiche nach Tideman
    [rule-schulze] Schulze
    [rule-judge] ein Mitglied entscheidet
    [rule-shift] Meinungswechsel
    [answer-one] eine Antwort
    [answer-list] eine Liste
    [ballots-schema] mit strengem Schema
    [ballots-words] in Worten
    [read-typed-model] vom Modell
    [read-typed-exact] nur genau
    [summariser-model] das Modell
    [summariser-extractive] Auszüge ohne Modell
    [language-en] Englisch
    [language-de] Deutsch
   *[other] { $name }
}
