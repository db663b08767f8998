# The titles of the parts, in the order of the report. `each` stands over reasons without a verdict or with sides.
report-title =
    .verdict = Verdict
    .model = In the words of a model
    .reasons = Reasons
    .dissent = Dissent
    .sure = How sure to be
    .figures = First ballot and last
    .open = Open questions
    .risks = Risks that members named
    .vote = The vote
    .ballots = The ballots
    .stances = Who stands where
    .differing = Whose votes differ
    .descent = How the text came about
    .put = What was put
    .stood = What members said of it
    .promised = What members said they will do
    .reserved = Reservations of those who accept it
    .minds = What would change minds
    .agreeing = What would change the minds of those who agree
    .decisions = Decisions on the way
    .evidence = Evidence that members looked up
    .noted = What members noted
    .table = The table at the end
    .run = How it was run
    .transcript = Transcript
    .each = What spoke for each

# $given: the two options that were given, where they are short; empty where they are not.
report-none-given = { GIVEN($given) ->
    [yes] Neither { LIST($given, by: " nor ") } won.
   *[no] None of the options that were given won.
}
