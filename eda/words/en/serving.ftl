# What a server of debates answers, and what a debate says of tools and of spans.

# $most: bytes.
serving-large = a request has at most { $most } bytes
serving-no-json = the request is no JSON
serving-not-done = not done: { $why }
serving-nothing = nothing: no model is asked
# $why: of the runner.
serving-no-prose = no model chose what the report quotes: { $why }
# $purpose: of the call that failed; $error: with what.
serving-failed = { $who } { $purpose ->
    [speak] could not speak
   *[other] did not answer ({ $purpose })
}: { $error }
serving-spans-lost = warning: { $number ->
    [one] { $number } span
   *[other] { $number } spans
} could not be sent to { $address }: { $why }
# Lines of the page of a debate. $won: a text with its id; empty where the table tells.
serving-verdict = { $outcome ->
    [yes] Verdict: { GIVEN($won) ->
        [yes] { $won }
       *[no] see the table
    }
   *[no] No verdict
}
# $why: what the moderator's words are for; those that teach members how to write moves are said to people without.
serving-moderator = Moderator: { $why ->
    [together] Most of the discussion is over. Now is the time for one text that most could sign.
   *[other] { $text }
}
serving-host = the host
# $value: empty for no limit.
serving-setting = { $name }: { GIVEN($value) ->
    [yes] { $value }
   *[no] no limit
}
serving-settings = the settings were changed
serving-ballot = vote
serving-goes-on = The debate goes on
serving-seat = { $who }: { $change }

serving-alternatives = The question names alternatives, and no options were given: { LIST($options, by: "; ") }. To vote on them, pass them as options.
# What a client is told while a debate runs.
serving-progress =
    .message = { $id } { $who } says: { $text }
    .phase = Now: { $phase }.
    .vote = { $came ->
        [unreadable] The ballot of { $who } could not be read.
        [missing] No ballot of { $who } came.
       *[voted] { $who } has voted.
    }
# How a person votes in a program that is no terminal. $also: as with `seat-how`.
serving-vote =
    .ids = Which first? Letters or ids alone, best first: B > A, with B = A for equal ones. "none" accepts none of them; leave it empty to abstain.
    .poll = A letter, an id or the words. Leave it empty for none of them.
    .ballot = The texts that you accept, best first, by letter or id (B > A), or the words of one. { $also ->
        [yes] "also C" adds what to do beside it;{" "}
       *[no] { "" }
    }"none" accepts none of them; leave it empty to abstain.
    .scores = Letters or ids with scores from 0 to 10 (B 7, A 2). "none" accepts none of them; leave it empty to abstain.
# What the model of a client is asked to do.
serving-prompt = { GIVEN($question) ->
    [yes] Have a panel debate this question: { $question }
   *[no] Have a panel debate the question that we are on. Put it in one sentence, as a choice.
}

    Use the tool `debate` of the server `eda`.
    - Pass as `options` the two to four answers that are possible, if they are known.
    - Pass as `text` what the members must know: what we have found, and the parts of the current files that bear on the question, each with its path and its line numbers.
    - { GIVEN($panel) ->
    [yes] Pass { $panel } as `panel`.
   *[no] Choose a `panel` that suits the question.
}
    - Ask me whether I want to vote, too. If so, pass my name as `person`.

    Then tell me the answer, who is against it and why, and what would change it. Name the message of each (m3).
    .about = A debate on the question and the files at hand
# What a page or program of another site may not ask for.
serving-refused =
    .other-name = this server has another name
    .other-page = only a page of this server can do that
serving-open = open { $url }
serving-stop = Ctrl-C stops the server
