# The fields of a form for settings, by the keys of their options; `-how` says what a field does.

settings-page =
    .as-usual = as usual
    .max-messages = Message limit
    .max-messages-how = Half or more are discussion; openings and closings count, too.
    .budget-time = Time limit (seconds)
    .budget-time-how = A tenth of it is reserved for the vote.
    .budget-tokens = Token limit
    .budget-tokens-how = A tenth of it is reserved for the vote.
    .budget = Spending limit (US dollars)
    .budget-how = A tenth of it is reserved for the vote.
    .call-timeout = Call timeout (seconds)
    .call-timeout-how = How long a call may go without progress; it may take five times as long in all.
    .no-limit = no limit
    .floor = Who speaks next
    .floor-how = How the next speaker is chosen. Without a choice as the format has it.
    .bids = Bids
    .bids-how = Whether members say one by one, or in one call for all, how much they want to speak; list: such a call serves several turns.
    .rule = Rule
    .rule-how = How the votes are counted. Without a choice as the format has it.
    .stop = Stop
    .stop-how = Another condition that ends the discussion.
    .quorum = Quorum (share)
    .quorum-how = A vote is valid if more than this share of members voted.
    .judge = Judge (member)
    .judge-how = The member whose choice decides under the rule judge.
    .answer = Answer
    .answer-how = Whether the question wants one answer, or a list in which each motion is adopted or not.
    .ballots = Ballots
    .ballots-how = Whether votes and bids are asked for by a strict schema or in words.
    .read-typed = Read typed
    .read-typed-how = How a typed line is read that no exact reading understands: by the cheap model, which asks back, or not at all.
    .fixed-options = Fixed options
    .fixed-options-how = Only the options given can be voted on.
    .no-first-vote = No first vote
    .no-first-vote-how = Take no private vote on the options before the debate.
    .no-terms = No terms
    .no-terms-how = Do not ask those who are against the leading text what would bring them in.
    .not-own = Not own
    .not-own-how = Members may not vote for texts that they wrote.
    .consensus = Consensus (share)
    .consensus-how = End the discussion once a private poll shows that this share agrees.
    .poll-every = Poll every
    .poll-every-how = Messages between these polls.
    .summary-every = Summary every
    .summary-every-how = Messages per summary.
    .summariser = Summariser
    .summariser-how = Who writes the summaries.
    .language = Language
    .language-how = Of the talk, the verdict and the report.

# What a setting can be, as an option has it. $kind: the setting's key and the value, with hyphens.
settings-choice = { $kind ->
   *[other] { $name }
}
