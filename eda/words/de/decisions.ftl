decisions-asking = aber alle als also am an auch auf aus bei beschließen beschlossen beschluss beschlüsse bitte da das dass dazu dem den der des die dies diese diesem diesen dieser doch du ein eine einem einen einer entscheiden entschieden entscheidung entscheidungen ergebnis er es etwas für gab gibt gremium haben hat hatte hatten ich ihr im in ist ja kam kann können letzte letzten man mir mit nach nicht noch nun ob oder sagen sich sie sind so soll sollen sollte sollten über um und uns unser unsere vom von vor wann war waren warum was wegen welche welcher wer werden wie wieder wir wird wo wofür worüber wurde wurden zu zum zur

decisions-none-won = Kein Ergebnis
decisions-due = wieder ansehen: fällig seit { DATETIME($day, dateStyle: "long") }
decisions-votes = { $side ->
    [for] dafür
   *[against] dagegen
} { $count }: { LIST($who, by: ", ") }
decisions-minds = würde es ändern: { $who }: { QUOTED($text) }
# $what: what was changed, see `stress-arm`.
decisions-hinges = hängt an: { $what }
decisions-experiment = Abzweig von { $parent }: ein Versuch
decisions-none = keine Entscheidungen in { $where }{ GIVEN($query) ->
    [yes] {" "}zu { QUOTED($query) }; jedes Wort, das fiel: eda recall --all { $query }
   *[no] ; eine treffen: eda debate "Sollen wir ...?"
}
decisions-noted = notiert bei { $session }
