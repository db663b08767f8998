# Wie es zu einem Ergebnis kam.

story-first = { GIVEN($won) ->
    [yes] In den ersten Stimmen führte { $won }.
   *[no] Die ersten Stimmen entschieden nichts.
}

story-text = { $joins ->
    [0] { $by } schlug { $text } vor ({ $at }).
    [one] { $by } änderte { $of } zu { $text } ({ $at }).
   *[other] { $by } vereinte { $of } zu { $text } ({ $at }).
}

story-withdrawn = { $by } zog { $text } zurück{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
} ({ $at }).

story-vote = { $last ->
    [yes] Die letzte Abstimmung
   *[no] Eine Abstimmung
} { GIVEN($won) ->
    [yes] entschied: { $won }
   *[no] entschied nichts
}{ GIVEN($earlier) ->
    [yes] , anstelle von { $earlier }
   *[no] { "" }
}.

story-side = { $text }: { LIST($who, by: ", ") }

story-against = { $who } war { $conditional ->
    [yes] unter einer Bedingung für { $text }
   *[no] gegen { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
} ({ $at }).

story-terms = Nach { $at } gefragt, nähme { $who } { $text } mit einer Änderung an: { QUOTED($change) }.{ $ballot ->
    [accepts] {" "}Auf dem Stimmzettel ist das Ergebnis angenommen.
    [refuses] {" "}Auf dem Stimmzettel ist das Ergebnis nicht angenommen.
   *[none] { "" }
}

story-names = { $who }{ GIVEN($before) ->
    [yes] {" "}(zuerst: { $before })
   *[no] { "" }
} nennt { $own ->
    [yes] die eigene { $at }
   *[no] { $at } von { $by }
}{ $against ->
    [yes] ; { $by } ist dagegen
   *[no] { "" }
}.

story-supports = { $who }{ GIVEN($before) ->
    [yes] {" "}(zuerst: { $before })
   *[no] { "" }
} stellte sich hinter { $text }{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
} ({ $at }).
