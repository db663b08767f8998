# What errors say was wrong, and, as their hint, what to do. Ids, names and what somebody wrote are data.

error-question-empty = the question is empty
    .hint = Ask one, such as "Should we ...?"
error-options-text = the options are one text: '{ $options }'
    .hint = Give a list: options=["Yes", "No"].
error-option-empty = an option is empty
    .hint = {""}
error-option-word = an option cannot be '{ $word }': on a ballot it means that a voter takes no option
    .hint = Say what would be done: 'Leave it as it is'.
error-option-twice = an option is given twice: '{ $option }'
    .hint = Options differ in their words.
error-options-many = { $count } options are too many to weigh
    .hint = Give at most { $most }.
error-option-alone = one option is no choice
    .hint = Give at least two, or none.
error-poll-nothing = the setting 'poll' asks about the given options, and there is none
    .hint = Give two with --option, or ask a question that is answered by yes or no.
error-two-options = format '{ $format }' needs exactly two options, here are { $count }
    .hint = Give two with --option, or ask a question that is answered by yes or no.
error-poll-none = format '{ $format }' polls the panel on options, and there is none
    .hint = Give two with --option, or ask a question that is answered by yes or no.
error-fixed-none = --fixed-options needs options, and none is given
    .hint = Give two or more with --option, or ask a question that is answered by yes or no.
error-fixed-ballot = --fixed-options is for a ballot on options, and format '{ $format }' has none
    .hint = Leave it out, or choose --format panel.
error-consensus-none = format '{ $format }' has no open discussion that a consensus could end
    .hint = Leave --consensus out.
error-answer-none = --answer says what a ballot asks for, and format '{ $format }' has none
    .hint = Leave it out.
error-judge-missing = the rule judge needs a judge
    .hint = Name a member who decides, too: --judge MEMBER, or judge=MEMBER.
error-rule-polls = the rule { $rule } compares a poll before with one after, and format '{ $format }' does not take both
    .hint = Use it with --format oxford, or name another rule.
error-rule-ballot = format '{ $format }' polls the panel, and a poll gives the rule { $rule } nothing to count
    .hint = Name a rule that counts first choices, such as plurality.
error-session-other = session '{ $session }' was not made here, and it names who answers: { $spec }
    .hint = { $hint } If you trust it as it stands: eda resume { $typed } --trust.
error-runner-own = the session was run with a runner of its own ({ $spec })
    .hint = { $hint }
error-runner-none = no model has answered in this session: it was imported
    .hint = { $hint }
error-panel-sits = session '{ $session }' has a panel, and --panel seats one where a talk has none
    .hint = Go on with its own: eda resume { $typed }
error-panel-small = a panel needs at least two members
    .hint = Name another persona: eda list personas
error-name-of-format = '{ $name }' is what this format calls a member
    .hint = Take part under another name.
error-name-sits = '{ $name }' sits on the panel already
    .hint = Take part under another name.
error-name-two = two people would sit here as '{ $name }'
    .hint = Give each a name of their own.
error-sits-twice = { $name } would sit twice
    .hint = Name each persona once.
error-for-the-server = '{ $name }' is for who runs the server to choose
    .hint = Leave it out.
error-panel-and-personas = a panel and personas cannot both be given
    .hint = Leave one of them out.
error-setting-none = { $name } cannot be none
    .hint = It has to be { LIST($known, by: " or ") }.
error-session-ended = session '{ $session }' has ended ({ debate-why })
    .hint = Read it: eda show { $typed }. Go on: eda resume { $typed } { $option } { $most }
error-session-limit = session '{ $session }' has reached its limit of { $why }
    .hint = Raise { $limit } above the limit it had: eda resume { $typed } { $option } ...
error-late-summariser = summariser cannot be changed: the summaries that stand were made by it
    .hint = Begin a new session.
error-late-first-vote = first_vote cannot be changed: a first ballot comes before the debate
    .hint = Begin a new session.
