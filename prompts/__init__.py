"""Every text that a model or a reader gets from us, one Markdown file each, with $placeholders and no logic."""

from prompts.rendering import placeholders, render_prompt

__all__ = ["placeholders", "render_prompt"]
