# What happens in a debate, on a terminal's screen. $who: a member.

screen-floor = { $who } has the floor · { $reason }
# $change: what became of a seat; $persona: who takes it; $by: who changed it; may be empty.
screen-seat = { $change ->
    [left] { $who } has left the table
    [muted] { $who } is muted
    [back] { $who } is back at the table
    [unmuted] { $who } may speak again
    [added] { $who } joins the panel
    [sat] { $who } takes a seat
    [replaced] { $persona } takes the seat of { $who }
   *[removed] { $who } leaves the panel
}{ GIVEN($by) ->
    [yes] {" "}(by { $by })
   *[no] {""}
}
# $runner: who answers now; empty where that did not change.
screen-goes-on = the debate goes on{ GIVEN($runner) ->
    [yes] {" "}with { $runner }
   *[no] {""}
}
# Of a verdict after which the debate went on, and the panel voted again.
screen-verdict = verdict then: { $outcome }
# $state: of the session, as `paused`.
screen-unfinished = no verdict yet: { $state }
# What is open. $rest: how many texts have no row; $ids: theirs.
screen-table = on the table{ $rest ->
    [0] {""}
   *[other] {" "}· { $rest } more: { LIST($ids, by: ", ") }
}
# An answer to a poll. $beliefs: the choices, each with its share; $choice: empty for none of them; $sure: `0.70`.
# $at: the message that moved the member, m12; $change: what would change its view. All may be empty.
screen-poll = { $kind ->
    [invalid] gave no usable answer
    [beliefs] believes { LIST($beliefs, by: ", ") }
   *[choice] holds { GIVEN($choice) ->
        [yes] { $choice }
       *[no] none of the choices
    }{ GIVEN($sure) ->
        [yes] , { $sure } sure
       *[no] {""}
    }{ GIVEN($at) ->
        [yes] ; moved by { $at }
       *[no] {""}
    }{ GIVEN($change) ->
        [yes] ; what would change it: { $change }
       *[no] {""}
    }
}

# The labels of a pipe's lines.
screen-label =
    .error = error
    .hint = hint
    .left-out = left out
    .remark = note
    .warning = warning
    .written = written
    .act = act
    .bids = bids
    .claim = claim
    .context = context
    .correction = correction
    .decision = decision
    .ended = ended
    .failed = failed
    .first-vote = first vote
    .floor = floor
    .from = from
    .go-on = go on
    .live = live
    .looked-up = looked up
    .moderator = moderator
    .note = note
    .option = option
    .panel = panel
    .passed = passed
    .phase = phase
    .poll = poll
    .proposal = proposal
    .question = question
    .reaction = reaction
    .resumed = resumed
    .runner = runner
    .saved = saved
    .session = session
    .setting = setting
    .summary = summary
    .table = table
    .terms = terms
    .to-you = to you
    .took = took
    .vote = vote
    .waiting = waiting
screen-asks-for = asks for { $asks }
# $came: voted, also of an abstention, which is private; unreadable or missing.
screen-voted = { $came ->
    [unreadable] the ballot of { $who } could not be read
    [missing] no ballot of { $who } came
   *[voted] { $who } has voted
}
# $bids: who bids, with how urgent it is and why; or the names of members.
screen-bids = { $how ->
    [nobody] bids: nobody asks for the floor
    [asking] bids: { LIST($bids, by: ", ") }
    [passing] passing: { LIST($bids, by: ", ") }
   *[lost] no bid in the answer: { LIST($bids, by: ", ") }
}
screen-to = to { LIST($who, by: ", ") }
# $at: the message that is answered.
screen-on = on { $at }
screen-no-words = (no words)
# Of a phase that comes again.
screen-again = { $of ->
    [round] round
   *[lap] lap
} { $number }
screen-became = { $id } is { $status ->
    [not-chosen] not chosen
    [not-adopted] not adopted
   *[other] { $status }
}
# $on: the text that it amends; may be empty.
screen-puts = { GIVEN($on) ->
    [yes] amends { $on }
   *[no] proposes
}
screen-setting = { $kind }: { $was }, now { $now }
# $whether: of a setting that is on or off.
screen-value = { $whether ->
    [yes] { $set ->
        [yes] yes
       *[no] no
    }
   *[no] { GIVEN($value) ->
        [yes] { $value }
       *[no] none
    }
}
screen-aside = aside: { $who } to { $to }
screen-after = { $phrase }, after { $at }
# $by: the model; without one its words are taken from the messages.
screen-summed-up = { $first } to { $last } summed up, { $model ->
    [yes] { $by }
   *[no] extractive
}
# $status: of a claim that something was decided. $on: the text that it is about; may be empty.
screen-claim = { $at }{ GIVEN($on) ->
    [yes] {" "}on { $on }
   *[no] {""}
} { $status ->
    [taken-back] taken back
   *[other] { $status }
}{ GIVEN($by) ->
    [yes] , denied by { LIST($by, by: ", ") }
   *[no] { "" }
}: { $text }

screen-resumed = resumed: after { $at }
# Of a member in a format with sides.
screen-argues = argues { $side }
