"""Programs of this machine that answer prompts: what each prints and takes, and how it is started and ended."""
