# The ballot at a page.

# What stands on it. The page fills in what is in braces: {"{n}"} numbers, {"{title}"} and {"{other}"} titles.
ballot-page =
    .step-accept = Accept
    .step-hold = Choose
    .step-order = Order
    .step-score = Rate
    .step-beside = Beside
    .step-send = Send
    .accept = Which could you accept?
    .accept-how = Tap each text that you could accept. What you do not tap, you refuse.
    .hold = Which do you hold now?
    .hold-how = Choose one, or none. It is private.
    .order = Which first?
    .order-how = Best first: drag, or use the arrows. What you leave equal counts as equal.
    .score = How good is each?
    .score-how = From 0 to 10.
    .beside = Adopt something beside it?
    .beside-how = Tap what should be adopted too, whichever text wins.
    .send = This is your vote
    .not-read = This is not read as a vote
    .stands = Your vote stands until you send another one.
    .before-talk = Before the talk: what would you choose now? You vote again at the end.
    .again = Somebody spoke during the vote. So all vote again, on what is on the table now; earlier ballots do not count.
    .accepted = Accepted
    .refused = Refused
    .too = Adopted too
    .given = given with the question
    .whole = Whole text, {"{n}"} words
    .wordings = {"{n}"} more
    .wordings-label = Other wordings of {"{title}"}: {"{n}"}
    .drawn = Their order was drawn by lot, for you alone.
    .count = {"{n}"} accepted, {"{other}"} refused
    .empty = Abstain: leave it empty
    .next-order = Next: order
    .next-score = Next: rate
    .next-beside = Next: beside it
    .next-send = Next: read it over
    .back = Back
    .equal = equal
    .up = Move up: {"{title}"}
    .down = Move down: {"{title}"}
    .join = Make equal with the one above
    .split = Not equal: put one first
    .you-refuse = You refuse
    .accept-it = Accept it
    .accept-label = Accept it: {"{title}"}
    .moved = {"{title}"}, now at place {"{n}"}
    .moved-equal = {"{title}"}, now at place {"{n}"}, equal with {"{other}"}
    .private = Nobody sees it before all have voted. You can change it until the last vote is in.
    .private-first = Nobody sees it before the debate ends. You can change it until the last vote is in.
    .change = Change
    .change-vote = Change my vote
    .do-send = Send my vote
    .do-message = No vote: send it as a message
    .do-send-poll = Send my answer
    .is-in = Your vote is in
    .is-counted = Your vote is counted
    .first-counted = Your first vote is counted
    .is-in-poll = Your answer is in
    .until-all = You can change it until all have voted.
    .until-talk = You can change it until all have voted. If somebody speaks before that, all vote again.
    .votes-again = All have voted: this vote, before the talk, is closed, and nobody sees it before the end. After the talk you vote again.
    .write-opening = Now write your opening
    .terms = What would bring you in?
    .terms-how = When this was asked, nothing of yours counted for this text. You are asked alone; then all are told what you answer.
    .terms-yes = I take it as it is
    .terms-change = I would take it with this change:
    .terms-no = No change would bring me in
    .terms-nothing = Say nothing
    .show-table = Show the table
    .left = {"{n}"} left

# $titles: of texts that are equal to the voter; $equal: how many.
ballot-rank = { $equal ->
    [one] { $titles }
   *[other] { $titles }, equal
}

# How a vote will be read. $poll: whether it answers a poll; $ranks: of `ballot-rank`, best first; $refused and $beside:
# titles. Each may be empty.
ballot-read = { GIVEN($ranks) ->
    [yes] { $poll ->
        [yes] You hold: { LIST($ranks, by: "; then ") }.
       *[no] You accept: { LIST($ranks, by: "; then ") }.
    }
   *[no] { $poll ->
        [yes] You hold none of them.
       *[no] You accept none of them.
    }
}{ $poll ->
    [yes] {""}
   *[no] { GIVEN($refused) ->
        [yes] {" "}You refuse: { LIST($refused, by: "; ") }.
       *[no] {""}
    }
}{ GIVEN($beside) ->
    [yes] {" "}Whichever wins, adopt too: { LIST($beside, by: "; ") }.
   *[no] {""}
}

# $poll: as above.
ballot-empty = { $poll ->
    [yes] You hold none of them.
   *[no] You leave your ballot empty: you abstain.
}
