"""Stands in for `claude`, `codex` and an agent of the ACP: it speaks as they do, and misbehaves as FAKE_AGENT says.

With FAKE_AFTER it answers so many questions first; the file in FAKE_COUNT has a byte for each.

It imports nothing of EDA, and starts in a hundredth of a second: what `json` imports beside the reader and the writer
in C takes as long as to begin Python, and each stand-in begins for one question.
"""

# ruff: noqa: B905, C901, PLR0911, PLR0912, PTH109, PTH123, PTH208, SIM115

import os
import sys
import time
import zlib

try:
    import _json

    class _Json:
        strict, memo, object_hook, object_pairs_hook = False, {}, None, None
        parse_float, parse_int, parse_constant = float, int, float

    _read = _json.make_scanner(_Json)
    _write = _json.make_encoder(None, None, _json.encode_basestring_ascii, None, ": ", ", ", False, False, True)

    def loads(text):
        return _read(text.strip(), 0)[0]

    def dumps(data):
        return "".join(_write(data, 0))

    assert loads(dumps({"a": ["\u00e4", 0.5, None]})) == {"a": ["\u00e4", 0.5, None]}
except Exception:  # noqa: BLE001 - a Python whose own way is another
    from json import dumps, loads

KIND, ARGS = sys.argv[1], sys.argv[2:]
MODE = os.environ.get("FAKE_AGENT", "")
if "FAKE_COUNT" in os.environ and ARGS[:1] not in (["auth"], ["login"]):
    with open(os.environ["FAKE_COUNT"], "ab", 0) as counted:
        counted.write(b".")
        MODE = MODE if counted.tell() > int(os.environ["FAKE_AFTER"]) else ""
NOTES = os.environ.get("FAKE_NOTES")


def out(event):
    print(dumps(event), flush=True)


def filled(schema, whole):
    """Return an answer that fits a schema: the first of what it enumerates."""
    if "$ref" in schema:
        return filled(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "enum" in schema:
        return next(each for each in schema["enum"] if each)
    if "anyOf" in schema:
        return filled(next(each for each in schema["anyOf"] if each.get("type") != "null"), whole)
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    if kind == "array" and schema.get("minItems"):
        return [filled(schema["items"], whole)]
    if kind == "object":
        return {name: filled(each, whole) for name, each in schema.get("properties", {}).items()}
    return {"array": [], "boolean": True, "number": 0.5, "integer": 1}.get(kind, "Go")


def answer(text, schema):
    """Return what a panel's member says: a vote where one is asked for, else words that nobody has said."""
    if schema:
        return dumps(filled(schema, schema))
    if "# The ballot" in text[-1500:]:
        return "o1"
    if '"choice"' in text[-3000:]:
        return 'Here it is:\n```json\n{"choice": "Go", "reason": "It weighs more."}\n```'
    if '"acts"' in text[-3000:]:
        return '{"acts": []}'
    one, two, three = (zlib.crc32(text.encode(), begin) for begin in (0, 1, 2))
    return f"I weigh the {one:08x} and the {two:08x}. What of the {three:08x}?"


def misbehave():
    """Do what a program does that is broken, before it answers."""
    if MODE == "hang":
        import subprocess  # it takes a third of a start

        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        note({"pids": [os.getpid(), child.pid]})
        time.sleep(600)
    if MODE == "flood":
        while True:
            print(dumps({"type": "noise", "text": "x" * 100_000}))
    if MODE == "long line":
        while True:
            sys.stdout.write("x" * 100_000)
    if MODE == "die":
        print("\x1b[31mthe disk is full", file=sys.stderr)
        sys.exit(3)
    if MODE == "killed":
        os.kill(os.getpid(), 9)
    if MODE == "silent":
        sys.exit(0)
    if MODE == "closed":
        os.close(1)
        time.sleep(600)
    if MODE == "complaints":
        while True:
            sys.stderr.write("x" * 100_000)
            time.sleep(0.005)  # twenty megabytes a second
    if MODE == "no text":
        sys.stdout.buffer.write(b"\xff\xfe\x00\xff\n" * 1_000)
        sys.exit(0)
    if MODE == "rubbish":
        print("null\n[1]\n{\n\x00\x1b[2J\n" + "[" * 100_000)
        out({"type": ["result"], "id": {}, "method": None})
        sys.exit(0)


def note(what):
    if NOTES:
        with open(NOTES, "a", encoding="utf-8") as file:
            file.write(dumps(what) + "\n")


def claude():
    if ARGS[:2] == ["auth", "status"]:
        print(dumps({"loggedIn": True, "authMethod": "oauth_token", "email": "ada@example.org"}))
        return
    text, flags = sys.stdin.read(), dict(zip(ARGS, [*ARGS[1:], ""]))
    schema = loads(flags["--json-schema"]) if "--json-schema" in flags else None
    note({"args": ARGS, "text": text, "cwd": os.getcwd(), "files": os.listdir()})
    model = flags.get("--model", "claude-of-its-own")
    out({"type": "system", "subtype": "init", "apiKeySource": "none", "cwd": os.getcwd()})
    misbehave()
    if MODE == "limit":
        out({"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": 1795873308}})
    if MODE == "no login":
        words = [{"type": "text", "text": "Not logged in · Please run /login"}]
        out({"type": "assistant", "message": {"content": words}, "error": "authentication_failed"})
    said = answer(text, schema)
    out({"type": "stream_event", "event": {"type": "message_start", "message": {"model": model}}})
    for piece in (said[:9], said[9:]):
        out(
            {
                "type": "stream_event",
                "event": {"type": "content_block_delta", "delta": {"type": "text_delta", "text": piece}},
            }
        )
        if MODE == "half":
            os._exit(1)
    if MODE == "no end":
        return
    usage = {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 7}
    data = {"structured_output": loads(said)} if schema else {}
    end = {"type": "result", "subtype": "success", "is_error": False, "result": said, "stop_reason": "end_turn"}
    if MODE == "error":
        end |= {"is_error": True, "api_error_status": 500, "result": "API Error: 500"}
    out({**end, **data, "total_cost_usd": 0.1, "usage": usage})


