# Lines of the table block, which prompts, `eda show` and the report have.

# $message: the last one before it. $begun: whether there is one.
table-title = { $begun ->
    [yes] The table after m{ $message }
   *[no] The table before m1
}
# $items: ids, and what else has no line.
table-left-out = Left out for want of room: { LIST($items, by: ", ") }
table-asked = m{ $message } { $who }: { QUOTED($text) }
# Items that are left out.
table-question = the question in m{ $message }
table-claim = the claim of { $message }
# $stance: what was last said of an older text; $who: the members of whom it is so.
table-not-counted = { $stance }, not counted for this one: { LIST($who, by: ", ") }
# Of a motion that won a ballot.
table-unworded = no wording of it was accepted
table-accepted = adopted with { $number } of { $votes } votes

# The heads of groups of items.
table-group =
    .open = Open; only a ballot decides:
    .proposed = Open:
    .heard = Heard in the talk; not put to the vote before somebody names its id:
    .unvoted = Proposed in the talk; no proposal is voted on:
    .stands-now = Stands now, by vote:
    .decided = Decided:
    .claimed = Claimed, not voted on:
    .asked = Open, say the minutes:
    .unsourced = Figures that rest on their author's word alone, and on no document of the panel, say the minutes:
table-stance = { $stance ->
    [support] for
    [conditional] for, if ...
    [perhaps] for, perhaps on a condition
    [oppose] against
   *[neutral] undecided
}
# Notes on a member or a text: the author, a stance in doubt, a position, the key of the closed texts.
table-note =
    .own = own
    .in-doubt = in doubt
    .on-terms = on a condition
    .nobody = nobody
    .position = position
    .closed = the closed texts
table-now = now holds { $id }
table-has-put = has put { $id } since
# $id: what a member put first in the last ballot, which is later than its position.
table-voted-for = for { $id } in the last ballot
# The members of a panel, of whom some take a side.
table-of = of { $of }
table-position-of = position of { LIST($who, by: ", ") }
# $number: how many accept it. $also: how many want it beside the answer.
table-last-ballot = { $number ->
    [0] { $also ->
        [0] accepted by 0 of { $votes }
       *[other] wanted beside the answer by { $also } of { $votes }
    }
   *[other] accepted by { $number } of { $votes }{ $also ->
        [0] { "" }
       *[other] , and wanted beside the answer by { $also }
    }
} in the last ballot
table-undeclared = nobody stands for or against it now
table-wordings = other wordings: { LIST($ids, by: ", ") }
table-wording = other wording { $text }
# $doubt: yes where the clause may be a condition, or not.
table-if = { $doubt ->
    [yes] perhaps on a condition
   *[no] on a condition
}, { $clause }
table-made-of = { $joins ->
    [yes] joins
   *[no] amends
} { LIST($of, by: " and ") }
table-part-of = part of { $of }
# $claim: of what nobody voted on.
table-by = { $claim ->
    [yes] by
   *[no] for it:
} { LIST($who, by: ", ") }
# A claim that was denied. $back: yes where its author took it back. $by: report-denied of each; may be empty.
table-disputed = { $back ->
    [yes] taken back{ GIVEN($by) ->
        [yes] , denied by { LIST($by, by: ", ") }
       *[no] { "" }
    }
   *[no] denied by { LIST($by, by: ", ") }
}
# Beside a line of a summary. $of: the message of the line. $what: its claims; may be empty. $why: the denial, in quotation marks; may be empty.
table-denies = { $who } in { $at } denies { GIVEN($what) ->
    [yes] { LIST($what, by: ", ") } ({ $of })
   *[no] a statement of { $of }
}{ GIVEN($why) ->
    [yes] : { $why }
   *[no] { "" }
}
# $end: what became of the text of a decision.
table-its-text = its text { $end }
table-older = { $number } older
table-closed = Closed: { $ends }
table-claim-end = { $status ->
    [adopted] claimed, later adopted by vote
   *[contradicted] claimed, a ballot said otherwise
}{ GIVEN($by) ->
    [yes] , denied by { LIST($by, by: ", ") }
   *[no] { "" }
}

# Words of a member in a table for readers; the tables of prompts have straight quotation marks.
table-quoted = { QUOTED($text) }
