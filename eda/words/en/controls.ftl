# What comes of requests to a debate that runs.

# $name: of the session.
controls-waits = another process is writing { $name }: this is done once it has finished; Ctrl-C gives it up
