# What comes of requests to a debate that runs.

# $phase: the one that was to end.
controls-ended = '{ $phase }' had ended by itself
# $name: of the session.
controls-waits = another process is writing { $name }: this is done once it has finished; Ctrl-C gives it up
# $kind: what is limited. $amount: how much of it is spent. $name: the setting; $most: the value that it cannot have.
controls-spent = { $name } cannot be { $most }: the debate { $kind ->
    [messages] has { $amount } messages
    [tokens] has taken { $amount } tokens
    [cost] has cost ${ $amount }
   *[seconds] has taken { $amount } s
} already
