# Was das simulierte Gremium außerhalb seiner Tabelle von Wendungen sagt.

simulated-asked = Ich bin simuliert: Ich kann Ihre Frage nicht abwägen, nur wiederholen, was ich im Gremium gesagt habe. { GIVEN($position) ->
    [yes] Mein Standpunkt: { $position }.
   *[no] Noch habe ich keinen Standpunkt.
}
