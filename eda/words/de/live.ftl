# Der untere Teil eines Terminals.

live-now =
    .paused = angehalten; /resume setzt fort
    .stopping = hält an
    .writing = schreibt
    .floor = hat das Wort
    .report = der Bericht wird geschrieben
    .over = die Debatte ist zu Ende
    .nobody = niemand ist dafür oder dagegen
    .start = Beginn
live-still = schreiben noch: { LIST($who, by: ", ") }
live-asks = gesucht: { $asks }
live-from = aus { $parent }
live-read = gelesen: { LIST($documents, by: ", ") }
live-thinking = { $who } denkt nach

live-phase = { $kind ->
    [none] das Gremium nimmt Platz
    [reading] vor der Abstimmung wird gelesen, was zuletzt gesagt wurde
    [blind] alle schreiben nebeneinander
    [round] jedes Mitglied hat einmal das Wort
    [open] das Gremium wägt ab, wer als Nächstes spricht
    [poll] alle werden unter vier Augen gefragt, wofür sie sind
    [ballot] das Gremium stimmt ab
    [first-ballot] alle stimmen geheim ab, bevor jemand spricht
    [verdict] die Stimmen werden gezählt
   *[other] { $waiting }
}

live-page =
    .loading = wird geladen
    .pause = Anhalten
    .resume = Weiter
    .go-on = Fortsetzen
    .more = Mehr
    .next = Weiter zur nächsten Phase
    .next-how = Beendet diese Phase; geht, solange die Debatte steht
    .steer = Steuern
    .report = Bericht
    .leave = Gehen
    .search = Suchen
    .parts = Teile der Seite
    .talk = Gespräch
    .all-messages = Nachrichten
    .people = Personen
    .slider = Der Tisch, wie er nach einer Nachricht stand
    .a-note = Eine Notiz
    .note-for = Eine Notiz für das Gedächtnis des Gremiums
    .note = Notieren
    .goes-on = Die Debatte läuft weiter; andere merken davon nichts.
    .has-ended = Die Debatte ist zu Ende.
    .fork-here = Von hier abzweigen
    .back-to-live = Zurück zur Gegenwart
    .fork-what = Ein Zweig ist eine eigene Sitzung, die bis hierher dieser gleicht.
    .name = Name
    .fork = Abzweigen
    .fork-go = Abzweigen und fortsetzen
    .fork-after = Abzweigen nach {"{message}"}
    .may-speak = Wer sprechen darf
    .one-more = Ein weiteres Mitglied
    .nobody = niemand
    .apply = Ändern
    .steered-now = Gesteuert: gilt.
    .steered-turn = Gesteuert: gilt, sobald dieser Beitrag zu Ende ist.
    .steered-later = Gesteuert: gilt, sobald die Debatte weitergeht.
    .no-number = das ist keine Zahl.
    .keys = Tasten
    .space = Leertaste
    .key-jk = nächste und vorige Nachricht
    .key-space = anhalten, weiter
    .key-n = nächste Phase, solange die Debatte steht
    .key-time = zurück und vor in der Zeit
    .key-l = Gegenwart
    .key-search = suchen
    .key-t = hell oder dunkel
    .key-esc = schließen
    .new-one = {"{n}"} neue Nachricht ↓
    .new-many = {"{n}"} neue Nachrichten ↓
    .spoken-to = an {"{who}"}
    .answering = auf {"{message}"}
    .speaking = spricht
    .got-unread = Nicht gelesen: die Debatte steht.
    .got-voting = Angekommen. Das Gremium hört es, wenn die Abstimmung vorbei ist, und dann stimmen alle neu ab, außer nach einem Zug, der nicht zählt.
    .got-this-vote = Angekommen. Das Gremium hört es, wenn die Abstimmung vorbei ist.
    .replaced = Ersetzt durch das, was Sie seitdem gesagt haben.
    .got-sealed = Angekommen. Es bleibt verdeckt, bis alle geschrieben haben.
    .got-after = Angekommen. Es wird gelesen, wenn {"{who}"} fertig ist.
    .got-turn = Angekommen. Es wird gelesen, wenn dieser Beitrag zu Ende ist.
    .sending = Wird gesendet …
    .closed = Der Tisch ist geschlossen.
    .closed-ended = Was hier steht, bleibt, bis Sie die Seite verlassen.
    .closed-open = Die Debatte ist nicht zu Ende: Wer Sie eingeladen hat, kann sie fortsetzen und Sie wieder einladen.
    .ballots-in = {"{n}"} von {"{of}"} Stimmzetteln da
    .after = Nach {"{message}"}
    .the-end = Schluss
    .live = Jetzt
    .now = Stand
    .decided = Entschieden
    .hinges = Woran es hängt
    .try-what = Die letzte Abstimmung wird wiederholt: jedes Mal mit einer Änderung, und doppelt so oft ohne Änderung. Keine dieser Stimmen zählt.
    .premises = Was vielleicht nicht stimmt, je Zeile eines
    .try-runs = Abstimmungen je Änderung
    .try-budget = Höchstens (USD)
    .try-again = Jedes Mal die Debatte selbst wiederholen
    .try-changed = Das würde geändert: {"{n}"}
    .try-left = Nicht zu versuchen: {"{n}"}
    .try-free = Was die Stimmzettel ohne Anfrage sagen: {"{n}"}
    .try-start = Beginnen
    .trying = Bisher wiederholt: {"{n}"}
    .tried = Fertig. Woran es hängt, steht unter dem Ergebnis.
    .stop = Beenden
    .working = wird berechnet …
    .undecided = Kein Ergebnis
    .paused = Angehalten
    .paused-by = Angehalten von {"{who}"}
    .paused-vote = Angehalten von {"{who}"} nach dieser Abstimmung
    .unfinished = Unvollendet
    .n-of = {"{n}"} von {"{of}"}
    .messages = Nachrichten
    .unplanned = {"{n}"} mehr als geplant
    .asks-for = gesucht: {"{what}"}
    .watching = {"{n}"} Personen auf dieser Seite
    .looking-at = Sie sehen den Tisch, wie er nach {"{message}"} stand.
    .looking-back = Zurück zu {"{message}"} …
    .no-server = Der Server antwortet nicht.
    .answered = Der Server antwortete {"{status}"}.
    .no-report = Der Bericht ist nicht zu erreichen: Der Server dieses Tisches läuft nicht mehr. Er liegt als report.html im Ordner der Sitzung {"{session}"}; wer Sie eingeladen hat, kann ihn schicken.
    .lost = Verbindung verloren
    .lost-at = Verbindung verloren, zuletzt {"{message}"}
    .your-turn = Sie sind dran: {"{question}"}
    .given-short = vorgegeben
    .given-long = mit der Frage vorgegeben
    .amends = ändert {"{texts}"}
    .joins = vereint {"{texts}"}
    .unspoken = noch niemand dafür oder dagegen
    .openly = Was alle im Gespräch offen gesagt haben. Stimmen sind geheim: hier steht keine.
    .n-for = {"{n}"} von {"{of}"} dafür
    .stand-support = Dafür
    .stand-conditional = Dafür, wenn …
    .stand-oppose = Dagegen
    .stand-neutral = Unentschieden
    .stand-position = Position, nicht mitgezählt
    .stand-silent = Ohne Äußerung
    .for-older = Für {"{text}"} ({"{why}"})
    .made-in = Wie es entstand: {"{n}"} Fassungen
    .rest-decided = Entschieden
    .rest-claimed = Behauptet, nicht abgestimmt
    .rest-asked = Offen, sagt die Niederschrift
    .rest-unsourced = Zahlen, für die allein das Wort dessen steht, der sie nennt, und kein Dokument der Runde, sagt die Niederschrift
    .n-accepted = {"{n}"} angenommen
    .n-closed = {"{n}"} nicht mehr offen
    .table-at = Auf dem Tisch bei {"{message}"}
    .n-open = {"{n}"} offen
    .no-text = Noch liegt nichts auf dem Tisch.
    .member = Mitglied
    .first-when = Wer wann was an die erste Stelle setzte
    .ballots = Die Stimmzettel
