# What a session says of its place and its files: hints of errors, and notes.

# $name: one that is free.
session-name-free = Choose another name, such as { $name }.
# The disk is full. $begun: whether a fact is stored; $typed: the session as one types it.
session-full-disk = Free some space or check the disk, then { $begun ->
    [yes] go on with `eda resume { $typed }`
   *[no] begin again: nothing was stored
}.
session-repaired = { $path }: dropped { $bytes ->
    [one] { $bytes } byte
   *[other] { $bytes } bytes
} of an unfinished write at the end; the log continues after its { $facts ->
    [one] { $facts } complete fact
   *[other] { $facts } complete facts
}
# $why: the system's words.
session-unsaved = { $path }: cannot be written ({ $why }); it can be made again from the log
# $newer: whether a line holds a fact of a kind that is unknown here. $typed: the session as one types it, empty where
# nothing before the line can be kept; $at: the last message before it.
session-damaged = { $newer ->
    [yes] If a newer program wrote it, open it with that program. If not: restore
   *[no] Restore
} the file from a copy{ GIVEN($typed) ->
    [yes] , or keep what was said before the damage, as another session: eda fork { $typed } --at m{ $at }
   *[no] .
}
# Of a damaged file: $number: of the line. $why: what is wrong with it.
session-line = { $path }, line { $number }: { $why }; nothing was changed by EDA
# $state: what became of the log. $at: a line of it. $receipt: whether a receipt told.
session-verified = { $name }: { $state ->
    [cut] cut: what followed line { $at } is missing
    [changed] changed: line { $at } is not what was written
    [other] another history: it differs from what was noted from line { $at } on
    [forged] its receipt is not what was signed, or lacks hashes
    [unchained] written before logs were chained; nothing beside it tells whether it was changed
   *[whole] whole
}{ $receipt ->
    [yes] {" "}(by its receipt)
   *[no] { "" }
}
session-signed = { GIVEN($by) ->
    [yes] signed by { $by }: compare it with the key that you were told
   *[no] its signature does not hold, or cannot be read here without the extra `seal`
}
session-older = the first { $lines } lines were written before logs were chained
# $fields: of the verdict.
session-miscounted = line { $at }: the ballots give another verdict: { $fields }
# $parts: of report.json.
session-misreported = report.json says what the log does not give, in { $parts }
session-misquoted = nobody said: { $quote }
# $verdicts: how many there are.
session-agrees = { $verdicts ->
    [0] there is no verdict to count again
   *[other] the ballots give the verdict, and the report and its quotations are those of the log
}
# $by: the key that signed it; may be empty.
session-sealed = { $name }: sealed in { $file }{ GIVEN($by) ->
    [yes] , signed by { $by }
   *[no] , not signed
}; to check it without EDA: python { $checker } receipt.json events.jsonl