error-late-ballots = { $name } cannot be changed now: { $cast } of { $of } ballots are cast, and were asked for by it
    .hint = Let the vote end; `eda show --tally` then counts the same ballots by any rule.
error-seat-nobody = no persona is named for the seat
    .hint = Name one: eda list personas
error-not-muted = { $who } is not muted
    .hint = {""}
error-muted-already = { $who } is muted already
    .hint = {""}
error-panel-small-left = a panel needs at least two members
    .hint = Replace the member, or mute it.
error-nobody-left = nobody would be left to speak if { $who } were { $change }
    .hint = {""}
error-seat-same = { $who } has that seat already
    .hint = Choose another persona: eda list personas
error-seat-sits = { $title } sits on the panel already
    .hint = Choose another persona: eda list personas
error-judge-leaves = { $who } is the judge and cannot leave
    .hint = Name another judge first: --set judge=NAME
error-settings-so = the settings are so already
    .hint = {""}
error-correction-long = a correction has at most { $most } characters
    .hint = Say it shorter.
error-reads-so = { $item } reads so already
    .hint = {""}
error-note-long = a note has at most { $most } characters, this one { $count }
    .hint = Say it shorter.
error-note-empty = the note is empty
    .hint = Say what is to be remembered.
error-note-name = a note needs a name of 1 to { $most } characters, and its topic is no longer
    .hint = {""}
error-note-member = '{ $who }' sits on the panel and takes its own notes
    .hint = Use a name of your own.
error-line-closed = the debate has ended: what was counted by then stays as it is
    .hint = To take something back, go on with the debate: eda resume.
error-not-begun = the debate has not begun: there is nothing to change yet
    .hint = Run it first.
error-vote-none = no vote of yours waits to be counted
    .hint = It can be changed until all have voted.
error-say-nothing = there is nothing to say
    .hint = {""}
error-no-person-seat = '{ $who }' has no seat of a person's at this table
    .hint = {""}
error-is-muted = { $who } is muted
    .hint = Unmute { $who } first.
error-no-talk = there is no talk to end now
    .hint = {""}
error-stopped = the debate has stopped
    .hint = Take it up again: eda resume, or Debate.resume.
error-runs-already = { $session } runs already
    .hint = Look at its page.
error-runs-elsewhere = this server does not run { $session }
    .hint = Go on with it, or use the terminal it runs in.
error-no-seat = nobody at this page has a seat
    .hint = Begin a debate with one.
error-no-change = nothing was changed
    .hint = Change something, or close the dialog.
error-waits-no-longer = that question waits for you no longer
    .hint = Look at the talk: it went on.
error-people-alike = two people have one name
    .hint = Give each a name of their own.
error-for-the-owner = only whoever has invited you can do that
    .hint = {""}
error-report-later = the report shows how each voted: it can be read once the debate has ended
    .hint = Go on with the debate.
error-invitation-none = there is no such invitation, or a newer one has ended it
    .hint = Ask for a new one.
error-browser-seated = this browser has { $who }'s seat
    .hint = Open the invitation in another browser.
error-invitation-used = this invitation was used
    .hint = Ask for a new one; that ends this one.
error-not-invited = '{ $who }' was not invited to this table
    .hint = {""}
error-no-page = there is no such page
    .hint = Perhaps the address was cut off, or the session has been removed.
error-not-open = this is not open to you
    .hint = Open the address with the token, or the invitation that you were given.
error-test-runs = a test of this verdict runs already
    .hint = Wait for its end, or stop it.
error-test-recorded = a recording has answered in this debate, and it holds no other votes
    .hint = Start the server with a model: eda serve --runner SPEC.
error-no-ballots = session { $session } has no verdict by ballots
    .hint = eda show { $session }
error-only-persons = only persons have voted, and they are not asked again
    .hint = {""}
error-premise-empty = a premise is empty
    .hint = Give its words as they stand in a document or a message.
error-fork-by-hand = session '{ $session }' began as a talk by hand, which has no setup to fork
    .hint = {""}
