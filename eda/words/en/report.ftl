# The titles of the parts, in the order of the report. `each` stands over reasons without a verdict or with sides.
report-title =
    .verdict = Verdict
    .followed = Since the decision
    .reasons = Reasons
    .dissent = Dissent
    .sure = How sure to be
    .story = How it came to this
    .texts = The other texts
    .open = Open questions
    .risks = Risks that members named
    .vote = The vote
    .ballots = The ballots
    .stances = Who stands where
    .descent = How the text came about
    .put = What was put
    .promised = Promised
    .minds = What would change minds
    .hinges = What it hinges on
    .decisions = Decisions on the way
    .evidence = Evidence that members looked up
    .looked = What else was looked at
    .run = How it was run
    .transcript = Transcript
    .each = What spoke for each

# What people wrote down after the decision; $told: that.
report-followed =
    .owner = Owner: { $told }
    .revisit = Look again on { DATETIME($told, dateStyle: "long") }
    .outcome = What came of it: { $told } (noted by { $by })

# Whose words the report has. $by: the model that chose what it quotes; may be empty.
# $line: yes where it offered the answer in a line, too.
report-source = { GIVEN($by) ->
    [yes] Every line is from the log{ $line ->
        [yes] {" "}but the answer in a line
       *[no] { "" }
    }; { $by } chose what is quoted.
   *[no] No model wrote any of it: every line is from the log.
}

# The answer in a line that a model offered.
report-line = { QUOTED($line) } (words of { $by }).

report-simulated = The panel was simulated: no language model took part.

# $sides: report-side of each.
report-sides = Sides were assigned ({ LIST($sides, by: "; ") }): what is quoted argues a side, and votes are one's own.

report-side = { $side }: { LIST($who, by: ", ") }

# $personas: no where people alone said so.
report-promised = { $personas ->
    [yes] A persona cannot act.
   *[no] Nobody is assigned.
}

# Who sat on the panel. $models: how many played; 0 where the panel was simulated.
report-personas = { $models ->
    [0] { $count ->
        [one] 1 member
       *[other] { $count } members
    }
   *[other] { $count ->
        [one] 1 persona
       *[other] { $count } personas
    }, { $models ->
        [one] one model
       *[other] { $models } models
    }
}

report-people = { $count ->
    [one] 1 person
   *[other] { $count } people
}: { LIST($who, by: ", ") }

# What a reader has to know first of who played the panel; of a model and of people nothing.
report-mark = { $how ->
    [recorded] replayed
    [simulated] simulated
    [scripted] scripted
   *[program] played by a program
}

# $others: yes where people sit at the table, too.
report-one-model = One model plays { $others ->
    [yes] the other
   *[no] all
} members: their votes are not independent.

# $doubt: what of a ballot is in doubt, and how it was counted.
report-doubted = { $who }'s ballot is in doubt: { $doubt }.

# How sure they are who put it first. $count: how many of $of stated it; $all: yes where all did; $wordings: yes where
# votes for other wordings count for it.
report-sure = { NUMBER($sure, style: "percent", maximumFractionDigits: 0) }{ $all ->
    [yes] { "" }
   *[no] { " " }(stated by { $count } of { $of })
}

report-stated = { $all ->
    [yes] Who put it{ $wordings ->
        [yes] { " " }or another wording
       *[no] { "" }
    } first: { NUMBER($sure, style: "percent", maximumFractionDigits: 0) } sure
   *[no] { $count } of { $of } who put it{ $wordings ->
        [yes] { " " }or another wording
       *[no] { "" }
    } first { $count ->
        [one] says
       *[other] say
    } how sure: { NUMBER($sure, style: "percent", maximumFractionDigits: 0) }
}{ $count ->
    [one] { "" }
   *[other] { " " }(median)
}.

report-not-compared = What the talk changed is not known: { $why }.

# How often the panel voted again, since somebody spoke during the vote.
report-again = { $count ->
    [one] Somebody spoke during the vote, so the panel voted again; only the last vote counts.
   *[other] Somebody spoke during { $count } votes, so the panel voted { $times } times; only the last vote counts.
}

report-free = replayed from a recording: no time or cost of its own

report-talk = { $messages ->
    [one] 1 message
   *[other] { $messages } messages
}{ $rounds ->
    [0] { "" }
    [one] { "" }
   *[other] { " " }in { $rounds } rounds
}

# $text: the item's words after the correction; empty where it was struck. $version: the id of the text
# that stands beside words that a ballot adopted; empty otherwise.
report-corrected = { $item } ({ $was }) { GIVEN($version) ->
    [yes] has another version beside it, { $version }: { $text }
   *[no] { GIVEN($text) ->
        [yes] now reads: { $text }
       *[no] was struck
    }
} ({ $by })

# The columns of the table of votes.
report-column =
    .polled = First poll
    .first = First choices
    .accept = Accept it
    .also = Want it too
    .who = By whom
    .sure = Sure (median)
    .rests = Rests on

# $own: how many of $count put the very text first.
report-own = { $own ->
    [same] { $count }
   *[other] { $count }, { $exact } for this text
}

# $messages: those that a choice rests on; $more: how many others.
report-rests = { $messages }{ $more ->
    [0] { "" }
   *[other] {" "}and { $more } more
}

# $line: what the rule does. $quorum: a share, 0 to 1.
report-rule = Rule: { votes-rule }. { $line } Quorum: more than { $half ->
    [yes] half
   *[no] { NUMBER($quorum, style: "percent", maximumFractionDigits: 0) }
} of the members.

