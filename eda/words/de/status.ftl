# Warum ein Text nicht mehr offen ist oder es wieder ist, und warum ein Beschluss nicht mehr gilt.

status-supported-again = von { $who } wieder unterstützt
status-another-wording = { $id }, eine andere Fassung davon, wurde angenommen
status-put-again = als { $id } noch einmal vorgeschlagen und so angenommen
status-amended = die Änderung { $id } dazu wurde angenommen
status-minutes-deny = das Protokoll bestreitet { $id }
status-by-proposer = vom Mitglied, das den Text vorschlug, in m{ $message }
status-denied = von { $who } in m{ $message } bestritten
status-decided-later = { $id } hat es später entschieden
status-about = m{ $message } bezieht sich darauf
