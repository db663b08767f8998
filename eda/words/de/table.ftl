# Zeilen vom Stand des Tisches, den Anfragen an Modelle, `eda show` und der Bericht haben.

table-title = { $begun ->
    [yes] Der Tisch nach m{ $message }
   *[no] Der Tisch vor m1
}
table-left-out = Aus Platzmangel ausgelassen: { LIST($items, by: ", ") }
table-asked = m{ $message } { $who }: { QUOTED($text) }
table-question = die Frage in m{ $message }
table-claim = die Behauptung aus { $message }
table-not-counted = { $stance }, hier nicht gezählt: { LIST($who, by: ", ") }
table-unworded = keine Fassung davon wurde angenommen
table-accepted = mit { $number } von { $votes } Stimmen angenommen

table-group =
    .open = Offen; nur eine Abstimmung entscheidet:
    .proposed = Offen:
    .heard = Im Gespräch gehört; nicht zur Abstimmung gestellt, bevor jemand die Kennung nennt:
    .unvoted = Im Gespräch vorgeschlagen; über keinen Vorschlag wird abgestimmt:
    .stands-now = Gilt jetzt, durch Abstimmung:
    .decided = Beschlossen:
    .claimed = Behauptet, nicht abgestimmt:
    .asked = Offen, sagt die Niederschrift:
    .unsourced = Zahlen, für die allein das Wort dessen steht, der sie nennt, und kein Dokument der Runde, sagt die Niederschrift:
table-stance = { $stance ->
    [support] dafür
    [conditional] dafür, wenn ...
    [perhaps] dafür, vielleicht unter einer Bedingung
    [oppose] dagegen
   *[neutral] unentschieden
}
table-note =
    .own = eigener
    .in-doubt = unklar
    .on-terms = unter einer Bedingung
    .nobody = niemand
    .position = Standpunkt
    .closed = die erledigten Texte
table-now = jetzt für { $id }
table-has-put = schlug seitdem { $id } vor
table-voted-for = in der letzten Abstimmung für { $id }
table-of = von { $of }
table-position-of = Standpunkt von { LIST($who, by: ", ") }
table-last-ballot = in der letzten Abstimmung { $number ->
    [0] { $also ->
        [0] von 0 der { $votes } angenommen
       *[other] von { $also } der { $votes } neben der Antwort gewünscht
    }
   *[other] von { $number } der { $votes } angenommen{ $also ->
        [0] { "" }
       *[other] , von { $also } neben der Antwort gewünscht
    }
}
table-undeclared = zurzeit steht niemand dafür oder dagegen
table-wordings = andere Fassungen: { LIST($ids, by: ", ") }
table-wording = andere Fassung { $text }
table-if = { $doubt ->
    [yes] vielleicht unter einer Bedingung
   *[no] unter einer Bedingung
}, { $clause }
table-made-of = { $joins ->
    [yes] vereint
   *[no] ändert
} { LIST($of, by: " und ") }
table-part-of = Teil von { $of }
table-by = { $claim ->
    [yes] von
   *[no] dafür:
} { LIST($who, by: ", ") }
# A claim that was denied. $back: yes where its author took it back. $by: report-denied of each; may be empty.
table-disputed = { $back ->
    [yes] zurückgenommen{ GIVEN($by) ->
        [yes] , bestritten von { LIST($by, by: ", ") }
       *[no] { "" }
    }
   *[no] bestritten von { LIST($by, by: ", ") }
}
table-denies = { $who } bestreitet in { $at } { GIVEN($what) ->
    [yes] { LIST($what, by: ", ") } ({ $of })
   *[no] eine Aussage von { $of }
}{ GIVEN($why) ->
    [yes] : { $why }
   *[no] { "" }
}
table-its-text = der Text wurde { $end }
table-older = { $number } ältere
table-closed = Erledigt: { $ends }
table-claim-end = { $status ->
    [adopted] behauptet, später durch Abstimmung angenommen
   *[contradicted] behauptet, eine Abstimmung sagte anderes
}{ GIVEN($by) ->
    [yes] , bestritten von { LIST($by, by: ", ") }
   *[no] { "" }
}

table-quoted = { QUOTED($text) }
