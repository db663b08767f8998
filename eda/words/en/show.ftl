# What `eda show` says around a transcript.

show-since = Transcript from m{ $since } (`--from m1`: all)
# $basis: of the agreement, `ballot` where it was voted on; $since: the message since which it holds.
show-agreed = { $basis ->
    [ballot] in the last vote all were for: { $on }
   *[other] since m{ $since } all who took a stance on it are for: { $on }
}
# $tokens and $cost: what the side messages took; `none` where no call was made.
show-side = { $number ->
    [one] { $number } side message
   *[other] { $number } side messages
}{ $tokens ->
    [none] {""}
   *[other] , { $tokens }, { $cost }
}; --side prints them
show-messages = { $last ->
    [0] It has no message yet.
   *[other] Its messages are m1 to m{ $last }.
}
# Of a debate that is watched: $message is the last one before the panel went on, 0 where it begins.
show-title = { $message ->
    [0] a panel debates
   *[other] the panel goes on after m{ $message }
}

# Labels of at most seven letters, in front of facts on a session.
show-fact =
    .asks = asks
    .beside = beside
    .from = from
    .option = option
    .panel = panel
    .read = read
    .sat = sat
show-head =
    .notes = Notes
    .positions = Positions
show-transcript = Transcript { $session }
show-not-begun = not begun
show-seed = seed { $seed }
show-argued = argued { $side }
# Of members who were anonymous.
show-who-was = who was { $name }, { $role }
# After a vote that decided nothing.
show-open = The question itself is open.
show-nothing = Nothing is on the table.
# A text that a member supports. $terms: whether on a condition, or whether that is in doubt.
show-support = { $text }{ $terms ->
    [yes] {" "}on a condition
    [doubt] {" "}perhaps on a condition
   *[no] {""}
}
# $gone: whether its text was withdrawn. $back: where it was taken back. $left: where its member opposed it later; $put: texts that it has put since; $backs: those that it supported.
show-position = { $text }{ $gone ->
    [yes] {" "}(withdrawn)
   *[no] {""}
} ({ $declared ->
    [yes] declared
   *[no] read
} in { $at }{ GIVEN($back) ->
    [yes] , taken back in { $back }
   *[no] { "" }
}{ GIVEN($left) ->
    [yes] , opposed in { $left }
   *[no] { "" }
}{ GIVEN($put) ->
    [yes] ; put since: { $put }
   *[no] { "" }
}{ GIVEN($backs) ->
    [yes] ; supports since: { $backs }
   *[no] { "" }
})
# $vote: what it puts first, $count texts.
show-last-ballot = last ballot: { $vote }{ $count ->
    [one] { "" }
   *[other] , as equal
}
