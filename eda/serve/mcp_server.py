"""The tools of `eda mcp`, as a server of the Model Context Protocol (the extra `mcp`)."""

from collections.abc import Callable, Iterable
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from pydantic import Field, ValidationError
from pydantic.fields import FieldInfo

from eda import __version__
from eda.debate.tries import says_yes
from eda.errors import EdaError, UsageError
from eda.panels.files import complaint, unknown_key
from eda.panels.request import DebateRequest
from eda.panels.settings import LIMITS, OFFERED, setting_of
from eda.runners.protocol import Prompt
from eda.serve.ballot import question_lines, read_by_words, ways_to_vote
from eda.serve.guard import Bearers
from eda.serve.guests import server
from eda.serve.panel_tools import Name, Outcome, PanelTools, Seat
from eda.words import ENGLISH

HOST = "127.0.0.1"
_PERSON = FieldInfo(annotation=str, default=None)
# Seconds after which a client that has no request open is taken for gone: a debate of its own is then paused.
_IDLE = 120.0
_INSTRUCTIONS = """A panel of personas debates a question and votes: for decisions with several sides. `debate` takes \
minutes with a language model and tells of each message as progress; cancel it and it is paused, for `resume`. The \
result names the session; `ask` asks one member why, `report` prints verdict, reasons and dissent."""


class PanelServer(MCPServer[Any]):
    """A server of the panel's tools."""

    def __init__(self, tools: PanelTools) -> None:
        made: list[Tool] = [_CheckedTool(**dict(Tool.from_function(each))) for each in _tools(tools)]
        super().__init__(
            "eda", title="EDA panel", instructions=_INSTRUCTIONS, version=__version__, tools=made, log_level="WARNING"
        )
        self.prompt("debate", description=ENGLISH.say("serving-prompt", "about"))(_prompt)

    def http_server(
        self, token: str, idle: float = _IDLE, *, cert: Path | None = None, key: Path | None = None
    ) -> uvicorn.Server:
        """Return what answers clients that show the token on a socket of this machine's loopback address.

        Args:
            token: What clients have to show.
            idle: Seconds until a client without an open request is taken for gone.
            cert: A certificate to answer over HTTPS with.
            key: Its key, where that is in a file of its own.

        Raises:
            UsageError: the certificate cannot be used.
        """
        app = self.streamable_http_app(host=HOST, session_idle_timeout=idle)
        app.add_middleware(Bearers, token=token)
        return server(app, cert=cert, key=key)


class _CheckedTool(Tool):
    """A tool that refuses arguments which it does not know, and says of a bad one what to do."""

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Run the tool; see the SDK's."""
        known = list(self.parameters["properties"])
        try:
            wrong = next(
                (unknown_key(key, known, self.name, "argument") for key in arguments if key not in known), None
            )
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            wrong = wrong or (complaint(error)[1], f"Arguments of {self.name}: {', '.join(known)}.")
        if wrong is not None:
            raise ToolError(". ".join(wrong))
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if not isinstance(error.__cause__, EdaError):
                raise
            raise ToolError(f"{str(error.__cause__).rstrip('.')}. {error.__cause__.hint}".strip()) from error


def _prompt(question: str = "", panel: str = "") -> str:
    """Return what the client's model is asked to do: hold a debate on the question and the files at hand."""
    return ENGLISH.say("serving-prompt", question=question, panel=panel)


# The form in which a person votes in the client.
_VOTE = {"type": "object", "properties": {"vote": {"type": "string", "default": "", "maxLength": 2_000}}}


