# What `eda show --prompt` says of the size of a prompt. $error: a share, 0 to 1.

context-tokens = { $tokens } tokens; what memory adds may take { $budget }
context-measured = estimated from what { $calls } calls reported, off by { NUMBER($error, style: "percent") }

context-estimated = estimated at four characters a token: no call has reported its tokens yet
