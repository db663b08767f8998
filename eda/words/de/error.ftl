# Was falsch war, und als Hinweis, was zu tun ist.

error-question-empty = Die Frage ist leer
    .hint = Fragen Sie etwas, zum Beispiel: „Sollen wir ...?“
error-options-text = Die Optionen sind ein einziger Text: „{ $options }“
    .hint = Geben Sie eine Liste: options=["Ja", "Nein"].
error-option-empty = Eine Option ist leer
    .hint = {""}
error-option-word = Eine Option kann nicht „{ $word }“ heißen: Auf dem Stimmzettel heißt das, dass jemand keine Option nimmt
    .hint = Sagen Sie, was dann geschähe: „Es bleibt, wie es ist“.
error-option-twice = Eine Option steht zweimal da: „{ $option }“
    .hint = Optionen haben verschiedene Worte.
error-options-many = { $count } Optionen sind zu viele zum Abwägen
    .hint = Geben Sie höchstens { $most }.
error-option-alone = Eine einzige Option lässt keine Wahl
    .hint = Geben Sie mindestens zwei, oder keine.
error-poll-nothing = Die Einstellung „poll“ fragt nach den Optionen, und es gibt keine
    .hint = Geben Sie zwei Optionen, oder stellen Sie eine Frage, die mit Ja oder Nein zu beantworten ist.
error-two-options = Der Ablauf „{ $format }“ braucht genau zwei Optionen, hier sind { $count }
    .hint = Geben Sie zwei Optionen, oder stellen Sie eine Frage, die mit Ja oder Nein zu beantworten ist.
error-poll-none = Der Ablauf „{ $format }“ fragt das Gremium nach Optionen, und es gibt keine
    .hint = Geben Sie zwei Optionen, oder stellen Sie eine Frage, die mit Ja oder Nein zu beantworten ist.
error-fixed-none = Nur über gegebene Optionen abstimmen geht nicht: Es ist keine gegeben
    .hint = Geben Sie zwei Optionen, oder stellen Sie eine Frage, die mit Ja oder Nein zu beantworten ist.
error-fixed-ballot = Nur über gegebene Optionen abstimmen gehört zu einer Abstimmung über Optionen, und der Ablauf „{ $format }“ hat keine
    .hint = Lassen Sie es weg, oder wählen Sie den Ablauf panel.
error-consensus-none = Der Ablauf „{ $format }“ hat keine offene Aussprache, die ein Konsens beenden könnte
    .hint = Lassen Sie den Konsens weg.
error-answer-none = Die Art der Antwort gehört zu einer Abstimmung, und der Ablauf „{ $format }“ hat keine
    .hint = Lassen Sie sie weg.
error-judge-missing = Die Regel judge braucht ein Mitglied, das entscheidet
    .hint = Nennen Sie es in den weiteren Einstellungen, oder mit --judge NAME.
error-rule-polls = Die Regel { $rule } vergleicht eine Umfrage vorher mit einer nachher, und der Ablauf „{ $format }“ macht nicht beide
    .hint = Nehmen Sie sie mit dem Ablauf oxford, oder eine andere Regel.
error-rule-ballot = Der Ablauf „{ $format }“ macht Umfragen, und an denen hat die Regel { $rule } nichts zu zählen
    .hint = Nehmen Sie eine Regel, die erste Stimmen zählt, etwa plurality.
error-session-other = Die Sitzung „{ $session }“ entstand nicht hier, und sie sagt selbst, wer antwortet: { $spec }
    .hint = Im Terminal: eda resume { $typed } --runner SPEC. Wenn Sie ihr trauen, wie sie ist: eda resume { $typed } --trust.
error-runner-own = In der Sitzung hat ein eigener Runner geantwortet ({ $spec })
    .hint = Nennen Sie im Terminal einen: --runner SPEC.
error-runner-none = In dieser Sitzung hat kein Modell geantwortet: Sie wurde eingelesen
    .hint = Nennen Sie im Terminal eines: --runner SPEC.
error-panel-sits = Die Sitzung „{ $session }“ hat ein Gremium, und --panel setzt eines, wo ein Gespräch keines hat
    .hint = Weiter mit dem eigenen: eda resume { $typed }
