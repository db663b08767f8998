# What `eda decisions` and the page say of decisions.

# Words of a question that say nothing of its subject: grammar, and words with which people ask what was decided.
decisions-asking = a about after again agree agreed agreement all also an and any are as at be because been before being but by can come came conclude concluded could decide decided decision decisions did do does end ended ever for from get had has have how i if in into is it its last me more my no not of on or our outcome out over panel please question say said settle settled shall should so tell than that the their them then there these they this those to up us verdict was we went were what when where whether which who why will with would you your

# When something last happened in a session, as a day.
decisions-day = { DATETIME($day, dateStyle: "medium") }
decisions-none-won = No verdict
decisions-due = look again: due since { DATETIME($day, dateStyle: "long") }
# $stance: support or oppose; $count: how many of them; $who: their names.
decisions-votes = { table-stance } { $count }: { LIST($who, by: ", ") }
decisions-minds = would persuade { $who }: { QUOTED($text) }
# $what: what was changed, see `stress-arm`.
decisions-hinges = hinges on: { $what }
decisions-experiment = fork of { $parent }: an experiment
decisions-none = no decisions in { $where }{ GIVEN($query) ->
    [yes] {" "}on { QUOTED($query) }; every word said: eda recall --all { $query }
   *[no] ; make one: eda debate "Should we ...?"
}
decisions-noted = noted for { $session }
# Labels of the list of decisions; the page fills in what stands in braces.
decisions-page =
    .title = Decisions
    .sign-out = Sign out
    .head = What did we decide?
    .begin = New debate
    .ask = Ask what was decided, or search everything said
    .such-as = Ask, such as: billing   /
    .search = Search
    .question = Question
    .options = Options, one a line (none: the panel makes proposals)
    .offered = Found in your question:
    .use = Use them
    .panel = Panel
    .format = Format
    .own = the panel's own
    .sit = I sit at the table as
    .nobody = nobody
    .invite = I invite to a seat, one name a line
    .seconds = Seconds that a person has to answer
    .limit = for me no limit, for others 300
    .settings = More settings
    .cost = What will it cost?
    .documents = Documents that all have read: text, Markdown, PDF, Word, HTML, CSV; 14 MB together
    .asked = Asked of {"{runner}"}.
    .played = It plays the panel and is no language model: start the server with --runner to ask one.
    .start = Begin
    .read-as = Read as:
    .counts = Decisions: {"{n}"}, sessions: {"{of}"}.
    .all = All sessions
    .decision = Decision
    .sides = For and against
    .after = Owner, look again, outcome
    .date = Date
    .unreadable = Unreadable
    .running = Live
    .paused = Paused
    .fork = Fork
    .decided = Decided
    .undecided = No verdict
    .ended = Ended
    .unfinished = Unfinished
    .recorded = Replayed from a recording
    .simulated = No model took part; nothing was decided
    .resume = can be resumed
    .mind = Would persuade {"{who}"}:
    .said = Said in the talk
    .for = For
    .against = Against
    .no-owner-ever = cannot have an owner
    .no-owner = no owner
    .nothing = Of {"{n}"} sessions none has these words in its question, answer or members, and no message has all of them. Try fewer words, or other ones.
    .no-session = No session yet.
    .more = Older ones: {"{n}"}. Search for them.
    .no-file = {"{name}"} cannot be read
    .large = The documents have more than 14 MB together: give the parts that matter.
    .answered = the server answered {"{status}"}
    .no-server = The server does not answer.
    .working = working it out …
    .forecast = Forecast: {"{cost}"}.
    .from = from {"{parent}"}
    .now = now
    .yesterday = yesterday
