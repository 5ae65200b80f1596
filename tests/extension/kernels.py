"""A kernel that tests run cells in."""

from __future__ import annotations

from typing import Any

from jupyter_client.manager import KernelManager

SHOWN = ("execute_result", "display_data", "update_display_data")


class Notebook:
    """A kernel, and the cells run in it."""

    def __init__(self, manager: KernelManager) -> None:
        self.manager = manager
        self.client = manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(300)

    def begin(self, code: str) -> str:
        return str(self.client.execute(code))

    def end(self, cell: str, seconds: float = 300) -> list[dict[str, Any]]:
        """What the cell has sent, once it has ended; raises what it raised."""
        sent: list[dict[str, Any]] = []
        while True:
            message = self.client.get_iopub_msg(timeout=seconds)
            if message["parent_header"].get("msg_id") != cell:
                continue
            content = message["content"]
            if message["msg_type"] == "status" and content["execution_state"] == "idle":
                return sent
            if message["msg_type"] == "error":
                error = f"{content['ename']}: {content['evalue']}"
                sent.append({"error": error, "shown": content["traceback"]})
            elif message["msg_type"] in SHOWN:
                sent.append({**content["data"], "kind": message["msg_type"]})
            elif message["msg_type"] == "stream":
                sent.append({"text/plain": content["text"], "kind": content["name"]})

    def until(self, cell: str, kind: str, seconds: float = 300) -> None:
        """Wait for the cell's first message of a kind."""
        while True:
            message = self.client.get_iopub_msg(timeout=seconds)
            if message["parent_header"].get("msg_id") == cell and message["msg_type"] == kind:
                return

    def run(self, code: str) -> list[dict[str, Any]]:
        return self.end(self.begin(code))

    def completions(self, code: str) -> list[str]:
        reply = self.client.complete(code, len(code), reply=True, timeout=300)
        return list(reply["content"]["matches"])
