# What belongs to the language itself.

# The language's own name.
language-name = English

# Quotation marks, and those inside them.
language-quotes = “” ‘’

# Told in English to members who are asked to speak it: its name, and with what words a condition begins in it.
language-spoken =
    .language = English
    .ifs = "if"
