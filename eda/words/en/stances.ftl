# The table of who stood where.

# The heads of its columns. $number: of a poll, or of a vote that is not the last of several.
stances-head = { $part ->
    [first] Before the talk
    [poll] Poll { $number }
    [talk] In the talk
    [vote] The vote
    [last] Last vote
   *[earlier] Vote { $number }
}

# The messages of a part of the talk: the first and the last.
stances-span = { LIST($messages, by: " to ") }

# Beside a condition. $message: in which it was taken back.
stances-lifted = taken back in { $message }

# What a mark stands for. $vote: text, equal (to those of the other marks), none, nothing. $reason: the voter's words; may
# be empty.
stances-vote = { $vote ->
    [nothing] voted for no text
    [none] { dissent-deed.none }
    [equal] { $text } (as equal)
   *[text] { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
}
