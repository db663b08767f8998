# What a person at the table is asked and told.

# $purpose: ballot, first-ballot, poll, opening, word or floor; $seat: the name the person has here, empty where it is
# its own; $seconds: the time to answer, 0 for any; $phase: the part of the debate.
seat-asked = { GIVEN($seat) ->
    [yes] as { $seat }:{" "}
   *[no] {""}
}{ $purpose ->
    [poll] in private: which choice do you hold?
    [first-ballot] your first vote, in private, before anybody speaks?
    [ballot] your vote?
    [opening] your opening
    [word] your word ({ $phase })
   *[floor] you have the floor
}{ $seconds ->
    [0] {""}
   *[other] {" "}within { $seconds } s
}{ $purpose ->
    [opening] ; nobody sees it before all have written. Enter passes
    [word] ; nobody sees it before all have written. Enter passes
    [floor] {" "}({ $phase }). Enter passes
   *[other] {""}
}
# $ids: of the texts that a typed vote is taken to accept, best first.
# How one votes, by what is asked. $also: yes where it is asked what to adopt beside the answer.
seat-how =
    .ids = which first? Letters or ids alone, best first: B > A, with B = A for equal ones; 'none' accepts none of them; Enter abstains
    .poll = a letter, an id or the words; Enter for none of them
    .ballot = which could you accept? Letters or ids, best first (B > A), or the words of one{ $also ->
        [yes] ; 'also C' adds what to do beside it
       *[no] { "" }
    }; 'none' accepts none of them; Enter abstains; '/vote B' changes it until all have voted
    .scores = letters or ids with scores from 0 to 10 (B 7, A 2); 'none' accepts none of them; Enter abstains; '/vote B 9' changes it until all have voted
# $read: how the vote is read, as `ballot-read` says it.
seat-read = read as: { $read } Enter is yes, or type another answer
# The same behind a line that could not be read, $typed. $wrong: what is wrong with it.
seat-unread = not read as a vote: { QUOTED($typed) }{ GIVEN($wrong) ->
    [yes] {" "}({ $wrong })
   *[no] { "" }
}. Until now your vote is read as: { $read } Type 'yes' to keep that; to change it, or to leave a text out, type your whole vote anew. Enter abstains
# $text: as typed; empty where Enter was pressed. $read: as above.
seat-voted = your vote: { GIVEN($text) ->
    [yes] { $text }.{" "}
   *[no] {""}
}{ $read }
# Of a line that was meant as a vote. $wrong: what is wrong with it.
seat-no-vote = this does not count: { $wrong }. Until all have voted, type your vote again, best first, such as B > A, or '/vote B'; a vote that counted before still stands. The count does not wait for you: 'eda vote' takes a vote that is missing later. A line that begins with @NAME is talk
# Behind the questions of `ballot-page`: how one answers. $text: what was typed to the question before. $texts: ids.
# .adds: the vote, and what to adopt beside it; the reader of ballots reads this like a vote that was typed.
seat-step =
    .order = Enter: in the order typed ({ $text }), or type another: B > A, with B = A for equal ones
    .beside = Enter: nothing, or type letters or ids
    .adds = { $text } also { $beside }
    .which = Which of them: { LIST($texts, by: " or ") }? Enter: nothing
# $text: the one that leads. $typed: an answer that may be any of the three.
seat-terms = { GIVEN($typed) ->
    [yes] which is { QUOTED($typed) }? 1: I take the text as it is. 2: no change would bring me in. 3: that is the change I want. Type 1, 2 or 3. Enter leaves it uncounted, and all see your words
   *[no] what is the least change that would bring you in for “{ $text }”? Type the change; or 1 if you take it as it is, 2 if no change would bring you in. You are asked alone; then all are told. Enter says nothing
}
# Behind what is offered of a line, where another question waits.
seat-settle = (first yes or no to this; Enter leaves it uncounted)
# $votes: whether a vote was asked; $read: how it counts, as `ballot-read` says it; empty where it is not in.
seat-over = your time is up, or the debate has stopped; { GIVEN($read) ->
    [yes] your vote counts as it was read, if it is counted now: { $read }
   *[no] { $votes ->
        [yes] no vote of yours is in. 'eda vote' takes one that is missing later
       *[no] the line you typed is kept
    }
}
seat-told =
    .open = your vote is still open
    .read-first = a message: it is read first, and what is still open then is put again
    .pass = you pass
    .no-words = nothing was typed. Enter passes, and that cannot be taken back; or type your words
    .before-the-vote = Sent: the panel hears it before it votes
    .after-the-vote = Kept: the panel hears it once the vote has ended, and then all vote again, unless it is a move that counts for nothing
    .after-this-vote = Kept: the panel hears it once the vote has ended
    .kept = Kept until all have written
    .answered = Received
    .answered-at-a-vote = Received: it counts once the vote has ended
    .sent = Sent: it is heard when this turn is over
    .promised = Promised, in their own words:
    .typing = what you type is posted after this turn; @NAME asks one member, who answers next
