# Was `eda show --tally` von einer Auszählung sagt.

tally-lacking = passt nicht zu diesen Stimmzetteln: { $why }

tally-winner = { $name }, { GIVEN($text) ->
    [yes] in der Fassung { $text }
   *[no] aber keine Fassung wurde angenommen
}

tally-text = { $id }{ GIVEN($kin) ->
    [yes] { " " }({ $kin })
   *[no] { "" }
}{ GIVEN($first) ->
    [yes] , an erster Stelle bei { LIST($first, by: ", ") }
   *[no] { "" }
}, Zustimmung { $answer ->
    [yes] als Antwort{ " " }
   *[no] { "" }
}von { GIVEN($accepted) ->
    [yes] { LIST($accepted, by: ", ") }
   *[no] niemandem
}{ GIVEN($beside) ->
    [yes] , neben der Antwort gewünscht von { LIST($beside, by: ", ") }
   *[no] { "" }
}: { $text }

tally-condorcet = { $winner } gewinnt { $others ->
    [one] den direkten Vergleich mit { $loser }
   *[other] jeden direkten Vergleich
}

tally-duel = { $winner } schlägt { $loser } mit { $votes }:{ $against }

tally-cycle = { LIST($duels, by: ", ") }: ein Zyklus

tally-unreadable = { $who }{ GIVEN($words) ->
    [yes] : „{ $words }“
   *[no] { "" }
}

tally-quorum = { $voted } von { $members ->
    [one] { $members } Mitglied
   *[other] { $members } Mitgliedern
} { $voted ->
    [one] hat
   *[other] haben
} abgestimmt; nötig sind mehr als { NUMBER($quorum, style: "percent", maximumFractionDigits: 0) }: { $reached ->
    [yes] erreicht
   *[no] nicht erreicht
}
