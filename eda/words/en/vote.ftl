# What `eda vote` says.

# What a new ballot says, and the verdicts before and after it. $told: votes-ballot-...
vote-ballot = { $who }: { $told }
vote-before = before: { $verdict }
vote-same = No new ballot counts, and the verdict stands: { $verdict }
vote-now = now: { $verdict }

# $wrong: what is wrong with the ballot that was typed before.
vote-typed = { $who }, your ballot{ GIVEN($wrong) ->
    [yes] { " " }could not be read: { $wrong }
   *[no] { "" }
}. The ids of the texts that you accept, best first, or none, or abstain. Enter leaves it as it was:

vote-left = { $who }: the ballot stays as it was

# $report: whether the session has a report, which is of the verdict before.
vote-stands = The first verdict stays on record.{ $report ->
    [yes] { " " }The report is of that one; for a new one: eda report { $session }
   *[no] { "" }
}
