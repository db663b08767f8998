# How a decision came about. Texts are named by their titles, with ids behind them.

# $won: what led; empty where nothing did.
story-first = { GIVEN($won) ->
    [yes] { $won } led the first votes.
   *[no] The first votes decided nothing.
}

# $of: the texts that it changes or joins, $joins of them; none of a new one. $at: the message, m12.
story-text = { $joins ->
    [0] { $by } put { $text } ({ $at }).
    [one] { $by } changed { $of } to { $text } ({ $at }).
   *[other] { $by } joined { $of } to { $text } ({ $at }).
}

# $why: in the author's words; may be empty.
story-withdrawn = { $by } withdrew { $text }{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
} ({ $at }).

# $last: yes of the vote that stands. $earlier: a decision that this vote replaced; mostly empty.
story-vote = { $last ->
    [yes] The last ballot
   *[no] A ballot
} { GIVEN($won) ->
    [yes] decided: { $won }
   *[no] decided nothing
}{ GIVEN($earlier) ->
    [yes] , in place of { $earlier }
   *[no] { "" }
}.

# A text and who voted for it.
story-side = { $text }: { LIST($who, by: ", ") }

# Who was against a text that was changed then, or set a condition.
story-against = { $who } was { $conditional ->
    [yes] for { $text } on a condition
   *[no] against { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
} ({ $at }).

# What a member named, when it was asked, as the least change that would bring it in. $at: the message after which.
# $ballot: whether its ballot accepts what was decided.
story-terms = Asked after { $at }, { $who } would take { $text } with a change: { QUOTED($change) }.{ $ballot ->
    [accepts] {" "}{ $who }'s ballot accepts what was decided.
    [refuses] {" "}{ $who }'s ballot does not accept what was decided.
   *[none] { "" }
}

# $before: what it had put first; may be empty. $own: yes of its own message. $against: yes where $by is against the outcome.
story-names = { $who }{ GIVEN($before) ->
    [yes] , first for { $before },
   *[no] { "" }
} names { $own ->
    [yes] its own { $at }
   *[no] { $by }'s { $at }
}{ $against ->
    [yes] ; { $by } is against it
   *[no] { "" }
}.

# Of a member that names no message: the first support that it declared on the way. $why: its reason, in its words.
story-supports = { $who }{ GIVEN($before) ->
    [yes] , first for { $before },
   *[no] { "" }
} supported { $text }{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
} ({ $at }).
