# Der untere Teil eines Terminals.

live-now =
    .paused = unterbrochen; /resume setzt fort
    .stopping = hält an
    .writing = schreibt
    .floor = hat das Wort
    .report = der Bericht wird geschrieben
    .nobody = noch sagte niemand etwas
    .start = Beginn
live-still = schreiben noch: { LIST($who, by: ", ") }
live-side = { $side ->
    [support] dafür
    [conditional] dafür, wenn ...:
   *[oppose] dagegen
}
live-asks = gesucht: { $asks }
live-from = aus { $parent }
live-read = gelesen: { LIST($documents, by: ", ") }
live-thinking = { $who } denkt nach

live-phase = { $kind ->
    [none] das Gremium nimmt Platz
    [blind] alle schreiben nebeneinander
    [round] jedes Mitglied hat der Reihe nach das Wort
    [open] das Gremium wägt ab, wer als Nächstes spricht
    [poll] alle werden unter vier Augen gefragt, wofür sie sind
    [ballot] das Gremium stimmt ab
    [first-ballot] alle stimmen geheim ab, bevor jemand spricht
    [verdict] die Stimmen werden gezählt
   *[other] { $waiting }
}
