# What `eda diff` says of two sessions. $a, $b, $name: their names.

diff-same = { $a } and { $b } are the same: their setup, messages and votes
diff-from = from: { $name } comes from { $parent }
# $what: the name of a setting; $here and $there: its values.
diff-setup = setup: { $what }: { $here } in { $a }, { $there } in { $b }
diff-vote = vote: { $who }: { $here } in { $a }, { $there } in { $b }
diff-position = position: { $who }: { $here } (in { $a }); { $there } (in { $b })
diff-proposals-same = proposals: the same in { $a } and { $b }
diff-proposal-only = proposal: only in { $name }: { $number } { $text }

diff-nowhere = part: nowhere; messages and votes are the same
# Where they part. $at: the last message that both have; may be empty. $words: what comes next.
diff-part = part: { GIVEN($at) ->
    [yes] after { $at }
   *[no] from the start
}, { $name }: { $words }
diff-verdict = verdict: { $name }: { $text }{ GIVEN($margin) ->
    [yes] , margin { $margin }
   *[no] {""}
}
diff-none =
    .choice = no choice
    .more = has no more
    .outcome = none
    .position = none
    .these = none of these
