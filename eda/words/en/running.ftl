# What `eda debate` and `eda resume` say around a debate. $resume: the command that goes on; $typed: the session.

# $local: a runner on this machine; $keyed: one whose key is set. Either may be empty.
running-no-model = { GIVEN($local) ->
    [yes] A model on this machine answers: --runner { $local }. Or set
   *[no] { GIVEN($keyed) ->
        [yes] A key is set for another provider: --runner { $keyed }. Or set
       *[no] Set
    }
} a key and name a model (`eda list runners` lists them). To look at recorded debates: `eda show example` (one of two options), `example-list` (a list of rules), `example-dissent` (two members turn three). To try the program with made-up answers: --runner simulated.
running-in-part = note: { $number ->
    [one] { LIST($names, by: ", ") } is
   *[other] { LIST($names, by: ", ") } are
} too long for the prompts: members are given only the passages that are relevant to the discussion, and can look up others.
# $spec: the runner; $models: members with the model that their persona names.
running-own-models = note: only runners of language models use a persona's `model:`; `{ $spec }` does not: { LIST($models, by: ", ") }
running-stopped = stopped after m{ $message }; saved { $session }; go on with: { $resume }
running-nobody = error: nobody spoke and nobody voted, so this is no result of the panel; see who failed, and with what
running-report = report: eda report { $typed }
running-page = page to pass on: { $page }
running-none-kept = no session is kept, since no call was answered; the same command begins anew
running-on = saved { $session }; go on with: { $resume }

running-no-price = warning: the price of { $model } is unknown: --budget cannot be kept; --budget-tokens can
running-strangers = note: this session was not made here. Going on with it asks { $runner }; floor { $floor }, rule { $rule }
running-strangers-holds = note: tools: { LIST($tools, by: ", ") }; documents: { LIST($documents, by: ", ") }
# Asked of a panel that goes on with a talk by hand.
running-talk-question = What should come of what was said so far?
running-ask-trust = Trust it, and go on?
running-empty-seat = note: { $title }'s seat stays empty; to take it again: --human { $typed }
running-forked = { $session } comes from { $parent }; change it: eda steer { $typed }; go on: eda resume { $typed }
# $damage: the error.
running-forked-sound = { $damage }. The new session has what stands before that line, and nothing after it
running-answer-left-out = left out: what { $who } said later of how m{ $number } was read
running-files-left-out = left out: { $number } more files
# $options: those found in the question; in a pipe as arguments.
running-alternatives = Found in your question: { LIST($options, by: "; ") }. Use them as the options?
running-as-options = hint: to vote on the alternatives in the question: { $options }
# Above a recording that is shown at the speed of speech.
running-hurried = Enter shows the rest at once; Ctrl-C stops
running-not-begun = stopped before it began; nothing was saved
running-no-writer = stopped: the report is written without a model

# How a question at a terminal is answered; $default: yes where nothing typed is a yes.
running-yes-no = { $default ->
    [yes] { "[Y/n]" }
   *[no] { "[y/N]" }
}

running-yes-or-no = Please answer yes or no.
