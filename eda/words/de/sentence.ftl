# Was im Protokoll einem Satz widerspricht.
sentence-why = { $kind ->
    [author] m{ $message } ist von { LIST($who, by: ", ") }
    [mover] { $text } ist von { LIST($who, by: ", ") } (m{ $message })
    [deed] { LIST($who, by: ", ") }: { sentence-deed } { $text } (m{ $message })
    [no-deed] nicht im Protokoll{ GIVEN($who) ->
        [yes] {" "}({ LIST($who, by: ", ") })
       *[no] {""}
    }: { sentence-deed } { $text }
    [origin] { $text } kommt von { GIVEN($of) ->
        [yes] { LIST($of, by: ", ") }
       *[no] keinem anderen Text
    }
    [ballot] { GIVEN($who) ->
        [yes] auf dem Stimmzettel taten das nur { LIST($who, by: ", ") }
       *[no] auf keinem Stimmzettel
    }
    [votes] Zustimmung zu { $text }: { GIVEN($who) ->
        [yes] { LIST($who, by: ", ") }
       *[no] niemand
    } von { $number }
    [moved] Anlass der Stimme von { LIST($who, by: ", ") }: { $message ->
        [0] keine Nachricht
       *[other] m{ $message }
    }
    [order] { $text } steht in m{ $message }, { LIST($of, by: ", ") } in m{ $number }
    [outcome] { GIVEN($text) ->
        [yes] die Abstimmung entschied für { $text }
       *[no] keine Abstimmung hat etwas entschieden
    }
    [words] nicht im Protokoll: { QUOTED($text) }
    [quote] m{ $message } sagt das nicht
    [unsaid] nichts daneben sagt, was er{ GIVEN($of) ->
        [yes] {" "}über { LIST($of, by: ", ") }
       *[no] {""}
    } behauptet
    [claim] als beschlossen bezeichnet, ohne Abstimmung (m{ $message })
    [denied] m{ $message } bestritten von { LIST($who, by: ", ") }
    [dissent] kein Stimmzettel von { LIST($who, by: ", ") } lehnt das Beschlossene ab
    [beyond] { sentence-beyond }
    [given-up] { LIST($who, by: ", ") } { $deed ->
        [condition] stellte diese Bedingung seit m{ $message } nicht mehr
       *[other] hielt daran seit m{ $message } nicht mehr fest
    }
    [taken-back] m{ $message } hat { LIST($who, by: ", ") } zurückgenommen
    [other-text] das betrifft { $text }, und beschlossen wurde etwas anderes
    [no-act] nichts, was { LIST($who, by: ", ") } in m{ $message } erklärt, ist dafür
    [no-question] m{ $message } fragt damit nichts
    [no-backer] { LIST($who, by: ", ") } nimmt nichts davon an, was beschlossen wurde
   *[no-such] { $text } gibt es nicht
}
sentence-beyond = { $number ->
    [0] nicht alles davon steht mit diesen Worten in dem, was beschlossen wurde
   *[other] sie hat mehr als { $number } Wörter
}
sentence-deed = { $deed ->
    [put] Vorschlag
    [support] für
    [support-if] unter einer Bedingung für
    [support-perhaps] vielleicht unter einer Bedingung für
    [oppose] gegen
    [neutral] unentschieden zu
    [withdraw] Rückzug von
    [take-back] Rücknahme der Aussage zu
    [take-back-opposition] Rücknahme der Ablehnung von
    [take-back-support] Rücknahme der Unterstützung für
    [lift] Rücknahme der Bedingung zu
    [vote] Stimme zu
    [block] Veto gegen
    [amend] Änderung von
   *[join] Vereinigung von
}

sentence-false = { LIST($why, by: "; ") }: { $sentence }

sentence-dropped = { $count ->
    [one] eine Aussage stimmte nicht mit dem Protokoll überein
   *[other] { $count } Aussagen stimmten nicht mit dem Protokoll überein
}