# $called: yes where a message is to the person; else it says that all agree. $at: the message.
seat-spoken-to = { $called ->
    [yes] { $who } speaks to you; what you type is posted after the turn
   *[no] { $who } says that all agree ({ $at }). If not so, type: [DENY { $at }] and why
}
seat-again = that answer could not be counted: { $wrong }; please try once more
seat-kept = your { $purpose ->
    [opening] opening
   *[other] word
} is kept until all have written: { $text }
# $names: whose answer is waited for; `somebody` among anonymous members.
seat-waits = Waiting for { $names } to { $does ->
    [vote] vote
   *[speak] speak
}.
seat-somebody = somebody
seat-invitation = invitation for { $name }: { $link }
seat-is-here = { $name } is here.
seat-still-reading = { $names } can still read the verdict and the report. Enter closes the table.

# What a command of the person at the table does.
seat-steered = { $does ->
    [pause] the debate waits after this turn; /resume goes on
   *[next] this phase ends after this turn
}
# What the seat at a page says; the page fills in what is in braces: {"{who}"} names, {"{title}"} a text's, {"{n}"} numbers.
seat-page =
    .support = Support
    .oppose = Against
    .amend = Change this text
    .withdraw = Take back
    .propose = Propose
    .ask = Ask
    .on-text = {"{does}"}: {"{title}"}
    .as-it-stands = As it stands
    .on-condition = On a condition
    .if-label = If …
    .if = if
    .why = Why
    .may-be-empty = may stay empty
    .title-label = Title
    .of-words = {"{n}"} of {"{most}"} words
    .whole-text = The whole text
    .to-whom = To whom
    .everyone = everyone
    .question = The question
    .put-up = Put it up
    .cancel = Cancel
    .remove = Remove
    .changed = {"{n}"} words added, {"{out}"} taken away
    .says-support = {"{who}"} supports {"{title}"}.
    .says-support-if = {"{who}"} supports {"{title}"}, if {"{words}"}.
    .then-support-if = It is shown apart from those for it, until you say that it is met.
    .says-oppose = {"{who}"} is against {"{title}"}.
    .says-propose = {"{who}"} proposes {"{title}"}.
    .then-propose = It stands on the ballot as one more answer.
    .says-amend = {"{who}"} changes {"{title}"}.
    .then-amend = The other wording stays on the table beside it.
    .says-withdraw = {"{who}"} takes {"{title}"} back.
    .now-vote = Your vote.
    .now-asked = A question to you alone.
    .now-voted = Your vote is in.
    .still-to-vote = Still to vote: {"{who}"}.
    .then-closed = The floor is closed until all have voted.
    .now-floor = You have the floor.
    .now-sealed = Your turn to write.
    .then-sealed = Nobody sees it before all have written.
    .others-sealed = What others write is hidden until all have written.
    .now-speaks = {"{who}"} speaks now.
    .now-paused = The debate waits.
    .then-vote-in = Messages before the vote: {"{n}"}.
    .then-vote = Then the vote.
    .pass = Pass
    .for-you = {"{n}"} for you
    .reworded = A new wording of your text
    .table = On the table
    .verdict = Verdict
    .to = To {"{who}"}
    .to-muted = To {"{who}"} (muted: hears, does not speak)
    .your-words = Your words
    .send-words = Say it
    .opening-how = Your opening: what do you think, and why?
    .speak-or-pass = You have the floor: speak, or pass
    .say-as = Say something as {"{who}"}
    .documents = Documents
    .search-document = Search this document
    .hits = {"{n}"} of {"{other}"}
    .hit-before = The place before
    .hit-after = The next place
    .quote = Quote
    .ask-about = Ask about it
    .cited-in = Cited in {"{messages}"}
    .back-to = Back to {"{message}"}
    .close-document = Close
    .no-document = The document cannot be reached.
    .since = Since {"{message}"}, when you were here last:
    .since-said = {"{n}"} messages from {"{message}"} on, by {"{who}"}.
    .since-to-you = To you: {"{messages}"}.
    .since-phases = The debate went on to: {"{phases}"}.
    .since-put = New on the table:
    .go-without = Go on without
    .invitation-for = Invitation for {"{who}"}
    .copy = Copy
    .new-invitation = New invitation
    .new-invitation-for = New invitation for {"{who}"}: it ends the old one
    .person-here = {"{who}"}: here
    .person-away = {"{who}"}: away
    .person-invited = {"{who}"}: invited
    .give-up = Give up the seat?

# The page of an invitation.
seat-join =
    .head = Invitation
    .invited = You are invited to this debate as
    .what = A panel discusses the question, and you with it. You can speak when you like, and vote in private; what you say is kept in the record of the debate under this name. The seat then belongs to this browser, and nobody else can take it.
    .sit = Sit down as {"{who}"}
    .none = There is no such invitation, or a newer one has ended it. Ask for a new one.
    .used = This invitation was used. Ask for a new one; that ends this one.
    .not-open = This page asks who you are
    .no-way = Nothing to see here
    .list = To the decisions
    .token = The owner's token: it ends the address that the program printed when it started
    .open = Open

# What the commands at a terminal are called, with what they need, and what they do.
seat-command =
    .pause = pause
    .pause-does = pause the debate after this turn
    .resume = resume
    .resume-does = continue the debate
    .next = next
    .next-does = end this phase after this turn
    .vote = vote TEXT|LETTER
    .vote-does = your vote; it can be changed until all have voted
    .back = back
    .back-does = take back what your last line was counted for; behind it m4 for another line
    .table = table
    .table-does = list what is proposed, claimed, decided and promised, with ids
    .note = note TEXT
    .note-does = take a note, which the members are shown
    .help = help
    .help-does = print this list
    .quit = quit
    .quit-does = stop the debate; `eda resume` continues it
