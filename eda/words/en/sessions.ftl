# What commands say of sessions: where they are, how they stand, what to type next. $typed: the session as one types it.

sessions-none = no sessions in { $where }; start one: eda debate "Should we ...?"; the example that comes with EDA: eda show example
sessions-none-like = none of the { $names } sessions in { $where } is like that: searched were names, questions, answers and members; every word said: eda recall --all ...
sessions-no-acts = nothing like that is noted in { $where }: a server (`eda serve`) notes who signs in and out, is invited, joins and leaves; deletions are noted, too
sessions-no-message = no message has these words{ GIVEN($session) ->
    [yes] {" "}in { $session }; to search all sessions: eda recall --all ...
   *[no] {" "}in the { $names } sessions in { $where }; what was decided: eda decisions ...
}
sessions-archived = put { $name } away; read it: eda show { $typed }
sessions-ask-delete = delete { $place } for good ({ $files })?
sessions-packed = wrote { $file }; to read it elsewhere: eda import { $file }
sessions-redacted = { $name }: a copy of { $session } without { $names ->
    [one] { $names } name
   *[other] { $names } names
}
sessions-redact-left = look at it: { $name } ({ LIST($places, by: ", ") }{ $more ->
    [0] {""}
   *[other] , and { $more } more
})
sessions-redact-check = read these places, and name each person with --name; or say that nobody is in them with --checked. Delete this copy: eda delete { $typed }
sessions-imported = imported { $name }; read it: eda show { $typed }
sessions-imported-talk = imported { $new }: { $number ->
    [one] { $number } message
   *[other] { $number } messages
}; read it: eda show { $typed }
sessions-read-it = read it: eda show { $typed }
sessions-left-out = { $name } is left out: { $error }
sessions-unfinished = not finished; go on with: eda resume { $typed }
sessions-ended = { $name } has ended ({ $why }): what is added now changes no vote
# $ends: the stop condition that ends the discussion at once; may be empty.
sessions-steered = { GIVEN($ends) ->
    [yes] the discussion ends at once ({ $ends }); go on with: eda resume { $typed }
   *[no] go on with: eda resume { $typed }
}
sessions-made-late = the debate had ended ({ $ended }) without its report; now it is written: eda report { $typed }
sessions-no-prose = note: no model chose what the report quotes: { $failed }
sessions-report-runner = hint: eda report { $typed } --runner { $spec }
sessions-no-side = no side messages yet; to ask a member: eda ask { $typed } NAME
# $version: the id of the text that stands beside words that a ballot adopted; empty otherwise.
sessions-corrected = { $how ->
    [struck] { $item } is struck
    [beside] { $item } was adopted as it reads; your words stand beside it as { $version }, for the next ballot
   *[corrected] { $item } is corrected
}; see: eda show { $session }
sessions-no-notes = no notes; take one: eda edit { $session } --note "..."
sessions-note-kept = { $sort ->
    [private] kept, private, importance { $importance }; list them: eda show { $session } --notes
   *[other] kept, importance { $importance }; list them: eda show { $session } --notes
}
# $close: the names that are nearest.
sessions-did-you-mean = Did you mean { LIST($close, by: " or ") }?
sessions-help = `{ $path } --help` shows its options.

# The heads of a terminal's columns; of a date the day is shown.
sessions-column =
    .session = session
    .question = question
    .state = state
    .verdict = verdict
    .margin = margin
    .members = members
    .messages = messages
    .cost = cost
    .from = from
    .date = day
    .played = played
sessions-back = { $name } is back
sessions-renamed = { $name } is { $typed } now
sessions-stays = { $name } stays
sessions-deleted = deleted { $name }
