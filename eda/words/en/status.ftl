# Why a text is closed, or open again, and why a decision no longer holds, as memory keeps it. $id: of another text.

status-supported-again = supported again by { $who }
status-another-wording = { $id }, another wording of it, was accepted
status-put-again = put again as { $id }, which was accepted
status-amended = its amendment { $id } was accepted
# $id: of the item that is denied.
status-minutes-deny = the minutes deny { $id }
status-by-proposer = by its proposer in m{ $message }
status-denied = denied by { $who } in m{ $message }
# $id: of the decision that was taken.
status-decided-later = { $id } decided it later
# Of a reaction that the minutes link to another text.
status-about = m{ $message } is about it
