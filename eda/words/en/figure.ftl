# Figures of a debate: what it took, and its limits. $most: the limit; may be empty.

figure-tokens = { GIVEN($most) ->
    [yes] { $figure } of { $most } tokens
   *[no] { $figure } tokens
}
# What stands between a whole number and its decimals.
figure-point = {"."}
figure-dollars = ${ $figure }
figure-of = { $part } of { $whole }
# Instead of $0.00: the price is unknown, or nothing was called.
figure-free = { $priced ->
    [yes] replayed
   *[no] not priced
}
figure-unpriced = { $known } + { $number ->
    [one] { $number } call
   *[other] { $number } calls
} of unknown price
figure-messages = { $number ->
    [one] { $number } message
   *[other] { $number } messages
}
figure-calls = { $number ->
    [one] { $number } call
   *[other] { $number } calls
}
figure-left = { $left } of { $number ->
    [one] { $number } message
   *[other] { $number } messages
} left
figure-runners = { LIST($runners, by: " then ") }
figure-seed = { $runner }, seed { $seed }