def codex():
    if ARGS[0] == "login":
        print("Not logged in" if MODE == "no login" else "Logged in using ChatGPT")
        sys.exit(MODE == "no login")
    text, flags = sys.stdin.read(), dict(zip(ARGS, [*ARGS[1:], ""]))
    schema = loads(open(flags["--output-schema"], encoding="utf-8").read()) if "--output-schema" in flags else None
    note({"args": ARGS, "text": text, "cwd": os.getcwd()})
    out({"type": "thread.started", "thread_id": "1"})
    misbehave()
    out({"type": "item.completed", "item": {"type": "error", "message": "it does not matter"}})
    if MODE in ("limit", "error"):
        words = "You've hit your usage limit. Try again at 3:05 PM." if MODE == "limit" else "last status: 503 busy"
        out({"type": "turn.failed", "error": {"message": words}})
        sys.exit(1)
    out({"type": "item.completed", "item": {"type": "agent_message", "text": answer(text, schema)}})
    if MODE == "half":
        os._exit(1)
    if MODE == "no end":
        return
    usage = {"input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 20}
    out({"type": "turn.completed", "usage": usage})


def acp():
    def reply(number, result):
        out({"jsonrpc": "2.0", "id": number, "result": result})

    def chunk(text, session="s1"):
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        out({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}})

    for line in sys.stdin:
        message = loads(line)
        note(message)
        number, method = message.get("id"), message.get("method")
        if method == "initialize":
            reply(number, {"protocolVersion": 1})
        elif method == "session/new":
            if MODE == "no login":
                out({"jsonrpc": "2.0", "id": number, "error": {"code": -32000, "message": "Authentication required"}})
                continue
            reply(number, {"sessionId": "s1"})
        elif method == "session/prompt":
            misbehave()
            if MODE == "permission":
                options = [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]
                asked = {"sessionId": "s1", "toolCall": {"title": "rm \x1b[31m-rf"}, "options": options}
                out({"jsonrpc": "2.0", "id": 77, "method": "session/request_permission", "params": asked})
                note(loads(sys.stdin.readline()))
                out({"jsonrpc": "2.0", "id": 78, "method": "fs/read_text_file", "params": {"path": "/etc/passwd"}})
                note(loads(sys.stdin.readline()))
            if MODE == "another session":
                chunk("I am somebody else. ", "s2")
                out({"jsonrpc": "2.0", "id": 99, "result": {"stopReason": "end_turn"}})
            said = answer(message["params"]["prompt"][0]["text"], None)
            chunk(said[:9])
            if MODE == "half":
                os._exit(1)
            chunk(said[9:])
            if MODE == "no end":
                return
            if MODE == "no session":
                out({"jsonrpc": "2.0", "id": number, "error": {"code": -32603, "message": "the session is gone"}})
                continue
            reply(number, {"stopReason": "refusal" if MODE == "error" else "end_turn"})


if __name__ == "__main__":
    {"claude": claude, "codex": codex, "acp": acp}[KIND]()
