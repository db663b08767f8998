# What `eda show --tally` says of a count. $winner, $loser, $name: a choice as it is named there, by its id, words or letter.

# A rule that cannot count these ballots. $why: count-undecided.
tally-lacking = not on these ballots: { $why }

# A motion that won in other words than those that it goes by. $text: the id of these; empty where none was accepted.
tally-winner = { $name }, { GIVEN($text) ->
    [yes] in the words of { $text }
   *[no] no wording accepted
}

# A text of the ballot. $kin: how it came about from another one. $first: who put it first, where that is told.
# $answer: yes where some want a text beside the answer; $beside: who wants this one so.
tally-text = { $id }{ GIVEN($kin) ->
    [yes] { " " }({ $kin })
   *[no] { "" }
}{ GIVEN($first) ->
    [yes] , put first by { LIST($first, by: ", ") }
   *[no] { "" }
}, accepted { $answer ->
    [yes] as the answer{ " " }
   *[no] { "" }
}by { GIVEN($accepted) ->
    [yes] { LIST($accepted, by: ", ") }
   *[no] nobody
}{ GIVEN($beside) ->
    [yes] , wanted beside the answer by { LIST($beside, by: ", ") }
   *[no] { "" }
}: { $text }

# $others: how many other choices there are; $loser: the first of them.
tally-condorcet = { $winner } beats { $others ->
    [one] { $loser }
   *[other] each of the others
}, one against one

tally-duel = { $winner } beats { $loser } { $votes }-{ $against }

# $duels: tally-duel of each.
tally-cycle = { LIST($duels, by: ", ") }: a cycle

# Whose ballot could not be read. $words: its own words, as they were written last.
tally-unreadable = { $who }{ GIVEN($words) ->
    [yes] : “{ $words }”
   *[no] { "" }
}

# $quorum: the share of the members of which more have to vote, 0 to 1.
tally-quorum = { $voted } of { $members ->
    [one] { $members } member
   *[other] { $members } members
} voted; more than { NUMBER($quorum, style: "percent", maximumFractionDigits: 0) } are needed: { $reached ->
    [yes] reached
   *[no] not reached
}

tally-column =
    .rule = rule
    .winner = winner
    .figures = figures
    .margin = margin
    .to-change = to change
# What stands before a line: `duels`, or a rule.
tally-kind = { $kind }
# The votes for none of the texts, as an entry of a row.
tally-none = none
tally-level = the winner is level with `none`, which loses ties
tally-changes =
    .none = none would do
tally-at-least = at least { $changes }
tally-polled = the last poll, because this format has no ballot
# $name: what the rules call a motion; $ids: its texts.
tally-wordings = above, { $name } counts the votes for any of { LIST($ids, by: ", ") }
tally-list = a motion is adopted by the votes that accept it, under every rule; figures order the list
tally-won =
    .none = no winner
    .nothing = nothing
tally-close =
    .lot = by lot
    .level = level with `none`
tally-under = { $won } under { LIST($rules, by: ", ") }

# What the figures of a rule count, within a line.
tally-unit = { $kind ->
    [approvals] approvals
    [scores] mean score
    [points] points
    [last-round] votes in its last round
    [duels] duels won
    [below] options below it
    [gain] share gained
   *[votes] votes
}

# What a text has by a rule; of the figure alone $name is empty.
tally-figure = { GIVEN($name) ->
    [yes] { $name }{" "}
   *[no] {""}
}{ NUMBER($figure, maximumFractionDigits: 3, useGrouping: 0) }
