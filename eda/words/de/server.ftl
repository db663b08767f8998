# Was Server von Modellen antworten und ablehnen, als Fehler, und was dann zu tun ist.

server-no-limit = nimmt { $field } nicht an: das Feld trägt von nun an seinen anderen Namen
server-no-field = nimmt { $field } nicht an: { $form ->
    [yes] die Form wird von nun an in Worten verlangt
   *[no] das Feld entfällt von nun an
}
server-proxy = Der Proxy, den HTTP_PROXY, HTTPS_PROXY oder ALL_PROXY nennt, ist nicht zu gebrauchen: { $lacks ->
    [yes] er braucht das Paket socksio
   *[no] er ist von keiner bekannten Art
}
server-proxy-hint = `pip install socksio`, oder schreiben Sie ihn als http://HOST:PORT.
server-refuses-prompt = { $place } lehnt diese Anfrage an { $model } ab: { $words }
server-refuses-key = { $place } lehnt diesen Schlüssel oder dieses Konto ab: { $words }
server-redirects = { $place } leitet um auf { $to }, und EDA folgt keiner Umleitung ({ $status })
server-no-address = { $place } kennt diese Adresse nicht: { $words }
server-knows-not = { $place } kennt nicht, was verlangt wurde: { $words }
server-which-model = Heißt das Modell dort { $model }? { $models }
server-no-model = { $place } kennt das Modell { $model } nicht, das die Persona verlangt: { $words }
server-too-long = die Anfrage ist zu lang für { $model }: { $words }
server-took-not = { $model } nahm die Frage nicht an: { $words }
server-no-fields = die Antwort ist leer oder JSON ohne das, wonach gefragt wurde
server-answers-nothing = { $place } gibt keine brauchbare Antwort mehr: { $why }
server-fallback = nun wird { $model } gefragt, denn { $why }
server-limits = die Grenze je Minute ist erreicht ({ $name })
server-list = die Liste der Modelle ({ $place })

server-at = der Server unter { $url }
server-set-own-key = Setzen Sie { $variable } auf den Schlüssel, den der Server verlangt; einen anderen Schlüssel sendet EDA nicht an eine eigene Adresse.
server-there = Der Server ist da, aber er versagt oder verlangt eine Pause: Versuchen Sie es später noch einmal, oder fragen Sie ein anderes Modell.
server-name-unknown = Die Adresse ist hier unbekannt: Prüfen Sie die Schreibung, und ob dieser Rechner am Netz ist.
server-runs = Läuft der Server, und stimmt die Adresse? Gefragt wird { $url }/chat/completions.
server-end-of-address = Die meisten Adressen enden mit /v1: { $name }:http://HOST:PORT/v1#MODELL.
server-asked-at = { $later } Gefragt wird { $url }.
server-other-address = Eine andere Adresse schreibt man so: { $spec }.
server-failed = { $name } schlug { $tries ->
    [one] einmal fehl
   *[other] { $tries }-mal fehl, zuletzt so
}: { $why }
