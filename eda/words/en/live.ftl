# The status area of a terminal.

live-now =
    .paused = paused; /resume goes on
    .stopping = stopping
    .writing = is writing
    .floor = has the floor
    .report = the report is written
    .nobody = nobody has said yet
    .start = start
# $who: members who write side by side and are not done.
live-still = still writing: { LIST($who, by: ", ") }
live-side = { $side ->
    [support] for
    [conditional] for, if ...:
   *[oppose] against
}
live-asks = asks for { $asks }
live-from = from { $parent }
live-read = has read { LIST($documents, by: ", ") }
live-thinking = { $who } is thinking

# $kind: of a phase; none before the first. $waiting: what happens in it.
live-phase = { $kind ->
    [none] the panel takes its seats
   *[other] { $waiting }
}

# Labels of the page of a debate, whose script fills in what stands in braces.
live-page =
    .loading = loading
    .pause = Pause
    .resume = Resume
    .go-on = Go on
    .more = More
    .next = Next
    .next-how = End this phase; works while paused
    .steer = Steer
    .report = Report
    .leave = Leave
    .search = Search
    .parts = Parts of the page
    .talk = Talk
    .all-messages = Messages
    .people = People
    .slider = The table as it stood after a message
    .a-note = A note
    .note-for = A note for the panel's memory
    .note = Note
    .goes-on = The debate goes on; others are not affected.
    .has-ended = The debate has ended.
    .fork-here = Fork from here
    .back-to-live = Back to live
    .fork-what = A fork is a session of its own, equal to this one up to here.
    .name = Name
    .fork = Fork
    .fork-go = Fork and go on
    .fork-after = Fork after {"{message}"}
    .may-speak = Who may speak
    .one-more = One more member
    .nobody = nobody
    .apply = Change
    .steered = Steering: {"{done}"}.
    .max-messages = Max messages
    .max-messages-how = Half or more are discussion; openings and closings count, too.
    .budget-time = Budget time (seconds)
    .budget-time-how = Time limit. A tenth of it is reserved for the vote.
    .budget-tokens = Budget tokens
    .budget-tokens-how = Token limit. A tenth of it is reserved for the vote.
    .budget = Budget (usd)
    .budget-how = Spending limit. A tenth of it is reserved for the vote.
    .call-timeout = Call timeout (seconds)
    .call-timeout-how = How long a call may go without progress; it may take five times as long in all.
    .no-limit = no limit
    .no-number = this is no number.
    .keys = Keys
    .space = space
    .key-jk = next and previous message
    .key-space = pause, resume
    .key-n = next phase, while paused
    .key-time = back and forward in time
    .key-l = live
    .key-search = search
    .key-t = light or dark
    .key-esc = close
    .new-one = {"{n}"} new message ↓
    .new-many = {"{n}"} new messages ↓
    .spoken-to = to {"{who}"}
    .answering = answering {"{message}"}
    .speaking = is speaking
    .got-unread = Not read: the debate has stopped.
    .got-voting = Received. The panel hears it once the vote has ended, and then all vote again.
    .got-sealed = Received. Kept until all have written.
    .got-after = Received. It is read when {"{who}"} has finished.
    .got-turn = Received. It is read when this turn is over.
    .sending = Sending …
    .closed = The table has closed.
    .closed-ended = What is shown here stays until you leave the page.
    .closed-open = The debate has not ended: whoever invited you can go on with it, and invite you again.
    .ballots-in = {"{n}"} of {"{of}"} ballots in
    .after = After {"{message}"}
    .the-end = The end
    .live = Live
    .now = Now
    .decided = Decided
    .hinges = What it hinges on
    .undecided = No verdict
    .paused = Paused
    .paused-by = Paused by {"{who}"}
    .paused-vote = Paused by {"{who}"} after this vote
    .unfinished = Unfinished
    .n-of = {"{n}"} of {"{of}"}
    .messages = messages
    .unplanned = {"{n}"} more than planned
    .asks-for = asks for {"{what}"}
    .watching = {"{n}"} people on this page
    .looking-at = You are looking at the table as it stood after {"{message}"}.
    .looking-back = Looking back to {"{message}"} …
    .no-server = The server does not answer.
    .answered = The server answered {"{status}"}.
    .no-report = The report cannot be reached: this table's server has stopped. It is report.html in the folder of the session {"{session}"}; whoever invited you can send it.
    .lost = Connection lost
    .lost-at = Connection lost, last {"{message}"}
    .your-turn = Your turn: {"{question}"}
    .given-short = given
    .given-long = given with the question
    .amends = amends {"{texts}"}
    .joins = joins {"{texts}"}
    .n-for = {"{n}"} of {"{of}"} for
    .stand-support = For
    .stand-conditional = For, if …
    .stand-oppose = Against
    .stand-neutral = Undecided
    .stand-silent = Silent
    .for-older = For {"{text}"} ({"{why}"})
    .made-in = How it came about: {"{n}"} wordings
    .rest-decided = Decided
    .rest-claimed = Claimed, not voted on
    .rest-asked = Asked, and not answered
    .n-accepted = {"{n}"} accepted
    .n-closed = {"{n}"} no longer open
    .table-at = On the table at {"{message}"}
    .n-open = {"{n}"} open
    .no-text = Nothing is on the table yet.
    .member = Member
    .first-when = Who put what first, and when
    .ballots = The ballots
