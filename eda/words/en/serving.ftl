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
