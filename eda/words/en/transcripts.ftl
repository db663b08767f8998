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
transcripts-no-json = is no valid JSON: { $why }
# $id and $talk: as the file has them, quoted.
transcripts-id-twice = the id { $id } occurs twice in { $talk }
transcripts-no-field = lacks the field { $field }
transcripts-few-columns = has { $there } of { $of } columns
transcripts-no-row = is no row of a table: { $why }
# What is left out, and counted. $kind: the kind of part; `object` where it names none. $role: who writes it.
transcripts-part-without-text = part without text ({ $kind })
transcripts-message-without-text = { $role } message without text
transcripts-ids-twice = set of ids that occur twice ({ $talk })
