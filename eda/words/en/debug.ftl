# What `--debug` prints beside a debate.

debug-may-speak = asked for bids; may speak: { LIST($names, by: ", ") }
debug-characters = m{ $number } { $who }: { $characters } characters, { $talk } of them talk
debug-puppets = cut: lines in the name of { LIST($names, by: ", ") }
debug-unread-tags = not read as moves: { LIST($tags, by: ", ") }
debug-reply = { $characters } characters, { $input } tokens in, { $output } out
