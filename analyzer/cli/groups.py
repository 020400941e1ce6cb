"""Groups of commands that name what there is to whoever asks for something else."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from analyzer.errors import UsageError, unknown


class Group(TyperGroup):
    """A group of commands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is asked for."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            commands = [one for one in self.list_commands(ctx) if not self.commands[one].hidden]
            raise UsageError(unknown("command", name, commands, f"of {ctx.command_path}"))
        return super().resolve_command(ctx, args)
