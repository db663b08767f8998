"""What people see of a debate. A view reads facts and memory, makes no fact, and is never steered by what it shows."""
