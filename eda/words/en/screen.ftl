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
# A comment beside the panel. $on: an id, or `verdict`.
screen-comment = comment, unasked: { $who } on { $on ->
    [verdict] the verdict
   *[other] { $on }
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
