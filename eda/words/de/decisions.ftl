decisions-asking = aber alle als also am an auch auf aus bei beschließen beschlossen beschluss beschlüsse bitte da das dass dazu dem den der des die dies diese diesem diesen dieser doch du ein eine einem einen einer entscheiden entschieden entscheidung entscheidungen ergebnis er es etwas für gab gibt gremium haben hat hatte hatten ich ihr im in ist ja kam kann können letzte letzten man mir mit nach nicht noch nun ob oder sagen sich sie sind so soll sollen sollte sollten über um und uns unser unsere vom von vor wann war waren warum was wegen welche welcher wer werden wie wieder wir wird wo wofür worüber wurde wurden zu zum zur

decisions-day = { DATETIME($day, dateStyle: "medium") }
decisions-none-won = Kein Ergebnis
decisions-due = wieder ansehen: fällig seit { DATETIME($day, dateStyle: "long") }
decisions-votes = { $side ->
    [for] dafür
   *[against] dagegen
} { $count }: { LIST($who, by: ", ") }
decisions-minds = würde umstimmen: { $who }: { QUOTED($text) }
# $what: what was changed, see `stress-arm`.
decisions-hinges = hängt an: { $what }
decisions-experiment = Abzweig von { $parent }: ein Versuch
decisions-none = keine Entscheidungen in { $where }{ GIVEN($query) ->
    [yes] {" "}zu { QUOTED($query) }; jedes Wort, das fiel: eda recall --all { $query }
   *[no] ; eine treffen: eda debate "Sollen wir ...?"
}
decisions-noted = notiert bei { $session }
decisions-page =
    .title = Entscheidungen
    .sign-out = Abmelden
    .head = Was haben wir entschieden?
    .begin = Neue Debatte
    .ask = Fragen, was entschieden wurde, oder alles Gesagte durchsuchen
    .such-as = Fragen, etwa: Miete   /
    .search = Suchen
    .question = Frage
    .options = Optionen, je Zeile eine (keine: das Gremium macht Vorschläge)
    .offered = In Ihrer Frage gefunden:
    .use = Übernehmen
    .panel = Gremium
    .format = Ablauf
    .own = der des Gremiums
    .sit = Ich sitze am Tisch als
    .nobody = niemand
    .invite = Ich lade an den Tisch ein, je Zeile ein Name
    .seconds = Sekunden, die ein Mensch zum Antworten hat
    .limit = für mich unbegrenzt, für andere 300
    .settings = Weitere Einstellungen
    .cost = Was wird es kosten?
    .documents = Unterlagen, die alle gelesen haben: Text, Markdown, PDF, Word, HTML, CSV; zusammen 14 MB
    .asked = Gefragt wird {"{runner}"}.
    .played = Es spielt das Gremium und ist kein Sprachmodell: Um eines zu fragen, starten Sie den Server mit --runner.
    .start = Beginnen
    .read-as = Gelesen als:
    .counts = Entscheidungen: {"{n}"}, Sitzungen: {"{of}"}.
    .all = Alle Sitzungen
    .decision = Entscheidung
    .sides = Dafür und dagegen
    .after = Zuständig, Wiedervorlage, Ergebnis
    .date = Datum
    .unreadable = Unlesbar
    .running = Läuft
    .paused = Angehalten
    .fork = Abzweig
    .decided = Entschieden
    .undecided = Kein Ergebnis
    .ended = Beendet
    .unfinished = Unvollendet
    .recorded = Aus einer Aufzeichnung abgespielt
    .simulated = Kein Modell nahm teil; nichts wurde entschieden
    .resume = kann fortgesetzt werden
    .mind = Würde umstimmen: {"{who}"}:
    .said = Im Gespräch gesagt
    .for = Dafür
    .against = Dagegen
    .no-owner-ever = kann niemandem zugeteilt werden
    .no-owner = niemand zuständig
    .nothing = Von {"{n}"} Sitzungen hat keine diese Wörter in Frage, Antwort oder Mitgliedern, und keine Nachricht hat sie alle. Versuchen Sie weniger Wörter oder andere.
    .no-session = Noch keine Sitzung.
    .more = Ältere: {"{n}"}. Suchen Sie danach.
    .no-file = {"{name}"} ist nicht lesbar
    .large = Die Unterlagen haben zusammen mehr als 14 MB: Geben Sie die Teile, auf die es ankommt.
    .answered = der Server antwortete {"{status}"}
    .no-server = Der Server antwortet nicht.
    .working = wird berechnet …
    .forecast = Voraussage: {"{cost}"}.
    .from = aus {"{parent}"}
    .now = jetzt
    .yesterday = gestern
