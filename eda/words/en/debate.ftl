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
# How a session stands. $by: who paused it; $why: why it ended or waits; both may be empty.
debate-state = { $state ->
    [ended] ended
    [paused] paused
    [unfinished] unfinished
   *[other] { $state }
}{ GIVEN($by) ->
    [yes] {" "}by { $by }
   *[no] { GIVEN($why) ->
        [yes] {" "}({ $why })
       *[no] {""}
    }
}
# $by: who paused it; $error: what no call will succeed for; both may be empty.
debate-paused = { GIVEN($by) ->
    [yes] Paused by { $by }
   *[no] paused: { GIVEN($error) ->
        [yes] { $error }
       *[no] { $reason ->
            [unavailable] the model cannot be reached
           *[stopped] stopped
        }
    }
}
# What a member does whose turn is passed. $at: the message that it repeats; $fault: what was wrong; may be empty.
debate-passed = { $why ->
    [repeated] said again what { $at } says; the turn is passed
    [silent] passes: no word within { $seconds } s
    [no-speech] passes: { GIVEN($fault) ->
        [yes] { $fault }
       *[no] no speech
    }
    [nothing-new] passes: nothing new
    [words] passes: { $fault }
   *[passed] passes
}
# Why a member has the floor. $by: who asked or addressed it; $reason: of the bid, the moderator or a policy, in their
# words; may be empty.
debate-granted = { $why ->
    [in-turn] next in seat order
    [lot] drawn by lot
    [next] { GIVEN($by) ->
        [yes] named by { $by }
       *[no] named by most openings
    }
    [asked] asked by { $by }
    [addressed] addressed by { $by }
    [bid] urgency { $urgency }{ GIVEN($reason) ->
        [yes] : { $reason }
       *[no] {""}
    }
    [stood] its bid has stood for { $turns ->
        [one] { $turns } round
       *[other] { $turns } rounds
    }
    [waited] has waited for { $turns ->
        [one] { $turns } turn
       *[other] { $turns } turns
    }
    [alone] nobody else may speak now
    [named] the moderator: { GIVEN($reason) ->
        [yes] { $reason }
       *[no] named
    }
    [longest] spoke longest ago
    [closing] closing word
    [no-bid-heard] no bid could be heard: next in seat order
    [as-before] as in the debate with talk
   *[words] { $reason }
}
# What a person made of an item. $text: its words now, of a struck one those it had; $version: the id of the text that
# stands beside words that a ballot adopted.
debate-corrected = { $how ->
    [struck] { $item } struck by { $by }: { $text }
    [beside] { $item } stays as adopted; { $version } by { $by } stands beside it: { $text }
   *[corrected] { $item } corrected by { $by }: { $text }
}

# Whether a member that is not for the leading text would take it. $on: its id. $change and $unread: in the member's words.
debate-terms = { $takes ->
    [as-it-is] { $who } would take { $on } as it is
    [with-a-change] { $who } would take { $on } with a change: { $change }
    [not-at-all] { $who } would not take { $on }
    [silent] { $who } says nothing of what would bring it in for { $on }
   *[unread] what would bring { $who } in for { $on } was not understood{ GIVEN($unread) ->
        [yes] : { QUOTED($unread) }
       *[no] {""}
    }
}

# The phases of shipped formats; another goes by its own name.
debate-phase = { $phase ->
    [first-ballot] first ballot
   *[other] { $phase }
}

# What a model is asked for.
debate-purpose = { $purpose }
# Who makes the calls that no member makes.
debate-engine = the engine

# A floor policy.
debate-floor = { $floor }
# Why it ended, in brief. $why: as a session has it.
debate-why = { $why }
