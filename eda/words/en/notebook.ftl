# What a notebook shows of a debate.

# $decided: the verdict in brief; `no vote` where there was none. $session: its name, quoted.
# $vain: how many answers of each member failed or repeated the member; $runner: who gave them.
notebook-result = <Result { $decided }; { $messages } messages, { $reason }, session { $session }{ GIVEN($vain) ->
    [yes] ; of { $runner } in vain: { $vain }
   *[no] {""}
}>
notebook-messages = { $messages } of at most { $most } messages
# $all: whether these are all.
notebook-last = { $all ->
    [yes] Messages
   *[no] The last { $last } of { $number } messages
}
# $cost: what is known of it; may be empty.
notebook-not-priced = { GIVEN($cost) ->
    [yes] { $cost } not all priced
   *[no] not priced
}
notebook-writing = { $who } is writing
notebook-rule = Rule: { votes-rule }
# $kept: whether it is on disk. $facts: in its log; empty for its name alone.
notebook-session = { GIVEN($facts) ->
    [yes] Session { $name } { $kept ->
        [yes] on disk
       *[no] in memory
    }, { $facts } facts
   *[no] session { $name }
}
# $state: paused, ended, not-begun or a phase, whose name is $phase. $why: it is paused or has ended; may be empty.
notebook-state = { $state ->
    [not-begun] not begun
   *[other] { GIVEN($why) ->
        [yes] { $state }: { debate-why }
       *[no] { $phase }
    }
}
# When members were privately asked. $number: of the poll or the ballot; may be empty.
notebook-asked = { $kind ->
    [first] First ballot
    [poll] Poll { $number }
    [survey] Survey { $number }
   *[ballot] Ballot{ GIVEN($number) ->
        [yes] {" "}{ $number }
       *[no] {""}
    }
}
# $status: of a text.
notebook-status = { $status ->
    [active] open
   *[other] { $status }
}
notebook-part =
    .none-yet = No verdict yet.
    .stopped = It was stopped before a vote.
    .ballots = Ballots
# Heads of tables, and what stands in place of a choice.
notebook-head =
    .member = Member
    .voter = Voter
    .choice = First choice
    .also = Also
    .moved = Moved by
    .because = Because
    .text = Choice
    .votes = Votes
    .by = By
    .beside = Adopted beside it
    .other = Put another text first
    .abstained = Abstained
    .unreadable = Unreadable
    .missing = Missing
    .none-won = None of these
    .no-vote = no vote
    .no-verdict = No verdict
    .no-answer = no usable answer
    .equal = several, as equal
    .no-choice = no choice
    .none = none of these
    .table = On the table
    .words = Text
    .for = For
    .against = Against
    .undecided = Undecided
    .state = State
    .if = if
    .memory = Conversation memory
    .decided = Decision or claim
    .summaries = Summaries
notebook-memory = { $messages ->
    [one] 1 message
   *[other] { $messages } messages
}, { $motions ->
    [one] 1 motion
   *[other] { $motions } motions
}, { $decisions ->
    [one] 1 decision
   *[other] { $decisions } decisions
}, { $summaries ->
    [one] 1 summary
   *[other] { $summaries } summaries
}
