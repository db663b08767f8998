# Was ein Mitglied in einer Nachricht tat, und warum etwas davon für niemanden zählt.

act-does = { $kind ->
    [propose] schlägt { $id } vor
    [propose-again] schlägt { $on } noch einmal vor
    [reopen] öffnet { $on } wieder
    [amend] ändert { $on }{ GIVEN($id) ->
        [yes] {" "}zu { $id }
       *[no] {""}
    }
    [join] vereint { LIST($texts, by: " und ") } zu { $id }
    [withdraw] zieht { $on } zurück
    [support] ist für { $on }{ act-older }{ act-condition }
    [oppose] ist gegen { $on }{ act-older }{ act-condition }
    [neutral] ist unentschieden zu { $on }{ act-older }
    [take-back] nimmt { $of ->
        [opposition] die Ablehnung von { $on }
        [support] die Unterstützung für { $on }
       *[other] die Aussage zu { $on }
    } zurück
    [lift] nimmt die Bedingung zu { $on }{ act-older } zurück{ GIVEN($end) ->
        [yes] {""}
       *[no] {" "}und ist dafür
    }
    [claim] bezeichnet als beschlossen, ohne Abstimmung
    [decide] beschließt
    [retract] nimmt die Behauptung aus { $on } zurück
    [deny] bestreitet { GIVEN($on) ->
        [yes] { $on }
       *[no] die Behauptung
    }
    [deny-claim] bestreitet die Behauptung aus { $on }
    [position] Standpunkt
    [note] notiert
    [cite] führt { $on } an, { $source }
    [cite-nothing] führt { $on } an, was niemand gefunden hat
    [misquote] { GIVEN($who) ->
        [yes] so nicht in { $on } von { LIST($who, by: ", ") }: { QUOTED($source) }
       *[no] { $on } sagt nicht { QUOTED($source) }
    }
    [json] (JSON wurde weggelassen)
    [answer] antwortet auf Nachfrage, was nicht gelesen wird und für niemanden zählt: { QUOTED($source) }
    [others-lines] (Zeilen im Namen von { $who } wurden weggelassen)
   *[in-words] in Worten,
}
act-older = { GIVEN($end) ->
    [yes] {" "}(der ältere Text, { $end })
   *[no] {""}
}
act-condition = { $condition ->
    [told] , unter einer Bedingung
    [clause] , unter einer Bedingung ({ QUOTED($clause) })
    [doubt] , vielleicht unter einer Bedingung{ GIVEN($clause) ->
        [yes] {" "}({ QUOTED($clause) })
       *[no] {""}
    }
   *[no] {""}
}
act-position = { $id }, das { $on } ersetzt
act-asked = (auf Nachfrage erklärt)
act-told = { $asked ->
    [about] { $at }; auf Nachfrage erklärt
    [after] auf Nachfrage erklärt, nach { $at }
   *[no] { $at }
}
act-since = { $asked ->
    [yes] auf Nachfrage zu { $at }
   *[no] seit { $at }
}
act-uncounted = (nicht gezählt){ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}

act-reasons = { LIST($reasons, by: " und ") }

act-end = { $end ->
    [struck] von { $by } gestrichen
    [taken-into] in { $by } aufgenommen
    [modified] { GIVEN($by) ->
        [yes] durch { $by } ersetzt
       *[no] ersetzt
    }
    [rejected] abgelehnt
    [accepted] angenommen
    [not-beside] nicht neben der Antwort angenommen
    [withdrawn] zurückgezogen
    [superseded] überholt
    [merged] aufgenommen
    [not-adopted] nicht angenommen
    [active] offen
   *[not-chosen] nicht gewählt
}

act-others-lines = Zeilen im Namen von { LIST($who, by: " ") }: schreiben Sie nur im eigenen Namen
act-no-json = nicht alles im JSON wurde gelesen{ GIVEN($what) ->
    [yes] , nicht { $what }
   *[no] {""}
}: schreiben Sie jeden Zug in eine eigene Zeile, mit seinem Tag
act-stands-anew = Ihr Text gilt als neuer Vorschlag

