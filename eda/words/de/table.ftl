# Zeilen vom Stand des Tisches, den Anfragen an Modelle, `eda show` und der Bericht haben.

table-title = { $begun ->
    [yes] Der Tisch nach m{ $message }
   *[no] Der Tisch vor m1
}
table-left-out = Aus Platzmangel ausgelassen: { LIST($items, by: ", ") }
table-asked = m{ $message } { $who }, in den Worten des Protokolls: { $text }
table-question = die Frage in m{ $message }
table-unclear = was in m{ $message } unklar ist
table-claim = die Behauptung aus { $message }
table-before = zuvor: { $who }, nun für { $id }
table-not-counted = { $stance }, hier nicht gezählt: { LIST($who, by: ", ") }
table-accepted = mit { $number } von { $votes } Stimmen angenommen
