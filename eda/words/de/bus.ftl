# Was der Bus von Empfängern sagt, die fehlschlagen.

bus-fold-raised = ausgelöst beim Verarbeiten von { $event }, seq { $seq }; der Eintrag ist gespeichert
bus-subscriber-raised = ausgelöst vom Empfänger { $name }{ GIVEN($event) ->
    [yes] {" "}bei { $event }, seq { $seq }
   *[no] , als er das Protokoll las
}
bus-busy = nach { $seconds } s noch beschäftigt; niemand wartet mehr darauf
bus-behind = kam nicht nach: { $number ->
    [one] { $number } Ereignis wartet
   *[other] { $number } Ereignisse warten
}; nach seq { $seq } liest er im Protokoll weiter
bus-deadlock = { $method }() wurde im Empfänger { $name } aufgerufen und würde auf ihn selbst warten
