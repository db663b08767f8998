# The status area of a terminal.

live-now =
    .paused = paused; /resume goes on
    .stopping = stopping
    .writing = is writing
    .floor = has the floor
    .report = the report is written
    .nobody = nobody has said yet
    .start = start
# $who: members who write side by side and are not done.
live-still = still writing: { LIST($who, by: ", ") }
live-side = { $side ->
    [support] for
    [conditional] for, if ...:
   *[oppose] against
}
live-asks = asks for { $asks }
live-from = from { $parent }
live-read = has read { LIST($documents, by: ", ") }
live-thinking = { $who } is thinking

# $kind: of a phase; none before the first. $waiting: what happens in it.
live-phase = { $kind ->
    [none] the panel takes its seats
   *[other] { $waiting }
}