error-panel-small = Ein Gremium braucht mindestens zwei Mitglieder
    .hint = Nennen Sie eine weitere Persona: eda list personas
error-name-of-format = „{ $name }“ heißt in diesem Ablauf schon ein Mitglied
    .hint = Nehmen Sie unter einem anderen Namen teil.
error-name-sits = „{ $name }“ sitzt schon im Gremium
    .hint = Nehmen Sie unter einem anderen Namen teil.
error-name-two = Zwei Personen säßen hier als „{ $name }“
    .hint = Geben Sie jeder einen eigenen Namen.
error-sits-twice = { $name } säße zweimal hier
    .hint = Nennen Sie jede Persona einmal.
error-for-the-server = „{ $name }“ wählt, wem der Server gehört
    .hint = Lassen Sie es weg.
error-panel-and-personas = Gremium und Personas gehen nicht zugleich
    .hint = Lassen Sie eines davon weg.
error-setting-none = { $name } kann nicht leer sein
    .hint = Möglich: { LIST($known, by: " oder ") }.
error-session-ended = Die Sitzung „{ $session }“ ist zu Ende ({ debate-why })
    .hint = Lesen: eda show { $typed }. Fortsetzen: eda resume { $typed } { $option } { $most }
error-session-limit = Die Sitzung „{ $session }“ hat ihre Grenze erreicht ({ debate-why })
    .hint = Heben Sie { $limit } über die bisherige Grenze: eda resume { $typed } { $option } ...
error-late-summariser = summariser lässt sich nicht ändern: Die Zusammenfassungen, die es gibt, sind damit gemacht
    .hint = Beginnen Sie eine neue Sitzung.
error-late-first-vote = first_vote lässt sich nicht ändern: Die erste Abstimmung kommt vor der Debatte
    .hint = Beginnen Sie eine neue Sitzung.
error-late-ballots = { $name } lässt sich jetzt nicht ändern: { $cast } von { $of } Stimmzetteln sind abgegeben, und danach wurde gefragt
    .hint = Lassen Sie die Abstimmung enden; `eda show --tally` zählt dieselben Stimmen dann nach jeder Regel.
error-seat-nobody = Für den Platz ist keine Persona genannt
    .hint = Nennen Sie eine: eda list personas
error-not-muted = { $who } ist nicht stumm
    .hint = {""}
error-muted-already = { $who } ist schon stumm
    .hint = {""}
error-panel-small-left = Ein Gremium braucht mindestens zwei Mitglieder
    .hint = Ersetzen Sie das Mitglied, oder stellen Sie es stumm.
error-nobody-left = Ohne { $who } wäre niemand mehr da, der spricht
    .hint = {""}
error-seat-same = { $who } hat diesen Platz schon
    .hint = Wählen Sie eine andere Persona: eda list personas
error-seat-sits = { $title } sitzt schon im Gremium
    .hint = Wählen Sie eine andere Persona: eda list personas
error-judge-leaves = { $who } entscheidet und kann nicht gehen
    .hint = Nennen Sie erst ein anderes Mitglied, das entscheidet: --set judge=NAME
error-settings-so = Die Einstellungen sind schon so
    .hint = {""}
error-correction-long = Eine Berichtigung hat höchstens { $most } Zeichen
    .hint = Sagen Sie es kürzer.
error-reads-so = { $item } lautet schon so
    .hint = {""}
error-note-long = Eine Notiz hat höchstens { $most } Zeichen, diese hat { $count }
    .hint = Sagen Sie es kürzer.
error-note-empty = Die Notiz ist leer
    .hint = Sagen Sie, woran man sich erinnern soll.
error-note-name = Eine Notiz braucht einen Namen von 1 bis { $most } Zeichen, und ihr Thema ist nicht länger
    .hint = {""}
error-note-member = „{ $who }“ sitzt im Gremium und macht eigene Notizen
    .hint = Nehmen Sie einen eigenen Namen.
error-line-closed = Die Debatte ist beendet: Was bis dahin gezählt wurde, bleibt, wie es ist
    .hint = Um etwas zurückzunehmen, setzen Sie die Debatte fort: eda resume.
