# How memory came to an item: `ConversationMemory.explain`. Each is a line. $id: of the item; $reader: explain-reader;
# $score: 0 to 1.

explain-found = { $id }: found by { $reader }, confidence { $score }
# $source: who read it; $pattern: the name of the pattern that did; empty where none.
explain-reader = { GIVEN($pattern) ->
    [yes] pattern { $pattern }
   *[no] { $source ->
        [declared] a declared move
        [minutes] minutes
        [procedure] the procedure
       *[other] { $source }
    }
}
# $link: how it was found out which text it amends.
explain-amends = amends { $id }, resolved by { GIVEN($link) ->
    [yes] { $link }
   *[no] nothing
}
# $stance: as it was read; $why: the reason; may be empty.
explain-reaction = m{ $message } { $who }: { $stance }, read from { $reader }, linked by { GIVEN($link) ->
    [yes] { $link }
   *[no] nothing
} ({ $score }){ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}
# $done: `confirmed` or `denied`; $by: the author who says that it was misread; may be empty.
explain-minuted = { $done } by { GIVEN($by) ->
    [yes] { $by }
   *[no] the minutes
}{ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}
explain-exception = exception { $holds ->
    [yes] holds
   *[no] does not hold
}: { $text }
explain-joins = joins { $id }
# A change of a proposal. $of: the text or decision that it comes from, or who supports it again; may be empty.
explain-changed = { $status ->
    [active] open again
    [modified] replaced
    [rejected] rejected
    [accepted] accepted
    [withdrawn] withdrawn by its author
    [superseded] superseded
    [merged] merged
    [struck] struck
    [not-adopted] not adopted
   *[not-chosen] not chosen
}{ $why ->
    [again] , since its author said it again
    [supported-again] , supported again by { $of }
    [undone] , since { $of } is none
    [disputed] , since { $of } was denied
    [taken-into] , taken into { $of }
    [replaced] {" "}by { $of }
    [another-wording] {" "}by { $of }, another wording of it
    [amended] , since its amendment { $of } was accepted
    [put-again] , put again as { $of }
    [reworded] , reworded as { $of }
    [not-beside] {" "}beside the answer
    [stated] , stated as decided
    [turned-down] , turned down by { $of }
    [opposed] , opposed, and another was put instead
   *[other] {""}
} ({ LIST($at, by: ", ") })
# Who takes which side on a decision or claim; `back`: who takes its own claim back.
explain-side = m{ $message } { $who }: { $side ->
    [for] for
    [back] takes it back
   *[against] against
}
# $by: the decision of a ballot that adopts or contradicts a claim; $of: the text that it accepts, or is only about;
# $link: how that was resolved. Each may be empty.
explain-decision = { $status }{ GIVEN($by) ->
    [yes] {" "}by { $by }
   *[no] {""}
}{ GIVEN($of) ->
    [yes] , { $about ->
        [yes] about
       *[no] accepts
    } { $of }{ GIVEN($link) ->
        [yes] , resolved by { $link }
       *[no] {""}
    }
   *[no] {""}
}
