# Was ein Mensch am Tisch gefragt wird und erfährt.

seat-asked = { GIVEN($seat) ->
    [yes] als { $seat }:{" "}
   *[no] {""}
}{ $purpose ->
    [poll] welche Möglichkeit vertreten Sie (geheim)?
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
seat-read = gelesen als: { LIST($ids, by: ", dann ") }; Enter heißt ja, oder gib eine andere Stimme ein
seat-again = diese Antwort ließ sich nicht zählen: { $wrong }; bitte versuchen Sie es noch einmal
seat-kept = { $purpose ->
    [opening] Ihre Eröffnung
   *[other] Ihr Wort
} bleibt verdeckt, bis alle geschrieben haben: { $text }
seat-no-letters = die Texte bekommen ihre Buchstaben erst in { QUOTED($votes) }; stimmen Sie jetzt mit Kennungen oder Worten ab, oder warten Sie
seat-vote-kept = aufbewahrt für { QUOTED($votes) }: { $text }
seat-waits = Das Gremium wartet auf { $does ->
    [vote] die Stimme
   *[speak] den Beitrag
} von { $names }.
seat-somebody = jemandem
seat-invitation = Einladung für { $name }: { $link }
seat-still-reading = Ergebnis und Bericht sind für { $names } noch zu lesen. Die Eingabetaste schließt den Tisch.

seat-changed = { $does ->
    [mute] { $who } ist nach diesem Beitrag stummgeschaltet
    [unmute] { $who } darf nach diesem Beitrag wieder sprechen
    [add] { $persona } nimmt nach diesem Beitrag Platz
    [replace] { $persona } nimmt nach diesem Beitrag den Platz von { $who } ein
   *[remove] { $who } geht nach diesem Beitrag
}
seat-steered = { $does ->
    [pause] die Debatte wartet nach diesem Beitrag; /resume setzt sie fort
    [next] dieser Abschnitt endet nach diesem Beitrag
    [set] { $text } gilt nach diesem Beitrag
    [correct] { $item } wird nach dieser Abstimmung berichtigt
   *[strike] { $item } wird nach dieser Abstimmung gestrichen
}
seat-no-context = { $who } bekommt noch nichts zu lesen
seat-did-you-mean = Meinten Sie { LIST($commands, by: " oder ") }?
