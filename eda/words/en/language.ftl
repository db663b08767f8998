# What belongs to the language itself.

# The language's own name.
language-name = English

# Quotation marks, and those inside them.
language-quotes = “” ‘’

# Its name in English, for members who are asked to speak it.
language-english = English
