# Woran ein Ergebnis hängt, durch wiederholte Abstimmungen.

stress-arm = { $kind ->
    [nothing] nichts geändert
    [order] die Reihenfolge auf den Stimmzetteln
    [terms] wenn dies geklärt wäre: { $what }
   *[premise] ohne { $what }
}{ GIVEN($at) ->
    [yes] {" "}({ LIST($at, by: ", ") })
   *[no] {""}
}
stress-held = Es blieb dabei in { $held } von { $of } Abstimmungen, in denen nichts geändert war.
stress-hinges = Es hängt daran: { $what }. Dann gewann in { $changed } von { $of } Abstimmungen { GIVEN($became) ->
    [yes] { LIST($became, by: " und ") }
   *[no] nichts
}.
stress-rest = { $some ->
    [0] Nichts von den { $tried } Dingen, die versucht wurden,
   *[other] Nichts sonst von den { $tried } Dingen, die versucht wurden,
} änderte es öfter als Abstimmungen, in denen nichts geändert war. Die Debatte selbst wurde nicht wiederholt.
stress-left = Nicht versucht: { LIST($what, by: "; ") }.
stress-row = { $what }: anders in { $changed } von { $of }, { $estimate } Punkte [{ $low }, { $high }]: { $finding ->
    [hinges] das Ergebnis hängt daran
    [may] es zählt vielleicht
    [shown] es zählt kaum oder gar nicht
   *[unseen] vom Zufall nicht zu unterscheiden
}
stress-free = { $kind ->
    [rule] Nach der Regel { $what }
    [without] Ohne die Stimme von { $what }
    [ballots] { $count ->
        [one] Für ein anderes Ergebnis genügt 1 geänderte Stimme.
       *[other] Für ein anderes Ergebnis braucht es { $count } geänderte Stimmen.
    }
   *[unread] Mit den Stimmen, die nicht zu lesen waren
}{ $kind ->
    [ballots] {""}
   *[other] : { GIVEN($outcome) ->
        [yes] { LIST($outcome, by: " und ") }
       *[no] nichts gewinnt
    }.
}
stress-plan = { $arms ->
    [one] 1 Änderung
   *[other] { $arms } Änderungen
}, jede in { $runs } Abstimmungen, neben doppelt so vielen ohne Änderung: höchstens { $calls } Anfragen, etwa { $cost }.
stress-tried = Abstimmung { $run }: { $what }
stress-cost = { $calls } Anfragen, { $cost }
stress-altered = { $kind ->
    [member] ohne das Mitglied { $what }
    [model] beantwortet von { $what }
    [order] { $what ->
        [seats] die Reihenfolge der Plätze
       *[options] die Reihenfolge der Optionen
    }
   *[premise] ohne { $what }
}{ GIVEN($places) ->
    [yes] {" "}({ LIST($places, by: ", ") })
   *[no] {""}
}
stress-again-held = Es blieb dabei in { $held } von { $of } Debatten, in denen nichts geändert war.
stress-again-hinges = Es hängt daran: { $what }. Dann wurde es am häufigsten { GIVEN($became) ->
    [yes] { LIST($became, by: " und ") }
   *[no] kein Ergebnis
}, und etwas anderes in { $changed } von { $of } Debatten.
stress-again-rest = { $some ->
    [0] Nichts von den { $tried } Dingen, die geändert wurden,
   *[other] Nichts sonst von den { $tried } Dingen, die geändert wurden,
} änderte es öfter als Debatten, in denen nichts geändert war{ $points ->
    [0] .
   *[other] ; eine Änderung von { $points } Punkten oder mehr wäre zu sehen gewesen.
}
stress-again-plan = { $arms ->
    [one] 1 Änderung
   *[other] { $arms } Änderungen
}: { $least } bis { $most } Debatten, höchstens { $calls } Anfragen, etwa { $cost }.
stress-again-done = { $done } von { $planned } Debatten
stress-again-paused = Das Budget reicht für keine weitere Debatte. Derselbe Befehl mit mehr geht weiter.
stress-again-untried = Nicht versucht: { $what }: { $why }