error-not-begun = Die Debatte hat nicht begonnen: Es gibt noch nichts zu ändern
    .hint = Lassen Sie sie erst laufen.
error-vote-none = Keine Stimme von Ihnen wartet darauf, gezählt zu werden
    .hint = Sie lässt sich ändern, bis alle abgestimmt haben.
error-say-nothing = Es gibt nichts zu sagen
    .hint = {""}
error-no-person-seat = „{ $who }“ hat an diesem Tisch keinen Platz für einen Menschen
    .hint = {""}
error-is-muted = { $who } ist stumm
    .hint = Heben Sie das erst auf.
error-no-talk = Jetzt gibt es kein Gespräch, das enden könnte
    .hint = {""}
error-stopped = Die Debatte ist angehalten
    .hint = Setzen Sie sie fort.
error-runs-already = { $session } läuft schon
    .hint = Sehen Sie auf die Seite der Debatte.
error-runs-elsewhere = { $session } läuft nicht auf diesem Server
    .hint = Setzen Sie die Debatte fort, oder nehmen Sie das Terminal, in dem sie läuft.
error-no-seat = Auf dieser Seite hat niemand einen Platz
    .hint = Beginnen Sie eine Debatte mit einem.
error-no-change = Nichts wurde geändert
    .hint = Ändern Sie etwas, oder schließen Sie das Fenster.
error-waits-no-longer = Diese Frage wartet nicht mehr auf Sie
    .hint = Sehen Sie ins Gespräch: Es ging weiter.
error-people-alike = Zwei Personen haben denselben Namen
    .hint = Geben Sie jeder einen eigenen.
error-for-the-owner = Das kann nur, wer Sie eingeladen hat
    .hint = {""}
error-report-later = Der Bericht zeigt, wie jedes Mitglied stimmte: Er ist zu lesen, wenn die Debatte zu Ende ist
    .hint = Setzen Sie die Debatte fort.
error-invitation-none = Diese Einladung gibt es nicht, oder eine neuere hat sie beendet
    .hint = Bitten Sie um eine neue.
error-browser-seated = In diesem Browser sitzt schon { $who }
    .hint = Öffnen Sie die Einladung in einem anderen Browser.
error-invitation-used = Diese Einladung wurde schon benutzt
    .hint = Bitten Sie um eine neue; sie beendet diese.
error-not-invited = „{ $who }“ war nicht an diesen Tisch eingeladen
    .hint = {""}
error-no-page = Diese Seite gibt es nicht
    .hint = Vielleicht ist die Adresse abgeschnitten, oder die Sitzung wurde entfernt.
error-not-open = Das ist für Sie nicht offen
    .hint = Öffnen Sie die Adresse mit dem Kennwort, oder die Einladung, die Sie bekamen.
error-test-runs = Ein Versuch mit diesem Ergebnis läuft schon
    .hint = Warten Sie sein Ende ab, oder beenden Sie ihn.
error-test-recorded = In dieser Debatte antwortete eine Aufzeichnung, und die hat keine anderen Stimmen
    .hint = Starten Sie den Server mit einem Modell: eda serve --runner SPEC.
error-no-ballots = Die Sitzung { $session } hat kein Ergebnis einer Abstimmung
    .hint = eda show { $session }
error-only-persons = Nur Menschen haben abgestimmt, und die werden nicht noch einmal gefragt
    .hint = {""}
error-premise-empty = Eine Voraussetzung ist leer
    .hint = Geben Sie ihre Worte, wie sie in einer Unterlage oder Nachricht stehen.
error-fork-by-hand = Die Sitzung „{ $session }“ begann als Gespräch von Hand, da gibt es nichts abzuzweigen
    .hint = {""}
error-name-invalid = „{ $name }“ ist kein Name für eine Sitzung
    .hint = Beginnen Sie mit einem kleinen Buchstaben oder einer Ziffer, dann bis zu 79 Buchstaben, Ziffern, „-“, „_“ und einzelne „.“.
error-session-busy = Ein anderes Programm schreibt gerade an der Sitzung „{ $session }“
    .hint = Warten Sie, bis es fertig ist, oder beenden Sie es mit Strg-C, dabei geht nichts verloren. Lesen können Sie die Sitzung solange mit `eda show { $typed }`.
