"""A toolbox as OVOS users have them, made with the stock ovos-plugin-manager, on a bus; the test named `peers` starts it.

One tool adds, one raises. Neither knows anything of Loquat.
"""
import argparse
import threading

from ovos_bus_client import MessageBusClient
from ovos_plugin_manager.templates.agent_tools import AgentTool, ToolArguments, ToolBox, ToolOutput


class Numbers(ToolArguments):
    """What is to be added."""

    left: int
    right: int


class Total(ToolOutput):
    """What comes of it."""

    total: int


def add(numbers):
    """The sum."""
    return {"total": numbers.left + numbers.right}


def burn(numbers):
    """Never works."""
    raise RuntimeError("on fire")


class StockToolbox(ToolBox):
    """Two tools."""

    def discover_tools(self):
        """Both of them."""
        return [
            AgentTool("stock_add", "Adds two whole numbers.", Numbers, Total, add),
            AgentTool("stock_burn", "Burns two whole numbers.", Numbers, Total, burn),
        ]


def main():
    """Connects, binds the box, says so and stays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    bus = MessageBusClient(host="127.0.0.1", port=port, route="/core", ssl=False)
    bus.run_in_thread()
    if not bus.connected_event.wait(20):
        raise SystemExit(f"the bus on port {port} does not answer")
    box = StockToolbox("stock-tools", bus=bus)
    print(f"the stock toolbox {box.toolbox_id} is bound", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
