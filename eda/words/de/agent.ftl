# Programme, die auf diesem Rechner angemeldet sind und antworten: Claude Code, Codex, Agenten. $name: das Programm.

agent-missing = das Programm { $name } ist nicht installiert
# $words: was das Programm dazu sagt.
agent-no-login = bei { $name } ist niemand angemeldet: { $words }
# $at: ab wann es wieder reicht.
agent-limit = die Grenze des Abonnements von { $name } ist erreicht: { $words }
agent-limit-until = die Grenze des Abonnements von { $name } ist erreicht, bis { $at }
agent-limit-hint = Setzen Sie dann mit eda resume fort, oder geben Sie --fallback-model an.
agent-later = Versuchen Sie es später noch einmal. Antwortet das Programm, wenn Sie es selbst starten?
agent-models = Lassen Sie das Modell weg, dann fragt das Programm sein eigenes.
# In `eda doctor`.
agent-none = nicht installiert
agent-paid = durch ein Abonnement bezahlt
# Was ein Programm behält, was auch immer EDA abschaltet.
agent-keeps-claude-code = Seine Werkzeuge, Einstellungen, Hooks und Erinnerungen sind aus. Es nennt dem Modell weiterhin das System und das Datum, und dass es ein Agent von Claude ist.
agent-keeps-codex = Seine Werkzeuge, Anweisungen und AGENTS.md sind aus. Ein Werkzeug bleibt, das den Nutzer fragt und nie eine Antwort bekommt.
agent-keeps-acp = acp:BEFEHL startet einen Agenten mit eigenen Werkzeugen, die EDA nicht abschalten kann, außer bei claude-agent-acp. Wofür er um Erlaubnis fragt, wird abgelehnt.
