# Wie es zu einem Ergebnis kam.

story-first = { GIVEN($won) ->
    [yes] Erste Stimmen: { $won } führte.
   *[no] Erste Stimmen: ohne Ergebnis.
}

story-text = { $joins ->
    [0] { $by } schlug { $text } vor
    [one] { $own ->
        [yes] { $by } änderte { $of } zu { $text }
       *[no] { $by } fasste { $of } neu als { $text }
    }
   *[other] { $by } vereinte { $of } zu { $text }
} ({ act-told }).

story-withdrawn = { $by } zog { $text } zurück{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
} ({ act-told }).

story-vote = { $last ->
    [yes] Letzte Abstimmung
   *[no] Abstimmung
}: { GIVEN($won) ->
    [yes] { $won }
   *[no] ohne Ergebnis
}{ GIVEN($earlier) ->
    [yes] , anstelle von { $earlier }
   *[no] { "" }
}.

story-more = Aus Platzgründen hier nicht erzählt: { LIST($of, by: ", ") }.

story-side = { $text }: { LIST($who, by: ", ") }

story-against = { $who } war { $side ->
    [for] für { $text }
    [yes] unter einer Bedingung für { $text }
    [doubt] vielleicht unter einer Bedingung für { $text }
    [until] unter einer Bedingung gegen { $text }
   *[no] gegen { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
} ({ act-told }{ GIVEN($ends) ->
    [yes] ; { LIST($ends, by: "; ") }
   *[no] { "" }
}).

story-end = { $kind ->
    [against] { act-since } gegen { $text }
    [back] { $asked ->
        [yes] auf Nachfrage zu
       *[no] in
    } { $at } zurückgenommen
    [undecided] { act-since } unentschieden über { $text }
    [ballot] nimmt { $text } auf dem Stimmzettel an
    [beside] will { $text } auf dem Stimmzettel neben der Antwort
    [held] vertritt { act-since } { $text }
   *[for] { act-since } { $conditional ->
        [no] { "" }
       *[yes] ohne Bedingung{" "}
    }für { $text }
}{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
}

story-terms = Nach { $at } gefragt, wollte { $who } { $text } { GIVEN($change) ->
    [yes] mit einer Änderung annehmen: { QUOTED($change) }.
   *[no] { $as_it_is ->
        [yes] unverändert annehmen.
       *[no] nicht annehmen.
    }
}

story-name = { TEXT($text) } ({ $id }, von { $by } in { $at })

story-it = den Text

story-same = { $side ->
    [support] Für
   *[oppose] Gegen
} { $text }: { $who } ({ act-told }).

story-names = { $who }{ $changed ->
    [yes] {" "}stimmte zuletzt anders und
    [new] , zuerst ohne eindeutige Wahl,
   *[no] { "" }
} nannte { GIVEN($by) ->
    [yes] { $own ->
        [yes] die eigene { $at }
       *[no] { $at } von { $by }
    }
   *[no] keine Nachricht
}{ $against ->
    [yes] ; { $by } war dagegen
   *[no] { "" }
}.

story-brief = { LIST($parts, by: "; ") }.

story-part =
    .first = { GIVEN($texts) ->
        [yes] zuerst lag { $texts } vorn
       *[no] zuerst ohne Ergebnis
    }
    .changed = { $count ->
        [0] niemand setzte zuletzt eine andere Antwort an die erste Stelle
       *[other] { GIVEN($who) ->
            [yes] { $who }
           *[no] { $count }
        } { $count ->
            [one] setzte
           *[other] setzten
        } zuletzt eine andere Antwort an die erste Stelle
    }
    .new = zuerst ohne eindeutige Wahl: { $who }