error-session-shipped = Die Sitzung „{ $session }“ bringt EDA mit, und sie lässt sich nur lesen
    .hint = Eine eigene Kopie, die weitergehen kann: eda fork { $session }. Eine eigene Debatte: eda debate "Sollen wir ...?"
error-session-archived = Die Sitzung „{ $session }“ ist abgelegt
    .hint = Zurückholen: eda archive { $typed } --back. Oder dort lesen: eda show { $read }
error-name-own = „{ $session }“ heißt sie schon
    .hint = Wählen Sie einen anderen Namen.
error-session-linked = { $path } steht für eine Datei an anderer Stelle, und die hat keine Sitzung
    .hint = Löschen Sie es, oder legen Sie eine Kopie jener Datei an seine Stelle, wenn Sie wissen, woher es kommt.
error-no-model = Hier antwortet kein Modell: Es ist keines genannt, und ANTHROPIC_API_KEY ist nicht gesetzt
    .hint = { running-no-model }

error-large = ist größer als { $size }
    .hint = Geben Sie den Teil, auf den es ankommt.
error-blank = ist leer
    .hint = Nennen Sie eine Datei mit Text.
error-other-kind = ist { $kind ->
    [png] ein Bild (PNG)
    [jpeg] ein Bild (JPEG)
    [gif] ein Bild (GIF)
    [zip] ein ZIP-Archiv
    [office] eine alte Office-Datei oder eine mit Passwort
   *[rtf] eine RTF-Datei
} und kein Text
    .hint = Speichern Sie den Text als UTF-8, .docx oder .pdf.
error-much = hat zu viel Text
    .hint = Geben Sie den Teil, auf den es ankommt.
error-broken-word = ist eine beschädigte Word-Datei
    .hint = Öffnen Sie sie in Word, und speichern Sie sie neu als .docx.
error-pictures = hat keinen Text
    .hint = Bilder werden nicht gelesen: Speichern Sie den Text selbst.
error-broken-html = ist beschädigtes HTML: { $error }
    .hint = Speichern Sie die Seite neu, als UTF-8, oder ihren Text.
error-no-page-text = ist eine Seite ohne Text
    .hint = Seiten, die Skripte machen, haben keinen: Speichern Sie den Text selbst.
error-no-table = ist keine Tabelle: { $error }
    .hint = Setzen Sie Werte, in denen Anführungszeichen stehen, in Anführungszeichen.
error-pdf-pictures = { $count ->
        [0] hat keine Seite
       *[other] hat auf { $count } Seiten keinen Text: Sie sind Bilder
    }
    .hint = Lassen Sie erst den Text erkennen, etwa mit `ocrmypdf EIN AUS`.

