# Was ein Mensch am Tisch gefragt wird und erfährt.

seat-asked = { GIVEN($seat) ->
    [yes] als { $seat }:{" "}
   *[no] {""}
}{ $purpose ->
    [poll] welche Option vertreten Sie (geheim)?
    [first-ballot] Ihre erste Stimme (geheim, bevor jemand spricht)?
    [ballot] Ihre Stimme?
    [opening] Ihre Eröffnung
    [word] Ihr Wort ({ $phase })
   *[floor] Sie haben das Wort
}{ $seconds ->
    [0] {""}
   *[other] {" "}· { $seconds } s Zeit
}{ $purpose ->
    [opening] ; niemand sieht sie, bevor alle geschrieben haben. Mit der Eingabetaste setzen Sie aus
    [word] ; niemand sieht es, bevor alle geschrieben haben. Mit der Eingabetaste setzen Sie aus
    [floor] {" "}({ $phase }). Mit der Eingabetaste setzen Sie aus
   *[other] {""}
}
seat-how =
    .ids = welche zuerst? Nur Buchstaben oder Kennungen, den besten zuerst: B > A, mit B = A für gleich gute; 'keinen' nimmt keinen an; die Eingabetaste enthält sich
    .poll = ein Buchstabe, eine Kennung oder die Worte; die Eingabetaste für keine davon
    .ballot = welche könnten Sie annehmen? Buchstaben oder Kennungen, den besten zuerst (B > A), oder die Worte eines davon{ $also ->
        [yes] ; 'auch C' nennt, was zusätzlich gelten soll
       *[no] { "" }
    }; 'keinen' nimmt keinen an; die Eingabetaste enthält sich; '/vote B' ändert die Stimme, bis alle abgestimmt haben
    .scores = Buchstaben oder Kennungen mit Punkten von 0 bis 10 (B 7, A 2); 'keinen' nimmt keinen an; die Eingabetaste enthält sich; '/vote B 9' ändert die Stimme, bis alle abgestimmt haben
seat-read = gelesen als: { $read } Die Eingabetaste heißt ja, oder geben Sie eine andere Antwort ein
seat-unread = nicht als Stimme gelesen: { QUOTED($typed) }{ GIVEN($wrong) ->
    [yes] {" "}({ $wrong })
   *[no] { "" }
}. Bis jetzt ist Ihre Stimme gelesen als: { $read } Geben Sie 'ja' ein, wenn das so bleibt; um sie zu ändern oder einen Text wegzulassen, geben Sie die ganze Stimme neu ein. Mit der Eingabetaste enthalten Sie sich
seat-voted = Ihre Stimme: { GIVEN($text) ->
    [yes] { $text }.{" "}
   *[no] {""}
}{ $read }
seat-no-vote = das zählt nicht: { $wrong }. Bis alle abgestimmt haben, geben Sie Ihre Stimme neu ein, den besten Text zuerst, etwa B > A, oder '/vote B'; eine Stimme, die schon zählte, gilt weiter. Die Auszählung wartet nicht auf Sie: 'eda vote' nimmt eine fehlende Stimme später an. Eine Zeile, die mit @NAME beginnt, ist Rede
seat-step =
    .order = Die Eingabetaste: wie eingegeben ({ $text }), oder eine andere Reihenfolge: B > A, mit B = A für Gleiches
    .beside = Die Eingabetaste: nichts, oder Buchstaben oder Kennungen
    .adds = { $text } auch { $beside }
    .which = Welches davon: { LIST($texts, by: " oder ") }? Die Eingabetaste: nichts
