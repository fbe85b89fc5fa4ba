"""The command `rubric`: the group only. Each command's module is imported when it runs."""

from __future__ import annotations

import gc
import io
import os
import sys
from importlib import import_module

import click

from rulesengine_cli import exits

# Name, module, and one line of help: written here so that `rubric --help` imports no command.
COMMANDS = {
    "audit": "Show what judges and models were asked, what it cost, and what failed.",
    "check": "Prove rubric files sound, without running anything.",
    "explain": "Show which rules gave a score; or, given a code, its page.",
    "fmt": "Lay rubric files out in the one way that all have.",
    "init": "Start a project: a rubric, its cases and evidence, and checks in CI.",
    "plan": "Tell what a run would ask, at the least and at the most, and ask nothing.",
    "score": "Score evidence with a rubric.",
    "test": "Run the cases of rubric files.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"rulesengine_cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or say which one may have been meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from rulesengine.diagnostics.suggest import did_you_mean

            hint = did_you_mean(name, COMMANDS) or f"the commands are {', '.join(COMMANDS)}"
            ctx.fail(f"there is no command `{name}`; {hint}")
        return super().resolve_command(ctx, args)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.version_option(package_name="rubriclang", prog_name="rubric")
def group() -> None:
    """Scoring protocols, written once, proved sound, and run so that a score can be trusted."""


def main() -> None:
    """Run the command and end with its exit code; a user never sees a traceback."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # closed by the caller: nobody listens
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what we write is UTF-8, whatever the locale says
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    code = run(sys.argv[1:])
    gc.freeze()  # all that there is ends with the process: to look for cycles in it takes 8 % of a check
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    try:
        code = group.main(args=arguments, prog_name="rubric", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return exits.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return exits.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; what is left unwritten is not missed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.CLEAN
    except OSError as error:
        click.echo(f"cannot go on: {error.strerror or error}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.USAGE
    except Exception as error:
        if os.environ.get("RUBRIC_DEBUG"):
            raise
        click.echo(
            f"this is a bug of rubric, and not of your files: {type(error).__name__}: {error}\n"
            "please report it; with RUBRIC_DEBUG=1 the same command shows where it happened",
            err=True,
        )
        return exits.INTERNAL
    return code if isinstance(code, int) else exits.CLEAN


if __name__ == "__main__":
    main()