error-what = { GIVEN($number) ->
    [yes] Nummer { $number } in „{ $name }“
   *[no] { $name ->
        [question] „Frage“
        [options] „Optionen“
        [panel] „Gremium“
        [format] „Ablauf“
        [human] „Ich sitze am Tisch als“
        [invite] „Eingeladene“
        [human_time] „Sekunden zum Antworten“
        [documents] „Unterlagen“
        [text] „Text“
        [seed] „Startwert“
        [settings] „Einstellungen“
        [runs] „Abstimmungen je Änderung“
        [premises] „Voraussetzungen“
        [budget] „Höchstbetrag“
        [max_messages] „Höchstzahl der Nachrichten“
        [max_cost] „Kosten“
        [max_tokens] „Tokens“
        [max_seconds] „Zeit“
        [call_timeout] „Frist einer Anfrage“
        [quorum] „Quorum“
        [consensus] „Konsens“
        [poll_every] „Nachrichten zwischen Umfragen“
        [summary_every] „Nachrichten je Zusammenfassung“
        [language] „Sprache“
        [rule] „Regel“
        [floor] „Wer als Nächstes spricht“
        [judge] „Wer entscheidet“
        [answer] „Art der Antwort“
        [message] „Nachricht“
        [name] „Name“
        [at] „Nachricht“
        [add] „Ein weiteres Mitglied“
        [who] „Name“
        [do] „Was zu tun ist“
        [mute] „Stumm“
        [unmute] „Nicht mehr stumm“
       *[other] { GIVEN($path) ->
            [yes] „{ $path }“
           *[no] Die Anfrage
        }
    }
}
error-field = { $kind ->
    [missing] { error-what } fehlt
    [string_pattern_mismatch] { error-what } { $given } besteht nicht aus kleinen Buchstaben, Ziffern und Bindestrichen
    [text_too_short] { error-what } ist leer
    [string_too_short] { error-what } ist leer
    [too_short] { error-what } ist leer
    [text_too_long] { error-what } ist länger als { $bound } Zeichen
    [string_too_long] { error-what } ist länger als { $bound } Zeichen
    [too_long] { error-what } hat mehr als { $bound } Einträge
    [greater_than_equal] { error-what } muss mindestens { $bound } sein
    [greater_than] { error-what } muss größer als { $bound } sein
    [less_than_equal] { error-what } darf höchstens { $bound } sein
    [less_than] { error-what } muss kleiner als { $bound } sein
    [int_parsing] { error-what } muss eine ganze Zahl sein
    [int_type] { error-what } muss eine ganze Zahl sein
    [int_from_float] { error-what } muss eine ganze Zahl sein
    [float_parsing] { error-what } muss eine Zahl sein
    [float_type] { error-what } muss eine Zahl sein
    [finite_number] { error-what } muss eine endliche Zahl sein
    [bool_parsing] { error-what } muss ja oder nein sein
    [bool_type] { error-what } muss ja oder nein sein
    [literal_error] { error-what } muss eines davon sein: { $bound }
    [extra_forbidden] { error-what } gibt es nicht
    [base64_decode] { error-what } ist unterwegs beschädigt worden
    [string_type] { error-what } muss ein Text sein
    [tuple_type] { error-what } muss eine Liste sein
    [model_type] { error-what } ist keine Tabelle
    [model_attributes_type] { error-what } ist keine Tabelle
    [date_from_datetime_parsing] { error-what } muss ein Tag sein, wie 2026-11-28
   *[other] { error-what }: { $message }
}
    .hint = { $kind ->
        [missing] Geben Sie { error-what } an.
       *[other] { GIVEN($slug) ->
            [yes] Schreiben Sie „{ $slug }“.
           *[no] {""}
        }
    }
error-unknown = { $kind ->
    [panel] Dieses Gremium
    [persona] Diese Persona
    [format] Diesen Ablauf
    [session] Diese Sitzung
    [member] Dieses Mitglied
    [judge] Dieses Mitglied
    [runner] Diesen Runner
    [setting] Diese Einstellung
    [rule] Diese Regel
    [floor] Diese Redeordnung
    [item] Diesen Eintrag
    [language] Diese Sprache
   *[other] Diesen Namen ({ $kind })
} gibt es nicht: „{ $name }“{ GIVEN($where) ->
    [yes] {" "}in { $where }
   *[no] {""}
}
    .hint = { GIVEN($hint) ->
        [yes] { $hint }
       *[no] { GIVEN($close) ->
            [yes] Meinten Sie { LIST($close, by: " oder ") }?
           *[no] { GIVEN($known) ->
                [yes] Bekannt: { LIST($known, by: ", ") }{ $more ->
                    [0] {""}
                   *[other] {" "}und { $more } weitere
                }.
               *[no] Noch gibt es hier nichts.
            }
        }
    }
error-file = { $kind ->
    [document] Unterlage{" "}
   *[other] { GIVEN($kind) ->
        [yes] Datei{" "}
       *[no] {""}
    }
}{ GIVEN($path) ->
    [yes] { $path }
   *[no] Standardeingabe
}{ GIVEN($line) ->
    [yes] , Zeile { $line }
   *[no] {""}
}: { $reason }
    .hint = { $hint }
error-zero-byte = hat ein Nullbyte und ist also kein Text
    .hint = Speichern Sie die Datei als UTF-8.
error-no-utf = ist kein Text in UTF-8
    .hint = Speichern Sie die Datei als UTF-8.
error-slow = braucht zum Lesen mehr als { $seconds } Sekunden
    .hint = Speichern Sie den Text, und nennen Sie den.
error-broken = ist nicht zu lesen: beschädigt, oder zu groß für den Speicher
    .hint = Speichern Sie den Text, und nennen Sie den.
