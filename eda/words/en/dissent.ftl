# What a ballot says that is against the outcome. The deeds of one member stand in a list, in the order of this file.

# $score: 0 to 10.
dissent-scored = scored it { NUMBER($score, maximumFractionDigits: 1) } of 10

# $text: what the ballot puts first, as it is named on the page.
dissent-first = put { $text } first

# Under a rule that counts blocks.
dissent-blocks = cannot live with it

# $deeds: a list of these.
dissent-deeds = { $deeds }
