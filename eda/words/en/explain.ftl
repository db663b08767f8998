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
# $done: `confirmed` or `denied`.
explain-minuted = { $done } by the minutes{ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}
