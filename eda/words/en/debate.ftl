# What happens in a debate: parts of lines, without a full stop.

# Why it, or a phase, ended. $phrase: that of a stop condition, or the words of an older session.
# $voted: yes where a stop condition ended the discussion, and a vote followed.
debate-ended = { $why ->
    [person] a person ended the talk
    [verdict] a verdict was reached
    [lap] once more
    [talk] somebody spoke, so all vote again
    [errors] too many turns failed
   *[other] { $phrase }
}{ $voted ->
    [yes] ; then the panel voted
   *[no] { "" }
}

# $phases: the names of closing words that had no room.
debate-skipped = { LIST($phases, by: ", ") } left out, since at least half of the messages are kept for the discussion

# $seconds: until the next try; 0 where another model is asked. $who: empty for the engine. $nth: the attempt.
debate-delayed = { $seconds ->
    [0] { "" }
   *[other] again in { NUMBER($seconds, maximumFractionDigits: 0) } s:{ " " }
}{ $why } ({ GIVEN($who) ->
    [yes] { $who }
   *[no] the engine
}, { $purpose }, attempt { $nth })

# Where a replay goes live. $at: the last message before, m12.
debate-live = from the { $purpose } call of { GIVEN($who) ->
    [yes] { $who }
   *[no] the engine
} after { $at } on, as { $why }

# $passages: each with its id and its source; may be empty.
debate-looked-up = { $who } looks up "{ $words }": { GIVEN($passages) ->
    [yes] { LIST($passages, by: ", ") }
   *[no] nothing found
}

# A call of a tool. $error: empty where it worked.
debate-called = { $who } calls { $tool } { $arguments }: { GIVEN($error) ->
    [yes] { $error }
   *[no] { GIVEN($passages) ->
        [yes] { LIST($passages, by: ", ") }
       *[no] nothing found
    }
} ({ NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s)
# Where a session was forked. $at: `m12`, or empty; $changed: what is otherwise, as typed; may be empty.
debate-parent = { $session }{ GIVEN($at) ->
    [yes] {" "}at { $at }
   *[no] {""}
}{ GIVEN($changed) ->
    [yes] {" "}({ $changed })
   *[no] {""}
}
