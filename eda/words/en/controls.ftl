# What comes of requests to a debate that runs.

# $phase: the one that was to end.
controls-ended = '{ $phase }' had ended by itself
# $name: of the session.
controls-waits = another process is writing { $name }: this is done once it has finished; Ctrl-C gives it up