act-unread = { $kind ->
    [taken-back] was es zu { $words } sagt, wurde nach m{ $message } zurückgenommen
    [no-such-tag] so heißt keine Erklärung{ GIVEN($ids) ->
        [yes] : war { LIST($ids, by: " oder ") } gemeint?
       *[no] {""}
    }
    [no-such-member] { QUOTED($words) } heißt kein anderes Mitglied, oder mehr als eines
    [cut-off] es wurde abgeschnitten
    [too-many] es steht hinter der achten Erklärung
    [no-tag] eine Erklärung beginnt ihre Zeile, mit ihrem Zeichen in Klammern
    [said-otherwise] die eigenen Worte sagen etwas anderes oder lassen es offen
    [not-taken-back] kein Satz der Nachrichten nimmt es ausdrücklich zurück
    [no-letter] { $words } hat keinen Buchstaben: war { LIST($ids, by: " oder ") } gemeint?
    [names-nothing] es nennt keinen Text
    [no-side] { QUOTED($words) } sagt nicht, was zurückgenommen wird: schreiben Sie my support, my opposition oder my condition
    [not-held] { $words ->
        [condition] von dem, der es sagt, steht dazu keine Bedingung
        [oppose] wer es sagt, ist nicht dagegen
       *[support] wer es sagt, ist nicht dafür
    }
    [no-such-text] { QUOTED($words) } nennt keinen Text{ GIVEN($ids) ->
        [yes] : war { LIST($ids, by: " oder ") } gemeint?
       *[no] {""}
    }
    [several] { $words } kann einer von mehreren sein
    [any-of] { GIVEN($ids) ->
        [yes] es kann jeder von { LIST($ids, by: ", ") } sein
       *[no] es nennt keinen Text
    }
    [not-heard-yet] { $words } war noch nicht zu lesen
    [one-of-a-sentence] der Satz nennt mehrere Texte und sagt nicht, von welchem er spricht
    [no-open-text] { $who } hat keinen offenen Text
    [no-text-that-stands] { QUOTED($words) } nennt keinen Text, der noch steht
    [other-words] { $words } lautet inzwischen anders
    [empty] es hat keinen Text
    [anothers-name] unter einer Zeile im Namen von { LIST($who, by: " oder ") }, deshalb ist nicht bekannt, wessen es ist
    [quotation] in einem Zitat oder Code mit anderem Text darin oder mit einer Ankündigung davor, deshalb ist nicht bekannt, wessen es ist
    [no-such-id] { $words } gibt es nicht{ GIVEN($made) ->
        [yes] {" "}(m{ $message } ergab { $made })
       *[no] {""}
    }
    [part] { $ids } { $number ->
        [one] sagt
       *[other] sagen
    } mehr als das
    [several-open-texts] { $who } { $number ->
        [one] hat
       *[other] haben
    } mehrere offene Texte{ GIVEN($ids) ->
        [yes] : { LIST($ids, by: ", ") }
       *[no] {""}
    }
    [no-claim] { GIVEN($words) ->
        [yes] { $words }
       *[no] es
    } enthält keine Behauptung, dass etwas beschlossen sei: Nennen Sie die Nachricht, etwa [DENY m8]
   *[not-its-author] { GIVEN($who) ->
        [yes] nur { LIST($who, by: " oder ") } kann { LIST($ids, by: ", ") } zurückziehen
       *[no] { LIST($ids, by: ", ") } wurde mit der Frage vorgegeben, und niemand kann es zurückziehen
    }
}

act-became = { $end }, und das ist { $then }
act-lives-on = { $end } (ihr Antrag besteht fort als { $ids })

act-corrected = { $struck ->
    [yes] gestrichen
   *[no] berichtigt
} von { $by }

