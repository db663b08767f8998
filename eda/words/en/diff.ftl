# What `eda diff` says of two sessions. $a, $b, $name: their names.

diff-same = { $a } and { $b } are the same: their setup, messages and votes
diff-from = from: { $name } comes from { $parent }
# $what: the name of a setting; $here and $there: its values.
diff-setup = setup: { $what }: { $here } in { $a }, { $there } in { $b }
diff-vote = vote: { $who }: { $here } in { $a }, { $there } in { $b }
diff-position = position: { $who }: { $here } (in { $a }); { $there } (in { $b })
diff-proposals-same = proposals: the same in { $a } and { $b }
diff-proposal-only = proposal: only in { $name }: { $number } { $text }
