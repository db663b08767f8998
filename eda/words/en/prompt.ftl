# Sentences of prompts that questions, checks and tools send back to a model or a person: recordings are found by them.

# Why an answer cannot be used.
prompt-answer-lacks = the answer lacks `{ $name }`

# Why a tool was not called. $names: of the tools; $most: calls a turn; $why: of the reader of JSON.
prompt-no-tool = there is no such tool; there are { LIST($names, by: ", ") }
prompt-tool-often = it may be called { $most } times a turn
prompt-tool-no-json = the arguments are no JSON: { $why }
# $name: as it was given, quoted.
prompt-nobody = { $name } is nobody who may speak now
prompt-foreign = the reply is in { $speech }, and the debate is in { $expected }
# Of probabilities. $total: their sum; $row: what stands in place of one.
prompt-odds-total = they add up to { $total }, not to 1
prompt-odds-row = a probability is missing or is none: { $row }
