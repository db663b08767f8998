# What differs between the first private vote and the last, and one debate as evidence. $basis: poll, ballot.

effect-one-run = One debate: another run may end elsewhere.

# Why votes cannot be compared: a part of a sentence.
effect-why = { $why ->
    [one-poll] only one poll was taken
    [no-first-ballot] no first ballot was taken
   *[not-offered] what was voted on at the end was not offered before
}
