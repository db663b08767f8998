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
# $newer: whether a line holds a fact of a kind that is unknown here.
session-damaged = { $newer ->
    [yes] If a newer program wrote it, open it with that program. If not: restore
   *[no] Restore
} the file from a copy, or keep the lines before this one as a separate session.
# Of a damaged file: $number: of the line. $why: what is wrong with it.
session-line = { $path }, line { $number }: { $why }; nothing was changed
