# Programs that are logged in on this machine and answer prompts: Claude Code, Codex, agents. $name: the program.

agent-missing = the program { $name } is not installed
# $words: what the program says of it.
agent-no-login = nobody is logged in to { $name }: { $words }
# $at: when it can be used again.
agent-limit = the limit of the subscription of { $name } is reached: { $words }
agent-limit-until = the limit of the subscription of { $name } is reached, until { $at }
agent-limit-hint = Go on then with eda resume, or set --fallback-model.
agent-later = Try again later. Does the program answer when you start it yourself?
agent-models = Leave the model out, and the program asks its own.
# In `eda doctor`.
agent-none = not installed
agent-paid = paid by subscription
# What stays of a program's own, whatever EDA switches off.
agent-keeps-claude-code = Its tools, settings, hooks and memory are off. It still tells the model that it is an agent of Claude, the system and the date.
agent-keeps-codex = Its tools, instructions and AGENTS.md are off. One tool stays, which asks the user and is never answered.
agent-keeps-acp = acp:COMMAND starts an agent with tools of its own, which EDA cannot switch off, unless it is claude-agent-acp. What it asks leave for is refused.
