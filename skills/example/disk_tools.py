"""A skill on the bus: it tells Loquat's personas how much room is left on the disk."""
import shutil

from ovos_bus_client import MessageBusClient

BOX = "disk-tools"
TOOL = {"toolbox_id": BOX, "name": "free_space",
        "description": "Tells how many gigabytes are free in a folder.",
        "argument_schema": {"type": "object", "properties": {"folder": {"type": "string"}}},
        "output_schema": {"type": "object", "properties": {"gigabytes": {"type": "number"}}}}


def discover(message):
    bus.emit(message.response({"toolbox_id": BOX, "tools": [TOOL]}))


def call(message):
    if message.data["toolbox_id"] == BOX:
        try:
            free = shutil.disk_usage(message.data["kwargs"].get("folder", "/")).free
            answer = {"result": {"gigabytes": round(free / 1e9, 1)}}
        except OSError as error:
            answer = {"error": str(error)}
        bus.emit(message.response({"toolbox_id": BOX, **answer}))


bus = MessageBusClient()
bus.on("ovos.persona.tools.discover", discover)
bus.on("ovos.persona.tools.call", call)
bus.run_forever()