seat-terms = { GIVEN($typed) ->
    [yes] was ist { QUOTED($typed) }? 1: Ich nehme den Text so, wie er ist. 2: Keine Änderung würde mich umstimmen. 3: Das ist die Änderung, die ich will. Geben Sie 1, 2 oder 3 ein. Mit der Eingabetaste zählt es nicht, und alle sehen Ihre Worte
   *[no] welche kleinste Änderung müsste „{ $text }“ haben, damit Sie zustimmen? Geben Sie die Änderung ein; oder 1, wenn Sie es so annehmen, wie es ist, 2, wenn keine Änderung Sie umstimmen würde. Sie werden allein gefragt; dann erfahren es alle. Mit der Eingabetaste sagen Sie nichts
}
seat-settle = (zuerst ja oder nein hierzu; Enter lässt es ungezählt)
seat-over = Ihre Zeit ist um, oder die Debatte wurde angehalten; { GIVEN($read) ->
    [yes] Ihre Stimme zählt, wie sie gelesen wurde, falls jetzt gezählt wird: { $read }
   *[no] { $votes ->
        [yes] es liegt keine Stimme von Ihnen vor. 'eda vote' nimmt eine fehlende später an
       *[no] Ihre getippte Zeile bleibt stehen
    }
}
seat-told =
    .open = Ihre Stimme steht noch aus
    .read-first = ein Beitrag: Er wird zuerst gelesen, und was dann noch offen ist, wird wieder gefragt
    .pass = Sie setzen aus
    .no-words = es wurde nichts getippt. Enter setzt aus, und das lässt sich nicht zurücknehmen; oder tippen Sie Ihren Beitrag
    .before-the-vote = Abgeschickt: Das Gremium hört es, bevor es abstimmt
    .after-the-vote = Gemerkt: Das Gremium hört es, wenn die Abstimmung vorbei ist, und dann stimmen alle noch einmal ab, außer nach einem Zug, der nicht zählt
    .after-this-vote = Gemerkt: Das Gremium hört es, wenn die Abstimmung vorbei ist
    .kept = Gemerkt, bis alle geschrieben haben
    .answered = Angekommen
    .answered-at-a-vote = Angekommen: Es zählt, sobald die Abstimmung vorbei ist
    .sent = Abgeschickt: Es wird nach diesem Beitrag gehört
    .promised = Zugesagt, in eigenen Worten:
    .typing = was Sie tippen, wird nach diesem Beitrag gehört; @NAME fragt ein Mitglied, das als Nächstes antwortet
seat-spoken-to = { $called ->
    [yes] { $who } spricht Sie an; was Sie tippen, wird nach dem Beitrag gehört
   *[no] { $who } sagt, alle seien sich einig ({ $at }). Wenn nicht, schreiben Sie: [DENY { $at }] und warum
}
seat-again = diese Antwort ließ sich nicht zählen: { $wrong }; bitte versuchen Sie es noch einmal
seat-kept = { $purpose ->
    [opening] Ihre Eröffnung
   *[other] Ihr Wort
} bleibt verdeckt, bis alle geschrieben haben: { $text }
seat-waits = Das Gremium wartet auf { $does ->
    [vote] die Stimme
   *[speak] den Beitrag
} von { $names }.
seat-somebody = jemandem
seat-invitation = Einladung für { $name }: { $link }
seat-is-here = { $name } ist da.
seat-still-reading = Ergebnis und Bericht bleiben für { $names } lesbar. Die Eingabetaste schließt den Tisch.

