# What a verdict hinges on, by votes taken again.

# $kind: what was changed. $what: in its own words. $at: the messages that have it; may be none.
stress-arm = { $kind ->
    [nothing] nothing changed
    [order] the order of the ballots
    [terms] if this were settled: { $what }
   *[premise] without { $what }
}{ GIVEN($at) ->
    [yes] {" "}({ LIST($at, by: ", ") })
   *[no] {""}
}
stress-held = It held in { $held } of { $of } votes in which nothing was changed.
# $became: titles; none where nothing won.
stress-hinges = It hinges on this: { $what }. Then { GIVEN($became) ->
    [yes] { LIST($became, by: " and ") } won
   *[no] nothing won
} in { $changed } of { $of } votes.
# $some: how many things matter. $tried: how many were tried.
stress-rest = { $some ->
    [0] Nothing of the { $tried } things tried
   *[other] Nothing else of the { $tried } things tried
} changed it by more than votes in which nothing changed. The debate itself was not run again.
stress-left = Not tried: { LIST($what, by: "; ") }.
# Figures in points of a hundred, with their signs.
stress-row = { $what }: changed in { $changed } of { $of }, { $estimate } points [{ $low }, { $high }]: { $finding ->
    [hinges] the verdict hinges on it
    [may] it may matter
    [shown] it hardly matters, or not at all
   *[unseen] not told from chance
}
stress-free = { $kind ->
    [rule] By the rule { $what }
    [without] Without the ballot of { $what }
    [ballots] { $count ->
        [one] It takes 1 changed ballot for another outcome.
       *[other] It takes { $count } changed ballots for another outcome.
    }
   *[unread] With the ballots that could not be read
}{ $kind ->
    [ballots] {""}
   *[other] : { GIVEN($outcome) ->
        [yes] { LIST($outcome, by: " and ") }
       *[no] nothing wins
    }.
}
stress-plan = { $arms ->
    [one] 1 change
   *[other] { $arms } changes
}, each in { $runs } votes, beside twice as many with nothing changed: at most { $calls } calls, about { $cost }.
stress-tried = vote { $run }: { $what }
stress-cost = { $calls } calls, { $cost }
# Debates held again, whole or from a message on. $kind: what is altered. $places: where it stands; may be none.
stress-altered = { $kind ->
    [member] without the member { $what }
    [model] answered by { $what }
    [order] { $what ->
        [seats] the order of the seats
       *[options] the order of the options
    }
   *[premise] without { $what }
}{ GIVEN($places) ->
    [yes] {" "}({ LIST($places, by: ", ") })
   *[no] {""}
}
stress-again-held = It held in { $held } of { $of } debates in which nothing was altered.
stress-again-hinges = It hinges on this: { $what }. Then it became { GIVEN($became) ->
    [yes] { LIST($became, by: " and ") }
   *[no] no verdict
} most often, and another answer in { $changed } of { $of } debates.
stress-again-rest = { $some ->
    [0] Nothing of the { $tried } things altered
   *[other] Nothing else of the { $tried } things altered
} changed it by more than debates in which nothing was altered{ $points ->
    [0] .
   *[other] ; a change of { $points } points or more would have been seen.
}
stress-again-plan = { $arms ->
    [one] 1 alteration
   *[other] { $arms } alterations
}: { $least } to { $most } debates, { $calls } calls at most, about { $cost }.
stress-again-done = { $done } of { $planned } debates
stress-again-paused = The budget has no room for another debate. The same command with more goes on.
stress-again-untried = Not tried: { $what }: { $why }
