# What was left of a recorded talk when it was read. $name: its file; $kind: the kind of file.

# $parts: what was left out, with the number of each.
transcripts-left-out = left out of { $name } (read as { $kind }): { LIST($parts, by: ", ") }
transcripts-skipped = skipped { $rows } of { $name } (read as { $kind }) that could not be read:
transcripts-no-speaker = { $name } names no speaker of { $number ->
    [one] { $number } message
   *[other] { $number } messages
}: by `unknown`
transcripts-cut = cut { $number ->
    [one] { $number } message
   *[other] { $number } messages
} of { $name } at { $most } characters