seat-steered = { $does ->
    [pause] die Debatte wartet nach diesem Beitrag; /resume setzt sie fort
   *[next] dieser Abschnitt endet nach diesem Beitrag
}
seat-page =
    .support = Dafür
    .oppose = Dagegen
    .amend = Text ändern
    .withdraw = Zurückziehen
    .propose = Vorschlagen
    .ask = Fragen
    .on-text = {"{does}"}: {"{title}"}
    .as-it-stands = So, wie er dasteht
    .on-condition = Unter einer Bedingung
    .if-label = Wenn …
    .if = wenn
    .why = Warum
    .may-be-empty = darf leer bleiben
    .title-label = Titel
    .of-words = {"{n}"} von {"{most}"} Wörtern
    .whole-text = Der ganze Text
    .to-whom = An wen
    .everyone = alle
    .question = Die Frage
    .put-up = Vorlegen
    .cancel = Abbrechen
    .remove = Entfernen
    .changed = {"{n}"} Wörter dazu, {"{out}"} weg
    .says-support = {"{who}"} ist für {"{title}"}.
    .says-support-if = {"{who}"} ist für {"{title}"}, wenn {"{words}"}.
    .then-support-if = Es steht neben denen, die dafür sind, bis Sie sagen, dass die Bedingung erfüllt ist.
    .says-oppose = {"{who}"} ist gegen {"{title}"}.
    .says-propose = {"{who}"} schlägt vor: {"{title}"}.
    .then-propose = Der Text steht als weitere Antwort auf dem Stimmzettel.
    .says-amend = {"{who}"} ändert {"{title}"}.
    .then-amend = Die andere Fassung bleibt daneben auf dem Tisch.
    .says-withdraw = {"{who}"} zieht {"{title}"} zurück.
    .now-vote = Ihre Stimme.
    .now-asked = Eine Frage an Sie allein.
    .now-voted = Ihre Stimme ist da.
    .still-to-vote = Noch nicht abgestimmt haben: {"{who}"}.
    .then-closed = Niemand hat das Wort, bis alle abgestimmt haben.
    .now-floor = Sie haben das Wort.
    .now-sealed = Jetzt schreiben Sie.
    .then-sealed = Niemand sieht es, bevor alle geschrieben haben.
    .others-sealed = Was andere schreiben, bleibt verdeckt, bis alle geschrieben haben.
    .now-speaks = {"{who}"} spricht jetzt.
    .now-paused = Die Debatte wartet.
    .then-vote-in = Beiträge bis zur Abstimmung: {"{n}"}.
    .then-vote = Danach wird abgestimmt.
    .pass = Aussetzen
    .for-you = {"{n}"} für Sie
    .reworded = Eine neue Fassung Ihres Textes
    .table = Auf dem Tisch
    .verdict = Ergebnis
    .to = An {"{who}"}
    .to-muted = An {"{who}"} (stumm: hört zu, spricht nicht)
    .your-words = Ihre Worte
    .send-words = Sagen
    .opening-how = Ihre Eröffnung: Was denken Sie, und warum?
    .speak-or-pass = Sie haben das Wort: sprechen Sie, oder setzen Sie aus
    .say-as = Etwas sagen als {"{who}"}
    .documents = Unterlagen
    .search-document = In dieser Unterlage suchen
    .hits = {"{n}"} von {"{other}"}
    .hit-before = Die Stelle davor
    .hit-after = Die nächste Stelle
    .quote = Zitieren
    .ask-about = Danach fragen
    .cited-in = Zitiert in {"{messages}"}
    .back-to = Zurück zu {"{message}"}
    .close-document = Schließen
    .no-document = Die Unterlage ist nicht zu erreichen.
    .since = Seit {"{message}"}, als Sie zuletzt hier waren:
    .since-said = {"{n}"} Beiträge ab {"{message}"}, von {"{who}"}.
    .since-to-you = An Sie: {"{messages}"}.
    .since-phases = Die Debatte kam zu: {"{phases}"}.
    .since-put = Neu auf dem Tisch:
    .go-without = Ohne weitermachen
    .invitation-for = Einladung für {"{who}"}
    .copy = Kopieren
    .new-invitation = Neue Einladung
    .new-invitation-for = Neue Einladung für {"{who}"}: sie beendet die alte
    .person-here = {"{who}"}: da
    .person-away = {"{who}"}: nicht da
    .person-invited = {"{who}"}: eingeladen
    .give-up = Den Platz aufgeben?

seat-join =
    .head = Einladung
    .invited = Zu dieser Debatte sind Sie eingeladen als
    .what = Ein Gremium berät die Frage, und Sie mit ihm. Sie können sprechen, wann Sie wollen, und geheim abstimmen; was Sie sagen, steht unter diesem Namen im Protokoll der Debatte. Der Platz gehört dann diesem Browser, und niemand sonst kann ihn einnehmen.
    .sit = Platz nehmen als {"{who}"}
    .none = Diese Einladung gibt es nicht, oder eine neuere hat sie beendet. Bitten Sie um eine neue.
    .used = Diese Einladung wurde schon benutzt. Bitten Sie um eine neue; damit endet diese.
    .not-open = Diese Seite fragt, wer Sie sind
    .no-way = Hier ist nichts zu sehen
    .list = Zu den Entscheidungen
    .token = Das Kennwort: das Ende der Adresse, die das Programm beim Start genannt hat
    .open = Öffnen

seat-command =
    .pause = pause
    .pause-does = die Debatte nach diesem Beitrag anhalten
    .resume = resume
    .resume-does = die Debatte fortsetzen
    .next = next
    .next-does = diese Phase nach diesem Beitrag beenden
    .vote = vote TEXT|BUCHSTABE
    .vote-does = Ihre Stimme; sie lässt sich ändern, bis alle abgestimmt haben
    .back = back
    .back-does = zurücknehmen, wofür Ihre letzte Zeile gezählt wurde; mit m4 dahinter: eine andere
    .table = table
    .table-does = was vorgeschlagen, behauptet, beschlossen und zugesagt ist, mit Kennungen
    .note = note TEXT
    .note-does = eine Notiz machen, die den Mitgliedern gezeigt wird
    .help = help
    .help-does = diese Liste zeigen
    .quit = quit
    .quit-does = die Debatte anhalten; `eda resume` setzt sie fort