error-name-invalid = '{ $name }' is not a valid session name
    .hint = Begin with a lower-case letter or a digit, then up to 79 letters, digits, '-', '_' and single '.'.
error-session-busy = another process is writing the session '{ $session }'
    .hint = Wait until it has finished, or stop it with Ctrl-C, which loses nothing. Meanwhile `eda show { $typed }` reads the session.
error-session-shipped = session '{ $session }' comes with EDA and can only be read
    .hint = A copy of your own that can go on: eda fork { $session }. A debate of your own: eda debate "Should we ...?"
# $typed: the session where it was; $read: where it is.
error-session-archived = session '{ $session }' was put away
    .hint = Bring it back: eda archive { $typed } --back. Or read it where it is: eda show { $read }
error-name-own = '{ $session }' is the name that it has
    .hint = Choose another name.
error-session-linked = { $path } stands for a file elsewhere, and a session has none such
    .hint = Delete it, or put a copy of that file in its place, if you know who put it there.
error-no-model = no model answers here: no runner was named, and ANTHROPIC_API_KEY is not set
    .hint = { running-no-model }

# What is wrong with a file, behind its name. $size, $seconds: bounds; $error: what its reader said.
error-large = is larger than { $size }
    .hint = Give the part that matters.
error-blank = is empty
    .hint = Name a file that holds text.
error-other-kind = is { $kind ->
    [png] a PNG picture
    [jpeg] a JPEG picture
    [gif] a GIF picture
    [zip] a zip archive
    [office] an Office file of an old kind, or one with a password
   *[rtf] an RTF file
}, and no text
    .hint = Save its text as UTF-8, .docx or .pdf.
error-much = holds too much text
    .hint = Give the part that matters.
error-broken-word = is a broken Word file
    .hint = Open it in Word and save it anew as .docx.
error-pictures = holds no text
    .hint = Pictures are not read: save the text itself.
error-broken-html = is broken HTML: { $error }
    .hint = Save the page anew, as UTF-8, or its text.
error-no-page-text = is a page without text
    .hint = Pages made by scripts have none: save the text itself.
error-no-table = is no table: { $error }
    .hint = Put values that hold quotes in quotes.
error-pdf-pictures = { $count ->
        [0] has no page
       *[other] has no text on its { $count } pages: they are pictures
    }
    .hint = Run text recognition on it first, such as `ocrmypdf IN OUT`.

# $name: the field; $path: it with what is in it; $number: of the item; may be empty.
error-what = { GIVEN($number) ->
    [yes] item { $number } of '{ $name }'
   *[no] { GIVEN($path) ->
        [yes] '{ $path }'
       *[no] the request
    }
}
# $kind: as pydantic names it; $bound: a limit or what there is; $slug: what is meant; $message: pydantic's own words.
error-field = { $kind ->
    [missing] { error-what } is missing
    [string_pattern_mismatch] { error-what } { $given } is not made of lowercase letters, digits and hyphens
    [text_too_short] { error-what } is empty
    [text_too_long] { error-what } is longer than { $bound } characters
   *[other] { error-what } { $message }
}
    .hint = { $kind ->
        [missing] Give { error-what }.
       *[other] { GIVEN($slug) ->
            [yes] Write '{ $slug }'.
           *[no] {""}
        }
    }
# $kind: of name; $close, $known: names that there are; $more: how many others; $hint: instead of these.
error-unknown = unknown { $kind } '{ $name }'{ GIVEN($where) ->
    [yes] {" "}in { $where }
   *[no] {""}
}
    .hint = { GIVEN($hint) ->
        [yes] { $hint }
       *[no] { GIVEN($close) ->
            [yes] Did you mean { LIST($close, by: " or ") }?
           *[no] { GIVEN($known) ->
                [yes] Known: { LIST($known, by: ", ") }{ $more ->
                    [0] {""}
                   *[other] {" "}and { $more } more
                }.
               *[no] There is no { $kind } yet.
            }
        }
    }
