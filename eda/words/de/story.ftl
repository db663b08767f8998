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
} ({ act-told-about }).

story-withdrawn = { $by } zog { $text }{ GIVEN($put) ->
    [yes] {" "}aus { $put }
   *[no] { "" }
} zurück{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
} ({ act-told-about }).

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
   *[no] gegen { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
} ({ act-told-after }{ GIVEN($ends) ->
    [yes] ; { LIST($ends, by: "; ") }
   *[no] { "" }
}).

story-end = { $kind ->
    [against] { act-since } { $same ->
        [yes] dagegen
       *[no] gegen { $text }
    }
    [back] { $asked ->
        [yes] { act-asked-after }
       *[no] in { $at }
    } zurückgenommen
    [undecided] { act-since } unentschieden{ $same ->
        [yes] { "" }
       *[no] {" "}zu { $text }
    }
    [ballot] nimmt { $text } auf dem Stimmzettel an
    [held] vertritt { act-since } { $text }
   *[for] { act-since } { $conditional ->
        [no] { "" }
       *[yes] ohne Bedingung{" "}
    }{ $same ->
        [yes] dafür
       *[no] für { $text }
    }
}{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
}

story-terms = Nach { $at } gefragt, wollte { $who } { $text } { GIVEN($change) ->
    [yes] mit einer Änderung annehmen: { QUOTED($change) }.
   *[no] nicht annehmen.
}{ $ballot ->
    [accepts] {" "}{ $who } nimmt { $decided } an.
    [refuses] {" "}{ $who } nimmt { $decided } nicht an.
   *[none] { "" }
}

story-names = { $who }{ $changed ->
    [yes] {" "}stimmte zuletzt anders und
    [new] , zuerst ohne eindeutige Wahl,
   *[no] { "" }
} nannte { $own ->
    [yes] die eigene { $at }
   *[no] { $at } von { $by }
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
