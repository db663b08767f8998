# What `eda list` says.

# $choices: what the vote is on; $name and $line: the decision rule and what it does.
formats-votes = Votes on { $choices }. Decides by { $name }: { $line }
formats-sides = Sides, taken in turn by seat: { LIST($sides, by: ", ") }.
formats-hears = Members do not all hear one another: { $hears }.
formats-file = Its file, to copy for one of your own: { $path }
formats-back = { $until }, else back to { $back_to }; { $laps } times at most
formats-persona-model = model { $model } (used by runners of language models)
formats-personas-models = note: only runners of language models use a persona's `model:`: { LIST($asking, by: ", ") }
formats-panel-limit = at most { $most } messages
