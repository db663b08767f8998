# What differs between the first private vote and the last, and one debate as evidence. $basis: poll, ballot.

effect-one-run = One debate: another run may end elsewhere.

# Why votes cannot be compared: a part of a sentence.
effect-why = { $why ->
    [one-poll] only one poll was taken
    [no-first-ballot] no first ballot was taken
   *[not-offered] what was voted on at the end was not offered before
}

effect-due = it was asked for and not taken; resuming the session takes it

# Single answers. $tokens: that they took, `1.2k tokens`. $text: what most take; empty where none has the most.
effect-alone = of { $of ->
    [one] 1 single answer
   *[other] { $of } single answers
} at { $tokens }, { GIVEN($text) ->
    [yes] { $count ->
        [one] { $count } takes
       *[other] { $count } take
    } { $text }, { $same ->
        [yes] the panel's outcome too
       *[no] not the panel's outcome
    }
   *[no] no choice has the most
}

# Members who were asked again, alone. $text: what most take; empty where none has the most.
effect-again = asked twice without talk, { $count } of { $of ->
    [one] 1 member
   *[other] { $of } members
} changed the answer, { GIVEN($text) ->
    [yes] most take { $text }, { $same ->
        [yes] the panel's outcome too
       *[no] not the panel's outcome
    }
   *[no] no choice has the most
}

# $shares: effect-share of each member; empty where nobody spoke. $gini: how unequal they are, 0 to 1.
effect-shares = { GIVEN($shares) ->
    [yes] { LIST($shares, by: ", ") } (Gini { NUMBER($gini, minimumFractionDigits: 2, maximumFractionDigits: 2) }; 0 means that all said as much)
   *[no] nobody said anything
}

effect-share = { $who } { NUMBER($share, style: "percent", maximumFractionDigits: 0) }
