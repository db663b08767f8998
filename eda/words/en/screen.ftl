# What happens in a debate, on a terminal's screen. $who: a member.

screen-floor = { $who } has the floor · { $reason }
# $change: what became of a seat; $persona: who takes it.
screen-seat = { $change ->
    [left] { $who } has left the table
    [muted] { $who } is muted
    [back] { $who } is back at the table
    [unmuted] { $who } may speak again
    [added] { $who } joins the panel
    [sat] { $who } takes a seat
    [replaced] { $persona } takes the seat of { $who }
   *[removed] { $who } leaves the panel
}{ $by ->
    [none] {""}
   *[other] {" "}(by { $by })
}
# A comment beside the panel. $on: an id, or `verdict`.
screen-comment = comment, unasked: { $who } on { $on ->
    [verdict] the verdict
   *[other] { $on }
}
# $runner: who answers now; `same` where that did not change.
screen-goes-on = the debate goes on{ $runner ->
    [same] {""}
   *[other] {" "}with { $runner }
}
