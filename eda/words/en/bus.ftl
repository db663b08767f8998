# What the bus says of subscribers that fail: notes on errors, and facts that a session keeps.

# $event: the type of the fact; $seq: its number in the log.
bus-fold-raised = raised by the fold on { $event }, seq { $seq }; the fact is stored
# $name: the subscriber's, quoted. $event: what it handled; empty while it read the log.
bus-subscriber-raised = raised by the subscriber { $name } { GIVEN($event) ->
    [yes] on { $event }, seq { $seq }
   *[no] while it read the log
}
bus-busy = still busy after { $seconds } s and not waited for
# $number: the events that wait; $seq: of the last one that it was given.
bus-behind = fell behind: { $number ->
    [one] { $number } event waits
   *[other] { $number } events wait
}; after seq { $seq } it reads on from the log
# $method: what was called.
bus-deadlock = { $method }() was called from inside the subscriber { $name } and would wait for it
