# What `eda show` says around a transcript.

show-since = Transcript from m{ $since } (`--from m1`: all)
show-agreed = since m{ $since } all who took a stance agree on: { $on }
show-more = { $number } more, which a pipe has
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
