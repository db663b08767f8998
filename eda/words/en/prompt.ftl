# Sentences of prompts that questions, checks and tools send back to a model or a person: recordings are found by them.

# Why an answer cannot be used.
prompt-answer-lacks = the answer lacks `{ $name }`

# Why a tool was not called. $names: of the tools; $most: calls a turn; $why: of the reader of JSON.
prompt-no-tool = there is no such tool; there are { LIST($names, by: ", ") }
prompt-tool-often = it may be called { $most } times a turn
prompt-tool-no-json = the arguments are no JSON: { $why }
# $name: as it was given, quoted.
prompt-nobody = { GIVEN($name) ->
    [yes] { $name } is nobody who may speak now
   *[no] the answer names nobody
}
# Before a typed line, for the model that reads it: what its author was asked. $offered: several acts.
prompt-offered = The program, to { $who }, who has not answered yet: Did you mean: { LIST($offered, by: "; ") }?
# Of probabilities. $total: their sum; $row: what stands in place of one.
prompt-odds-total = they add up to { $total }, not to 1
prompt-odds-row = a probability is missing or is none: { $row }
# A support that may have a condition. $doubt: whether it is in doubt, or stands in full; $words: what may be one.
prompt-unclear = { $id }, in { $at }, { $doubt ->
    [yes] in doubt, counted for nobody
   *[no] counted without a condition
}: { QUOTED($words) }
# Where a member stands. $position: in quotes; $voted: ids of what it put first in the last ballot, none for nothing, and
# $since: the texts that it has put since; $backs: those that it supports since; all three may be empty.
prompt-position = { $position }{ GIVEN($voted) ->
    [yes] ; in the last ballot you put { $voted } first
   *[no] {""}
}{ GIVEN($since) ->
    [yes] ; you have put { $since } since
   *[no] {""}
}{ GIVEN($backs) ->
    [yes] ; you support { LIST($backs, by: ", ") } since
   *[no] {""}
}

# What speaks against a summary. $sentence: of it, cut.
prompt-summary-untaken = { $made ->
    [empty] Its list of points is empty: quote what matters in the messages. An empty list once more says that nothing new was said.
    [blank] Your answer was empty: give the list of points in the form asked for.
    [unquoted] No message has the words that its points quote: copy them word for word.
   *[prose] It is prose: each point is a message and words of it, in the form asked for.
}
# A summary by a model that found nothing to quote, and said so twice.
prompt-summary-no-news = Nothing new was said.
# In place of a draft without a word.
prompt-summary-blank = (an empty answer)
# Before what a summary lacks.
prompt-summary-also = Also:
# How many of what it lacks has no room below it.
prompt-summary-more = and { $number } more that are not told here.
# An item that a summary must not lose. $who: its author, or all on a side; $text: its words; $at: its message.
prompt-summary-item = { $kind ->
    [question] [UNRESOLVED] { $who } ({ $at }): { $text }
    [decision] Decided: { $text } ({ $at }).
    [accepted] Accepted: { $text } ({ $at }).
    [claim] Claimed by { $who }, not decided: { $text } ({ $at }).
    [agreement] Agreed: { $who } with “{ $text }” ({ $at }).
    [disagreement] Disagreed: { $who } with “{ $text }” ({ $at }).
   *[proposal] Proposed by { $who }: { $text } ({ $at }).
}
prompt-summary-nothing = { $number } short messages without a statement.

# $line: what a server of tools wrote.
prompt-tool-odd = it wrote a line that is no message of the protocol: { $line }
# Of a tool that was called. $bytes: those of its result that are left out.
prompt-tool-late = it did not answer within { $seconds } seconds
prompt-tool-cut = ({ $bytes } more bytes left out)
# Of looks into a workspace. $name: the tool; $path: what was asked for; $bytes: the most of a file that is read.
prompt-look-does = { $name ->
    [list_files] Names of files and folders in the workspace.
    [read_file] Lines of a file in the workspace.
   *[other] Lines of the workspace's files that hold a text.
}
prompt-look-outside = { $path } is not in the workspace
prompt-look-no-file = it is no file of text of up to { $bytes } bytes
prompt-look-none = you have no workspace
prompt-look-more = (there is more)
# Texts on which nobody has taken a side. $ids: of the texts; $authors: whether some have one.
prompt-unheard = { $ids }{ $authors ->
    [yes] , apart from authors who are for their own texts
   *[no] {""}
}
