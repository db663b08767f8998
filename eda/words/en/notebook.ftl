# What a notebook shows of a debate.

# $decided: the verdict in brief; `no vote` where there was none. $session: its name, quoted.
notebook-result = <Result { $decided }; { $messages } messages, { $reason }, session { $session }>
notebook-messages = { $messages } of at most { $most } messages
notebook-last = The last { $last } of { $number } messages
# $cost: what is known of it; may be empty.
notebook-not-priced = { $cost } not all priced
