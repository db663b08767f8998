# Was jemand über eine getippte Zeile erfährt: wie sie gelesen wurde, und was sich antworten lässt.

line-counted = Gezählt: { LIST($acts, by: "; ") }
line-offered = Meinten Sie: { LIST($acts, by: "; ") }?{ GIVEN($terms) ->
    [yes] {" "}(Nein heißt: ohne Bedingung)
   *[no] {""}
}
line-still = Von { $message } zählt noch nichts.
line-uncounted = { $message } zählt in dieser Abstimmung für niemanden: Sie haben weder ja noch nein gesagt zu „{ $offered }“. Ihr Stimmzettel sagt, was Sie wollen.
line-lost = Nicht gezählt: { LIST($faults, by: "; ") }
line-if = wenn { $words }
line-unread = Nicht gelesen: { LIST($texts, by: ", ") }
line-asked = { $why ->
    [no-opposition] Von Ihnen steht keine Ablehnung von { LIST($texts, by: " oder ") } da
    [no-support] Von Ihnen steht keine Unterstützung von { LIST($texts, by: " oder ") } da
    [no-condition] Von Ihnen steht keine Bedingung zu { LIST($texts, by: " oder ") } da
    [ended] Nicht mehr auf dem Tisch: { LIST($texts, by: "; ") }
   *[other] Noch nicht gezählt: { $why ->
        [which-text] { $count ->
            [0] es ist unklar, welcher Text gemeint ist
            [one] es ist unklar, was Sie zu { LIST($texts, by: "") } sagen
           *[other] es ist unklar, welcher Text gemeint ist: { LIST($texts, by: " oder ") }
        }
        [not-its-author] { LIST($texts, by: ", ") } kann nur zurückziehen, wer es vorgeschlagen hat
        [no-such-text] nichts, was Sie nennen, mit Kennung oder in Worten, ist ein Text auf dem Tisch
        [part] vielleicht gilt es nur für einen Teil eines Textes
        [condition] es ist unklar, unter welcher Bedingung
       *[words] es ist unklar, ob Sie dafür oder dagegen sind
    }. Nennen Sie den Text mit seiner Kennung, und ob Sie dafür oder dagegen sind.
}
line-talk = { $count ->
    [0] Als Gesprächsbeitrag gehört
   *[other] Als Gesprächsbeitrag gehört: zu { LIST($texts, by: " oder ") } wurde nichts gezählt. Um Stellung zu nehmen, sagen Sie „für { $id }“ oder „gegen { $id }“.
}
line-waits = Gehört; was es besagt, wird gelesen
line-not-meant = { GIVEN($says) ->
    [yes] Als Ihr Nein genommen zu: { LIST($acts, by: "; ") }
   *[no] Nicht gezählt: { LIST($acts, by: "; ") }
}
line-in-full = Zählt ohne Bedingung: { LIST($acts, by: "; ") }
line-left = Noch nicht gezählt: { LIST($acts, by: "; ") }. Meinten Sie das auch?
line-taken-back = Zurückgenommen: { LIST($acts, by: "; ") }

line-act = { $kind ->
    [support] Sie sind für { $text }{ line-terms }
    [oppose] Sie sind gegen { $text }
    [neutral] Sie sind unentschieden zu { $text }
    [propose] Sie schlagen vor: { QUOTED($words) }
    [amend] Sie ändern { $text }: { QUOTED($words) }
    [withdraw] Sie ziehen { $text } zurück
    [take-back] { $of ->
        [condition] Sie nehmen Ihre Bedingung zu { $text } zurück
        [opposition] Sie sind nicht mehr gegen { $text }
        [support] Sie sind nicht mehr für { $text }
       *[other] Sie nehmen zurück, was Sie zu { $text } erklärt haben
    }
    [position] Ihr Standpunkt ist { GIVEN($text) ->
        [yes] { $text }
       *[no] { QUOTED($words) }
    }
    [note] eine Notiz
   *[deny] Sie bestreiten { $text }
}

line-terms = { $doubt ->
    [yes] , vielleicht unter einer Bedingung{ GIVEN($condition) ->
        [yes] {" "}({ QUOTED($condition) })
       *[no] {""}
    }
   *[no] { GIVEN($condition) ->
        [yes] , unter der Bedingung { QUOTED($condition) }
       *[no] {""}
    }
}
line-doubt = Um zu sagen, was gilt: „für { $id } ohne Bedingung“ oder „für { $id }, wenn ...“
line-undone = { $kind ->
    [support] Ihre Unterstützung für { $text }{ line-terms }
    [oppose] Ihre Ablehnung von { $text }
    [neutral] dass Sie zu { $text } unentschieden sind
    [propose] Ihr Vorschlag { QUOTED($words) }
    [amend] Ihre Fassung von { $text }: { QUOTED($words) }
    [withdraw] dass Sie { $text } zurückziehen
    [take-back] { $of ->
        [condition] das Ende Ihrer Bedingung zu { $text }
        [opposition] das Ende Ihrer Ablehnung von { $text }
       *[support] das Ende Ihrer Unterstützung für { $text }
    }
    [position] Ihr Standpunkt { GIVEN($text) ->
        [yes] { $text }
       *[no] { QUOTED($words) }
    }
    [note] Ihre Notiz
   *[deny] dass Sie { $text } bestreiten
}
line-text = { GIVEN($title) ->
    [yes] { QUOTED($title) } ({ $id })
   *[no] { $id }
}

line-how = { $answers ->
    [yes-no] (ja oder nein)
   *[back] (/back nimmt es zurück)
}
line-button = { $answer ->
    [yes] Ja
    [no] Nein
   *[back] Zurücknehmen
}
