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
