# How a decision came about. Texts are named by their titles, with ids behind them.

# $won: what led; empty where nothing did.
story-first = { GIVEN($won) ->
    [yes] First votes: { $won } led.
   *[no] First votes: no result.
}

# $of: the texts that it changes or joins, $joins of them; none of a new one. $own: yes where it is its author's own.
# $asked: yes where its author declared it when asked what $at declares.
story-text = { $joins ->
    [0] { $by } put { $text }
    [one] { $own ->
        [yes] { $by } changed { $of } to { $text }
       *[no] { $by } reworded { $of } as { $text }
    }
   *[other] { $by } joined { $of } to { $text }
} ({ act-told }).

# $why: in the author's words; may be empty.
story-withdrawn = { $by } withdrew { $text }{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
} ({ act-told }).

# $last: yes of the vote that stands. $earlier: a decision that this vote replaced; mostly empty.
story-vote = { $last ->
    [yes] Last ballot
   *[no] Ballot
}: { GIVEN($won) ->
    [yes] { $won }
   *[no] no result
}{ GIVEN($earlier) ->
    [yes] , in place of { $earlier }
   *[no] { "" }
}.

# $of: the texts that have no step of their own.
story-more = Not told here, for want of room: { LIST($of, by: ", ") }.

# A text and who voted for it.
story-side = { $text }: { LIST($who, by: ", ") }

# Who was against a text that was changed then, or set a condition. $ends: story-end of each; may be empty.
story-against = { $who } { $side ->
    [for] supported { $text }
    [yes] set a condition for { $text }
    [doubt] supported { $text }, perhaps on a condition
    [until] opposed { $text } on a condition
   *[no] opposed { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
} ({ act-told }{ GIVEN($ends) ->
    [yes] ; { LIST($ends, by: "; ") }
   *[no] { "" }
}).

# What a member declared after an objection, or its ballot, on $text.
# $conditional: as above. $why: the reason of that very act; may be empty.
story-end = { $kind ->
    [against] against { $text } { act-since }
    [back] taken back in { $at }{ $asked ->
        [yes] , declared when asked
       *[no] { "" }
    }
    [undecided] undecided on { $text } { act-since }
    [ballot] accepts { $text } on the ballot
    [beside] wants { $text } beside the answer on the ballot
    [held] holds { $text } { act-since }
   *[for] for { $text }{ $conditional ->
        [no] { "" }
       *[yes] {" "}without a condition
    }{" "}{ act-since }
}{ GIVEN($why) ->
    [yes] : { QUOTED($why) }
   *[no] { "" }
}

# What a member named, when it was asked, as the least change that would bring it in. $change: empty where none would. $as_it_is: yes where none is needed. $at: the message after which.
story-terms = Asked after { $at }, { $who } would { GIVEN($change) ->
    [yes] take { $text } with a change: { QUOTED($change) }.
   *[no] { $as_it_is ->
        [yes] take { $text } as it is.
       *[no] not take { $text }.
    }
}

# A text when it is first named elsewhere than where it is put. $at: the message that puts it.
story-name = { TEXT($text) } ({ $id }, by { $by } in { $at })

# The text of the step that stands above.
story-it = it

# Who took the same side on $text. $at: their messages; $asked: as in act-told.
story-same = { $who } { $side ->
    [support] supported
   *[oppose] opposed
} { $text } ({ act-told }).

# $at: empty where it names none. $changed: yes where its vote was another at first, new where it had no single first choice. $own: yes of its own message.
# $against: yes where $by is against the outcome.
story-names = { $changed ->
    [yes] { $who } switched, naming
    [new] { $who }, with no single choice at first, names
   *[no] { $who } names
} { GIVEN($by) ->
    [yes] { $by }'s { $own ->
        [yes] own { $at }
       *[no] { $at }
    }
   *[no] no message
}{ $against ->
    [yes] ; { $by } is against
   *[no] { "" }
}.

# How it came to this in one line, below the answer. $parts: story-part of each.
story-brief = { LIST($parts, by: "; ") }.

# $texts: what led the first votes; empty where nothing did. $count: how many put another answer first than at first. $who: who they are, where they are few; else empty. Of new: who had no single first choice.
story-part =
    .first = { GIVEN($texts) ->
        [yes] { $texts } led first
       *[no] no result at first
    }
    .changed = { $count ->
        [0] nobody put another answer first in the end
       *[other] { GIVEN($who) ->
            [yes] { $who }
           *[no] { $count }
        } put another answer first in the end
    }
    .new = no single choice at first: { $who }
