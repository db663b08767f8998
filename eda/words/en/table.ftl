# Lines of the table block, which prompts, `eda show` and the report have.

# $message: the last one before it. $begun: whether there is one.
table-title = { $begun ->
    [yes] The table after m{ $message }
   *[no] The table before m1
}
# $items: ids, and what else has no line.
table-left-out = Left out for want of room: { LIST($items, by: ", ") }
table-asked = m{ $message } { $who }, in the words of the minutes: { $text }
# Items that are left out.
table-question = the question in m{ $message }
table-unclear = what is unclear in m{ $message }
table-claim = the claim of { $message }
# Of a support. $id: the text that the member now holds.
table-before = before: { $who }, who now holds { $id }
# $stance: what was last said of an older text; $who: the members of whom it is so.
table-not-counted = { $stance }, not counted for this one: { LIST($who, by: ", ") }
table-accepted = accepted in { $number } of { $votes } votes