# $tie: count-tie.
report-tie = Tie: { $tie }.

report-blocked = { LIST($who, by: ", ") } cannot live with { $text }.

# $day: empty where the debate has no date. $who: report-personas and the like.
report-about = A panel's debate{ GIVEN($day) ->
    [yes] { " " }of { DATETIME($day, dateStyle: "long") }
   *[no] { "" }
}: { LIST($who, by: ", ") }.

# Where a quote stands that no message has.
report-where = { $where ->
    [private] asked in private
   *[ballot] ballot
}

# Below the whole text of what was decided. $id, $by: may be empty.
report-by = { GIVEN($id) ->
    [yes] { $id }, { "" }
   *[no] { "" }
}{ GIVEN($by) ->
    [yes] by { $by }
   *[no] given with the question
}

# Before a text that was not decided. $became: what became of it. $than: the id of its next wording, where what differs
# from that follows; may be empty.
report-wording = { $id }{ GIVEN($by) ->
    [yes] , by { $by }
   *[no] , given
}, { $became }{ GIVEN($than) ->
    [yes] ; as { $than }, but
   *[no] { "" }
}

# The lines on how the debate was run.
report-run =
    .session = Session
    .asked = Asked for
    .format = Format
    .runner = Runner
    .parent = Forked from
    .talk = Talk
    .cost = Cost
    .seats = Seats
    .documents = All had read
    .prompts = With prompts of its own
    .corrected = Corrected by hand
    .log = Log

# $head: the hash of the last fact, which covers all.
report-head = { $facts } facts, SHA-256 { $head }
# $panel, $floor: may be empty.
report-format = { $format }{ GIVEN($panel) ->
    [yes] , panel: { $panel }
   *[no] { "" }
}, rule: { $rule }{ GIVEN($floor) ->
    [yes] , floor: { $floor }
   *[no] { "" }
}

# $cited: the messages that cite it, m3, m8.
report-evidence = Looked up by { $who }; cited in { $cited }.

report-looked =
    .unused = { $who } also looked at { LIST($what, by: ", ") }, and nobody cites it.
    .refused = { $who }'s program asked for leave to use { LIST($what, by: "; ") }, and was refused.

# What a side argued. $text: its choice.
# Who supports a decision.
report-supported = supported by { LIST($who, by: ", ") }

# The choice of a member who says what would change its mind.
report-holds = for { $text }
# The text that was said of, by a member who says what would change its mind.
report-said-of = of { $text }

# Before quotations that a model chose, with why each was left out.
report-left-out = Chosen by the model, and left out:

# Citations of a model. $cited: how each begins.
report-dropped = { $count ->
    [one] 1 citation was left out: it is not in the message it names, or is part of a sentence and has under three words
   *[other] { $count } citations were left out: they are not in the messages they name, or are part of a sentence and have under three words
}: { LIST($cited, by: "; ") }

# Before an open question: the messages of others that name its message, and may answer it, or say something else of it.
report-named = Its message is named in { LIST($at, by: ", ") }; whether that answers it is not known
# Behind a question: the message that answers it. $sourced: yes behind a figure, for which that message has a source.
report-answered = { $sourced ->
    [yes] Unless { $at } is a source for it
   *[no] Open unless { $at } answers it
}, as the minutes say

# Before a condition that a member set for what was decided, and has not taken back. $doubt: yes where its words may state one. $asked: as in act-told. $text: empty where nothing else was decided.
report-on-terms = { $doubt ->
    [yes] Perhaps a condition
   *[no] A condition
} for { GIVEN($text) ->
    [yes] { $text }
   *[no] what was decided
}{ $asked ->
    [about] , declared when asked
    [after] , declared when asked
   *[no] { "" }
}, not taken back

# Before a figure that a model's minutes list.
report-unsourced = A figure that rests on its author's word alone, say the minutes, and on no document given to the panel

# A claim that something was decided. $back: yes where its author took it back. $by: report-denied of each; may be empty.
report-claimed = Claimed to be decided{ $back ->
    [yes] , taken back
   *[no] { "" }
}{ GIVEN($by) ->
    [yes] , denied by { LIST($by, by: ", ") }
   *[no] { "" }
}, and not voted on in these words

report-denied = { $who } in { $at }
# Beside a quotation that names a message and somebody who did not write it.
report-author = { $at } is by { $who }
# Beside a quotation that quotes words of a message which that does not have.
report-lacks = { $at } does not have the words quoted of it
# Beside a quotation that names a message as its source: no word of it is there; or the message asks it.
report-silent = { $at } has no word of this
report-asks = { $at } only asks this
# Beside a quotation that says of one message what is not known to be so: the nearest words of that.
report-says = { $at } says: { QUOTED($text) }
# Beside a quotation that says of another member what it did not do. $fact: what it did.
report-record = By the record { $fact }
# Beside a quotation: the later messages in which its author names its message, $on, again.
report-back = { $who } comes back to m{ $on } in { LIST($at, by: ", ") }

# Before a quotation of a message that acts on several texts: what the act does whose words it has, on $text.
report-act = { $kind ->
    [support] For
    [oppose] Against
   *[other] On
} { $text }:

# Before words of a message that declares something on $texts alone.
report-on = In a message on { LIST($texts, by: ", ") }:

# Of members who were anonymous.
report-was = { $title } was { $name }
# $floors: what the policies are called.
report-floor = { LIST($floors, by: ", ") }

# Open questions, figures without a source and claims that are not shown.
report-more-open = { $count ->
    [one] 1 more point
   *[other] { $count } more points
}
