# What differs between the first private vote and the last, and one debate as evidence. $basis: poll, ballot.

effect-one-run = One debate: another run may end elsewhere.

# Why votes cannot be compared: a part of a sentence.
effect-why = { $why ->
    [one-poll] only one poll was taken
    [no-first-ballot] no first ballot was taken
   *[not-offered] what was voted on at the end was not offered before
}

# $shares: effect-share of each member; empty where nobody spoke. $gini: how unequal they are, 0 to 1.
effect-shares = { GIVEN($shares) ->
    [yes] { LIST($shares, by: ", ") } (Gini { NUMBER($gini, minimumFractionDigits: 2, maximumFractionDigits: 2) }; 0 means that all said as much)
   *[no] nobody said anything
}

effect-share = { $who } { NUMBER($share, style: "percent", maximumFractionDigits: 0) }