# $kind: what the file is; $path: empty for standard input; $line: may be empty; $reason: what is wrong with it.
error-file = { GIVEN($kind) ->
    [yes] { $kind }{" "}
   *[no] {""}
}{ GIVEN($path) ->
    [yes] { $path }
   *[no] standard input
}{ GIVEN($line) ->
    [yes] , line { $line }
   *[no] {""}
}: { $reason }
    .hint = { $hint }
error-zero-byte = holds a zero byte, so it is no text
    .hint = Save the file as UTF-8.
error-no-utf = is not UTF-8 text
    .hint = Save the file as UTF-8.
error-slow = takes more than { $seconds } seconds to read
    .hint = Save its text, and name that.
error-broken = cannot be read: it is broken, or takes too much memory
    .hint = Save its text, and name that.
error-pdf-password = needs a password
    .hint = Save a copy without one.
error-pdf-cipher = is encrypted, and cryptography, which decrypts it, is not installed
    .hint = pip install cryptography
error-pdf-broken = is a broken PDF, or none
    .hint = Open it in a viewer and print it into a new PDF.
error-no-message = session '{ $session }' has no message { $message }
    .hint = { show-messages }
error-name-taken = a session '{ $session }' exists already
    .hint = { session-name-free }
# $low, $high: messages; $last: the number that there are.
error-no-messages = session '{ $session }' has no messages from m{ $low } to m{ $high }
    .hint = { show-messages }
# $who: the voter; empty for all.
error-ballots-counted = { GIVEN($who) ->
    [yes] the ballot of { $who }
   *[no] each ballot
} was counted
    .hint = Only one that is unreadable or missing is taken again.
# At a terminal. $close: commands that look like it; may be empty.
error-no-command = unknown command /{ $name }
    .hint = { GIVEN($close) ->
        [yes] Did you mean { LIST($close, by: " or ") }?
       *[no] /help shows the commands.
    }
error-command-needs = /{ $name } needs words behind it
    .hint = /help shows the commands.
error-not-paused = the debate is not paused
    .hint = {""}
# Two options that exclude each other, as they are typed.
error-one-of = { $first } and { $second } cannot be used together
    .hint = Leave one of them out.
error-line-held = not sent: { QUOTED($text) }
    .hint = Send it once more, and it is a message.
# $text: as typed; $id: of the text that is asked about.
error-line-hedged = nothing counts yet, and nothing is sent: { QUOTED($text) } can be read in more than one way
    .hint = Answer yes or no alone, or say the whole of what you mean, as in “I am for { $id }”.
# $lines: the lines that count, each behind its message. $at: the message of the last one.
error-line-counts = nothing is taken back yet. These count: { LIST($lines, by: ", ") }
    .hint = /back { $at }, or “Take back” at a page, takes all of { $at } back; a line such as “I take back o1” takes back one side.
# $lines, $at: as above, of those that wait for a yes or no.
error-line-open = not sent: { QUOTED($text) } does not answer what is open: { LIST($lines, by: ", ") }
    .hint = “{ $at } yes” or “{ $at } no” does. A line with more words, or with @NAME at its beginning, is a message.
error-line-reads = not sent: what you said last is read before { QUOTED($text) } can answer what was open
    .hint = What is still open then is put to you again.
error-nothing-open = not sent: { QUOTED($text) } answers nothing that is open
    .hint = A line with more words, or with @NAME at its beginning, is a message.
error-which-question = not sent: a yes or no may be for more than one question to you
    .hint = Answer each where it stands; a line that begins with @NAME is a message.
# $read: how it is read, as `ballot-read` says it; empty where it cannot be.
error-vote-in = not sent: { GIVEN($read) ->
        [yes] it reads as a vote, { QUOTED($read) }
       *[no] it names what is voted on, and may be a vote
    }. Your vote is in and stands
    .hint = “Change my vote” takes it back until all have voted; a line that begins with @NAME is a message.
error-no-vote-now = no vote is being taken
    .hint = The ballot comes, and asks you.
error-message-long = a message has at most { $most } characters, this one has { $count }
    .hint = {""}
