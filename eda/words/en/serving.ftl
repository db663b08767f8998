# What a server of debates answers, and what a debate says of tools and of spans.

# $most: bytes.
serving-large = a request has at most { $most } bytes
# $why: of the runner.
serving-no-prose = no model wrote the report's prose: { $why }
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
serving-moderator = Moderator: { $text }
serving-goes-on = The debate goes on
serving-seat = { $who }: { $change }

serving-alternatives = The question names alternatives, and no options were given: { LIST($options, by: "; ") }. To vote on them, pass them as options.
