# Woran ein Ergebnis hängt, durch Abstimmungen, bei denen eines geändert ist.

stress-arm = { $kind ->
    [nothing] nichts geändert
    [order] { $what ->
        [seats] die Reihenfolge der Plätze
        [options] die Reihenfolge der Optionen
       *[ballots] die Reihenfolge auf den Stimmzetteln
    }
    [terms] wenn dies geklärt wäre: { $what }
    [member] ohne das Mitglied { $what }
    [model] beantwortet von { $what }
   *[premise] ohne { $what }
}{ GIVEN($places) ->
    [yes] {" "}({ LIST($places, by: ", ") })
   *[no] {""}
}
stress-told = { $kind ->
    [premise] Behandeln Sie dies als nicht bekannt, wo immer es gesagt wurde, und rechnen Sie nicht mehr damit: { LIST($what, by: "; ") }
    [joint] Behandeln Sie dies alles als nicht bekannt, wo immer es gesagt wurde, und rechnen Sie nicht mehr damit: { LIST($what, by: "; ") }
    [terms] Nehmen Sie an, dies sei geklärt: { LIST($what, by: "; ") }
   *[nothing] Nichts hat sich geändert.
}
stress-held = Es blieb dabei in { $held } von { $of } unveränderten Läufen.
stress-hinges = Es hängt daran: { $what }. Dann wurde es am häufigsten { GIVEN($became) ->
    [yes] { LIST($became, by: " und ") }
   *[no] kein Ergebnis
}, und etwas anderes in { $changed } von { $of } Läufen.
stress-rest = { $some ->
    [0] Keine
   *[other] Keine andere
} von { $tried } versuchten Änderungen kippte es öfter{ $points ->
    [0] .
   *[other] ; ein Unterschied von { $points } Punkten wäre zu sehen gewesen.
}
stress-moved = { $who } stimmte in { $changed } von { $of } Läufen anders: { $what }.
stress-votes-alone = Nur die letzte Abstimmung wurde wiederholt, nicht die Debatte davor.
stress-unsaid = In keiner Unterlage und keiner Nachricht steht das mit diesen Worten, es ändert also vielleicht nichts: { LIST($what, by: "; ") }.
stress-left = Nicht versucht: { LIST($what, by: "; ") }.
stress-left-arm = { $what }{ $why ->
    [nowhere] : in diesen Worten steht es in keiner Unterlage und in keiner Nachricht
    [alone] : eine Nachricht sagt sonst nichts
    [later] : nur im Gespräch gesagt, also nicht zugleich mit den anderen
    [few] : es bliebe niemand zum Reden
    [judge] : dieses Mitglied entscheidet
    [same] : so wurde schon geantwortet
    [written] : Mitglieder haben die Antwort geschrieben, und die einer anderen Debatte schreiben andere Texte
   *[none] {""}
}
stress-row = { $what }: anders in { $changed } von { $of }, { $estimate } Punkte [{ $low }, { $high }]: { $finding ->
    [hinges] das Ergebnis hängt daran
    [may] es zählt vielleicht
    [shown] es zählt kaum oder gar nicht
   *[unseen] vom Zufall nicht zu unterscheiden
}
stress-free = { $kind ->
    [rule] Nach der Regel { votes-rule }
    [without] Ohne die Stimme von { $what }
    [ballots] { $count ->
        [one] Für ein anderes Ergebnis genügt 1 geänderte Stimme.
       *[other] Für ein anderes Ergebnis braucht es { $count } geänderte Stimmen.
    }
    [quorum] { $count ->
        [0] Mit einer Stimme weniger ist das Gremium nicht beschlussfähig.
        [one] Mit einer Stimme weniger ist das Gremium beschlussfähig, mit noch einer weniger nicht mehr.
       *[other] Mit { $count } Stimmen weniger ist das Gremium beschlussfähig, mit noch einer weniger nicht mehr.
    }
   *[unread] Mit den Stimmen, die nicht zu lesen waren
}{ $kind ->
    [ballots] {""}
    [quorum] {""}
   *[other] : { GIVEN($outcome) ->
        [yes] { LIST($outcome, by: " und ") }
       *[no] nichts gewinnt
    }.
}
stress-plan = { $arms ->
    [one] 1 Änderung
   *[other] { $arms } Änderungen
}, mit doppelt so vielen Läufen ohne Änderung: { GIVEN($least) ->
    [yes] { $least } bis{" "}
   *[no] {""}
}{ $most } Läufe, höchstens { $calls } Anfragen, { $cost }.
stress-asked = { $real ->
    [yes] Gefragt wird { $runner }.
   *[no] Kein Modell wird gefragt, der Runner { $runner } stimmt ab: Das zeigt, wie ein Versuch abläuft, und sagt nichts über die Frage.
}
stress-tried = { $held ->
    [yes] Debatte { $run }: { $what }
   *[no] Abstimmung { $run }: { $what }
}
stress-cost = { $calls } Anfragen, { $cost }
stress-paused = Das Budget reicht für keinen weiteren Lauf. Mit mehr geht es dort weiter, wo es aufgehört hat.
