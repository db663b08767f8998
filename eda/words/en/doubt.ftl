# What of a ballot is in doubt after its voter was asked about it, and how it counts.

# $texts: ids of texts, or their words.
doubt-refuses = its reason refuses { $texts }, which it accepts (counted)
doubt-refused = its reason at first refused { $texts }, which it accepts (counted)

# $message: its number.
doubt-opposed = it accepts { $texts }, which its voter opposed in m{ $message } (counted)
doubt-prose = in prose it names { $texts } beside its vote (not counted)
doubt-none = it is for none of the texts, and lists some all the same (counted for none)

# $words: what the voter wrote.
doubt-unknown = it names { QUOTED($words) }, which is no text of the ballot (left out)
doubt-denied = where it says { QUOTED($words) }, it denies { $texts } (left out)
doubt-condition = where it says { QUOTED($words) }, it names { $texts } on a condition (left out)
doubt-sense = where it says { QUOTED($words) }, it is not clear whether it means { $texts } (left out)
doubt-several = where it says { QUOTED($words) }, it names { $texts } at once (left out)
doubt-twice = it names { $texts } twice (counted once)
doubt-list = a list in it cannot be read (left out)

# $doubts: several of these.
doubt-all = { LIST($doubts, by: "; ") }

# $told: doubt-all, beside what the ballot says.
doubt-ballot = In doubt: { $told }.