error-pdf-password = braucht ein Passwort
    .hint = Speichern Sie eine Kopie ohne Passwort.
error-pdf-cipher = ist verschlüsselt, und cryptography, das sie entschlüsselt, ist nicht installiert
    .hint = pip install cryptography
error-pdf-broken = ist ein beschädigtes PDF oder gar keines
    .hint = Öffnen Sie es in einem Programm, das es zeigt, und drucken Sie es in ein neues PDF.
error-no-message = die Sitzung „{ $session }“ hat keine Nachricht { $message }
    .hint = { show-messages }
error-name-taken = eine Sitzung „{ $session }“ gibt es schon
    .hint = { session-name-free }
error-no-messages = die Sitzung „{ $session }“ hat keine Nachrichten von m{ $low } bis m{ $high }
    .hint = { show-messages }
error-ballots-counted = { GIVEN($who) ->
    [yes] Der Stimmzettel von { $who }
   *[no] Jeder Stimmzettel
} ist gezählt
    .hint = Noch einmal genommen wird nur einer, der nicht lesbar ist oder fehlt.
error-no-command = Den Befehl /{ $name } gibt es nicht
    .hint = { GIVEN($close) ->
        [yes] Meinten Sie { LIST($close, by: " oder ") }?
       *[no] /help zeigt die Befehle.
    }
error-command-needs = Hinter /{ $name } fehlt etwas
    .hint = /help zeigt die Befehle.
error-not-paused = Die Debatte ist nicht angehalten
    .hint = {""}
error-one-of = { $first } und { $second } schließen einander aus
    .hint = Lassen Sie eines davon weg.
error-line-held = Nicht gesendet: { QUOTED($text) }
    .hint = Senden Sie es noch einmal, so ist es ein Beitrag.
error-line-hedged = Noch zählt nichts, und nichts ist gesendet: { QUOTED($text) } lässt sich auf mehr als eine Weise lesen
    .hint = Antworten Sie nur mit Ja oder Nein, oder sagen Sie ganz, was Sie meinen, etwa „Ich bin für { $id }“.
error-line-counts = Noch ist nichts zurückgenommen. Es zählen: { LIST($lines, by: ", ") }
    .hint = /back { $at }, oder „Zurücknehmen“ auf einer Seite, nimmt alles aus { $at } zurück; eine Zeile wie „Ich nehme o1 zurück“ nimmt eine Haltung zurück.
error-line-open = Nicht gesendet: { QUOTED($text) } beantwortet nicht, was offen ist: { LIST($lines, by: ", ") }
    .hint = „{ $at } ja“ oder „{ $at } nein“ tut es. Eine Zeile mit mehr Wörtern, oder mit @NAME am Anfang, ist ein Beitrag.
error-line-reads = Nicht gesendet: Bevor { QUOTED($text) } beantworten kann, was offen war, wird gelesen, was Sie zuletzt gesagt haben
    .hint = Was dann noch offen ist, werden Sie noch einmal gefragt.
error-nothing-open = Nicht gesendet: { QUOTED($text) } beantwortet nichts, was offen ist
    .hint = Eine Zeile mit mehr Wörtern, oder mit @NAME am Anfang, ist ein Beitrag.
error-which-question = Nicht gesendet: Ein Ja oder Nein kann mehr als eine Frage an Sie meinen
    .hint = Beantworten Sie jede dort, wo sie steht; eine Zeile mit @NAME am Anfang ist ein Beitrag.
error-vote-in = Nicht gesendet: { GIVEN($read) ->
        [yes] Es liest sich als Stimme, { QUOTED($read) }
       *[no] Es nennt, worüber abgestimmt wird, und kann eine Stimme sein
    }. Ihre Stimme liegt vor und gilt
    .hint = „Meine Stimme ändern“ nimmt sie zurück, bis alle abgestimmt haben; eine Zeile mit @NAME am Anfang ist ein Beitrag.
error-no-vote-now = Gerade wird nicht abgestimmt
    .hint = Die Abstimmung kommt, und Sie werden gefragt.
error-message-long = Eine Nachricht hat höchstens { $most } Zeichen, diese hat { $count }
    .hint = {""}
