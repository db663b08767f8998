# Labels of the report's page.
page-label =
    .decided = Decided
    .undecided = No verdict
    .to-the-verdict = To the verdict
    .dark = Dark
    .light = Light
    .print = Print
    .contents = Contents
    .wanted-by = Wanted by
    .accepted-by = Accepted by
    .first-by = Put first by
    .against = Against
    .beside-another = For it beside another answer
    .elsewhere = For another text
    .minds = Would persuade
    .also-adopted = Also adopted
    .part = It is also a part of what was decided.
    .unworded = No single wording of it was accepted.
    .from-ballot = from the ballot
    .choice = Choice
    .votes = Votes
    .with-reasons = with their reasons
    .marks = An outlined square is a private answer, a round mark a position or a support declared in the talk, a filled square a vote.
    .perhaps = perhaps
    .own-words = a position in words of its own
    .no-vote = voted for no text
    .member = Member
    .changes = Struck: taken out. Underlined: put in.
    .given = given with the question
    .undecided-texts = put and not decided
    .details = Details
    .footer = Every quote is from the log of the session: from a message, to which it links, or from a ballot.

page-votes = { $count ->
    [one] vote
   *[other] votes
}

page-accepted = accepted by { $count }

page-wanted = wanted too by { $count }

page-sure = { $sure } sure

page-of = { $count } of { $of }

page-ballots = { $count ->
    [one] 1 ballot
   *[other] { $count } ballots
}

# $line: what the rule does.
page-rule = Rule: { votes-rule }. { $line } { $count } of { $of } voted.

# What a wording is made of. $how: joins, rewords, anew.
page-made = { $how ->
    [joins] joins { LIST($of, by: ", ") }
    [rewords] rewords { LIST($of, by: ", ") }
   *[anew] puts { LIST($of, by: ", ") } in new words
}

# What stands below a text. $by: empty for what was given with the question.
page-text = Text { $id }, { GIVEN($by) ->
    [yes] put by { $by }
   *[no] given with the question
}.

page-made-of = It { $made }.

# The label of a fold. $quotes: yes where it has the quotes of what stands above. $kind: reason, argument, question, risk.
# $count: how many it has that do not stand above. $more: yes where some do.
page-fold = { $quotes ->
    [yes] { $count ->
        [0] The quotes
       *[other] The quotes and{ " " }
    }
   *[no] { "" }
}{ $count ->
    [0] { "" }
   *[other] { $count } { $more ->
        [yes] more{ " " }
       *[no] { "" }
    }{ $kind ->
        [reason] { $count ->
            [one] reason
           *[other] reasons
        }
        [argument] { $count ->
            [one] argument
           *[other] arguments
        }
        [question] { $count ->
            [one] point
           *[other] points
        }
       *[risk] { $count ->
            [one] risk
           *[other] risks
        }
    }
}

page-others = { $count ->
    [one] 1 other text
   *[other] { $count } other texts
}

# $left: how many acts count for nothing. $both: yes where there are some of both kinds.
page-acts = { $count ->
    [0] { $left } not counted
    [one] 1 act recorded
   *[other] { $count } acts recorded
}{ $both ->
    [yes] , { $left } not counted
   *[no] { "" }
}

# $number: as in `sentence-beyond`.
page-left-out = { $count ->
    [0] { "" }
    [one] 1 quotation that the model chose is left out: it is not in its message, or does not belong where it was put.
   *[other] { $count } quotations that the model chose are left out: they are not in their messages, or do not belong where they were put.
}{ $line ->
    [only] The answer in one line that the model offered is left out: { sentence-beyond }.
    [too] {" "}The answer in one line that the model offered is left out: { sentence-beyond }.
   *[no] { "" }
}

# The day of a debate, behind who took part.
page-day = , { DATETIME($day, dateStyle: "long") }

# What became of a text. $end: how it was closed.
page-became = { $status ->
    [active] left open
    [accepted] decided
   *[closed] { $end }
}
