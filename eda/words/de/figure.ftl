# Zahlen einer Debatte: der Aufwand und die Grenzen.

figure-tokens = { GIVEN($most) ->
    [yes] { $figure } von { $most } Tokens
   *[no] { $figure } Tokens
}
figure-point = ,
figure-dollars = { $figure } $
figure-of = { $part } von { $whole }
figure-free = { $priced ->
    [yes] abgespielt
   *[no] ohne Preis
}
figure-unpriced = { $known } + { $number ->
    [one] { $number } Aufruf
   *[other] { $number } Aufrufe
} ohne bekannten Preis
figure-messages = { $number ->
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten
}
figure-calls = { $number ->
    [one] { $number } Aufruf
   *[other] { $number } Aufrufe
}
figure-left = noch { $left } von { $number ->
    [one] { $number } Nachricht
   *[other] { $number } Nachrichten
}
figure-runners = { LIST($runners, by: " dann ") }
figure-seed = { $runner }, Startwert { $seed }