class _ClientSeat(Seat):
    """A person who uses the client: asked for their votes there, and passing where the panel talks.

    A vote that is no plain row of texts counts once the person has seen how it is read, and says yes.

    A client of the newer protocol can only be asked at the end of a call. The debate is paused then, the answer comes
    with the next call, and the debate goes on.
    """

    @classmethod
    def of(cls, name: str | None, context: Context[Any, Any]) -> "_ClientSeat | None":
        """Return the seat; None without a name. Raise UsageError where the client cannot ask anybody."""
        if name and getattr(context.client_capabilities, "elicitation", None) is None:
            raise UsageError("this program cannot ask a person", hint="Leave 'person' out.")
        return cls(name, context) if name else None

    def __init__(self, name: str, context: Context[Any, Any]) -> None:
        self.name = name
        self._context = context
        self._came = (context.input_responses or {}).get("vote")
        # What the client has to ask before the debate goes on.
        self.asks: ElicitRequest | None = None
        # The vote to which the person has not said yes yet.
        self.typed = (context.request_state or "").partition("\n")[2]

    async def ask(self, prompt: Prompt) -> str:
        """Return the vote; empty where the person passes, or declines to vote."""
        words, memory = self.debate.progress.settings.words, self.debate.memory
        how = ways_to_vote("serving-vote", prompt, self.debate.progress, words)
        while prompt.votes:
            typed, read = self.typed, read_by_words(prompt, self.typed, memory, words)
            lines = (words.say("seat-read", read=read),) if read else (*question_lines(prompt, words), how)
            given, self.typed = await self._answer("\n".join(lines)), ""
            if given is not None and read and (not given or says_yes(given, prompt.texts)):
                return typed
            if not read_by_words(prompt, given or "", memory, words):
                return given or ""
            self.typed = given or ""
        return ""

    async def _answer(self, message: str) -> str | None:
        """Return what the person types; None where they decline."""
        came, self._came = self._came, None
        if came is None and not self._context.session.can_send_request:
            self.asks = ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=_VOTE))
            self.debate.stop()
            await anyio.sleep_forever()
        came = came or await self._context.session.elicit_form(message, _VOTE, self._context.request_id)
        given = came.content if isinstance(came, ElicitResult) and came.action == "accept" else None
        return None if given is None else str(given.get("vote", "")).strip()


def _tools(desk: PanelTools) -> list[Callable[..., Any]]:
    """Return the tools: functions from whose signatures and docstrings the SDK tells clients what they take."""

    async def debate(context: Context[Any, Any], **given: Any) -> Outcome | InputRequiredResult:
        """Have a panel of personas debate a question and vote: outcome, tally, dissent, and the session's name."""
        seat = _ClientSeat.of(given.pop("person"), context)
        if context.request_state:  # the answer to a question of an earlier round
            session = context.request_state.partition("\n")[0]
            return _or_asked(await desk.resume(session, {}, context.report_progress, seat), seat)
        return _or_asked(await desk.debate(DebateRequest.of(given), context.report_progress, seat), seat)

    async def resume(context: Context[Any, Any], session: Name, **given: Any) -> Outcome | InputRequiredResult:
        """Continue a debate that is paused, or that ended at a limit, with a higher one."""
        seat = _ClientSeat.of(given.pop("person"), context)
        chosen = (setting_of(key, value) for key, value in given.items() if value is not None)
        settings = {} if context.request_state else dict(filter(None, chosen))
        return _or_asked(await desk.resume(session, settings, context.report_progress, seat), seat)

    person = _parameter("person", _PERSON, "The user's name: they join the panel, and are asked here to vote")
    wanted = [
        _parameter(name, field, field.description)
        for name, field in DebateRequest.model_fields.items()
        if field.description
    ]
    settings = {
        each.name: _parameter(each.key.replace("-", "_"), each.field, each.flag.help) for each in OFFERED.values()
    }
    _takes(debate, [*wanted, *settings.values(), person])
    _takes(resume, [*(settings[each.name] for each in LIMITS), person])
    return [debate, resume, desk.ask, desk.recall, desk.report, desk.stress, desk.sessions]


def _or_asked(outcome: Outcome, seat: _ClientSeat | None) -> Outcome | InputRequiredResult:
    """Return the outcome; where a person has to be asked before there is one, the question."""
    if seat is None or seat.asks is None:
        return outcome
    return InputRequiredResult(input_requests={"vote": seat.asks}, request_state=f"{outcome.session}\n{seat.typed}")


def _parameter(name: str, field: FieldInfo, text: str) -> Parameter:
    """Return a field as a parameter, which may be left out where the field has a default."""
    annotated: Any = Annotated
    told, kind = Field(description=text), annotated[(field.annotation, *field.metadata, Field())]
    if field.is_required():
        return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotated[kind, told])
    kind = kind if type(None) in get_args(field.annotation) else kind | None
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotated[kind, told])


def _takes(function: Callable[..., Any], more: Iterable[Parameter]) -> None:
    """Have a function say what it takes, in the place of `**given`."""
    own = [
        each for each in signature(function, eval_str=True).parameters.values() if each.kind != Parameter.VAR_KEYWORD
    ]
    function.__signature__ = Signature([*own, *more], return_annotation=Outcome | InputRequiredResult)  # type: ignore[attr-defined]  # inspect reads it
