# What a verdict hinges on, by votes with one thing changed.

# $kind: what was changed. $what: in its own words. $places: where it stands; may be none.
stress-arm = { $kind ->
    [nothing] nothing changed
    [order] { $what ->
        [seats] the order of the seats
        [options] the order of the options
       *[ballots] the order of the ballots
    }
    [terms] if this were settled: { $what }
    [member] without the member { $what }
    [model] answered by { $what }
   *[premise] without { $what }
}{ GIVEN($places) ->
    [yes] {" "}({ LIST($places, by: ", ") })
   *[no] {""}
}
# What the moderator says before the vote. $what: the premises or the wish.
stress-told = { $kind ->
    [premise] Treat this as not known, wherever it was said, and count on it no more: { LIST($what, by: "; ") }
    [joint] Treat these as not known, wherever they were said, and count on them no more: { LIST($what, by: "; ") }
    [terms] Suppose that this is settled: { LIST($what, by: "; ") }
   *[nothing] Nothing has changed.
}
stress-held = It held in { $held } of { $of } unchanged runs.
# $became: titles; none where nothing won.
stress-hinges = It hinges on this: { $what }. Then it became { GIVEN($became) ->
    [yes] { LIST($became, by: " and ") }
   *[no] no decision
} most often, and another outcome in { $changed } of { $of } runs.
# $some: how many things matter. $tried: how many were tried. $points: the largest change that may have been missed.
stress-rest = { $some ->
    [0] None
   *[other] No other
} of { $tried } changes tried turned it more often{ $points ->
    [0] .
   *[other] ; a difference of { $points } points would show.
}
# A member who votes otherwise with a change.
stress-moved = { $who } voted otherwise in { $changed } of { $of } runs: { $what }.
stress-votes-alone = The last vote alone was taken again, not the debate before it.
stress-unsaid = No document and no message says this in these words, so it may change nothing: { LIST($what, by: "; ") }.
stress-left = Not tried: { LIST($what, by: "; ") }.
# $why: see `Why` in eda/debate/arms.py; empty where the budget had no room for it.
stress-left-arm = { $what }{ $why ->
    [nowhere] : no document and no message says it in these words
    [alone] : a message says nothing else
    [later] : said only in the talk, so not at the same time as the others
    [few] : nobody would be left to talk to
    [judge] : the judge decides
    [same] : it has answered already
    [written] : members wrote the answer, and those of another debate write other texts
   *[none] {""}
}
# Figures in points of a hundred, with their signs.
stress-row = { $what }: changed in { $changed } of { $of }, { $estimate } points [{ $low }, { $high }]: { $finding ->
    [hinges] the verdict hinges on it
    [may] it may matter
    [shown] it hardly matters, or not at all
   *[unseen] not told from chance
}
stress-free = { $kind ->
    [rule] By the rule { votes-rule }
    [without] Without the ballot of { $what }
    [ballots] { $count ->
        [one] It takes 1 changed ballot for another outcome.
       *[other] It takes { $count } changed ballots for another outcome.
    }
    [quorum] { $count ->
        [0] With one ballot fewer there is no quorum.
        [one] There is a quorum with 1 ballot fewer, and no longer with one less than that.
       *[other] There is a quorum with { $count } ballots fewer, and no longer with one less than that.
    }
   *[unread] With the ballots that could not be read
}{ $kind ->
    [ballots] {""}
    [quorum] {""}
   *[other] : { GIVEN($outcome) ->
        [yes] { LIST($outcome, by: " and ") }
       *[no] nothing wins
    }.
}
# $least: empty where it is as many as $most.
stress-plan = { $arms ->
    [one] 1 change
   *[other] { $arms } changes
}, with twice as many runs in which nothing is changed: { GIVEN($least) ->
    [yes] { $least } to{" "}
   *[no] {""}
}{ $most } runs, at most { $calls } calls, { $cost }.
# Who votes again. $real: whether a model is asked.
stress-asked = { $real ->
    [yes] Asked of { $runner }.
   *[no] No model is asked, the runner { $runner } votes: this shows how a test runs and tells nothing of the question.
}
# $held: whether the debate was held again.
stress-tried = { $held ->
    [yes] debate { $run }: { $what }
   *[no] vote { $run }: { $what }
}
stress-cost = { $calls } calls, { $cost }
stress-paused = The budget has no room for another run. With more it goes on where it stopped.
