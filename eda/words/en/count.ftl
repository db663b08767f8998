# Why nothing won, and how lots decided: parts of a sentence.

# $why: as a session has it, with - for blanks. $votes of $of voted, or accept none of the texts. $who: the judge.
# $words: those of a rule of a user, or of an older session.
count-undecided = { $why ->
    [nothing-to-vote-on] there was nothing to vote on
    [nobody-voted] nobody voted
    [no-quorum] { $votes } of { $of } voted, which is no quorum
    [none-first] `none` came out first: { $votes } of { $of } votes accept none of the texts
    [none-above-the-rest] `none` came out first: { $votes } of { $of } votes accept none of the texts, and each ballot puts `none` above what it leaves out
    [the-judge-wants-none] { $who } decides, and accepts none of the texts
    [the-judge-chose-nothing] { $who }, who judges, named no choice
    [all-blocked] somebody blocks every text that anybody accepts
    [all-firsts-blocked] every option that anybody puts first is blocked
    [refused-more-than-wanted] of the texts that nobody blocks none has as many votes as refuse them all
    [no-side-gained] no side gained
    [nothing-adopted] no motion was accepted by as many votes as the rule asks for
    [no-approvals] no ballot approves options
    [no-scores] no ballot gives scores
    [no-judge] no judge is named
    [no-ballot-of-the-judge] there is no ballot of { $who }
    [not-two-polls] it compares two polls
    [nobody-was-asked-for-blocks] nobody was asked for blocks
    [more-than-ballots-needed] it needs more than ballots
    [not-installed] it is not installed here
   *[in-words] { $words }
}

# $why: count-undecided.
count-lacks = the rule { $rule } does not work on these ballots: { $why }

# $tied: all that could have won. $lots: count-lot of $rounds rounds. $seed: of the lots.
count-tie = { $tied } could each have won; lots drawn with seed { $seed } decided for { $won }{ $rounds ->
    [0] { "" }
   *[other] { " " }({ $lots })
}

# A round of a run-off in which several had the fewest votes.
count-lot = round { $round }: { $level } were level, and the lot sent { $out } out
