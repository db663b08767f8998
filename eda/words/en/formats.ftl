# What `eda list` says.

# $choices: what the vote is on; $name and $line: the decision rule and what it does.
formats-promise = Ends with: { $promise }
formats-file = Its file, to copy for one of your own: { $path }
formats-personas-models = note: only runners of language models use a persona's `model:`: { LIST($asking, by: ", ") }
# What a panel or a format is called, as its file says. $kind: the same in lower case with hyphens, by which a language
# knows those that come with EDA.
formats-title = { $kind ->
   *[other] { $title }
}
