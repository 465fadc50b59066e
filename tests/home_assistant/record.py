"""Furnishes the demo home of a running Home Assistant (areas, floors, aliases, what Assist may see) and records what it
answers to a user without administration rights. Run with the Python of its virtual environment.

    record.py http://127.0.0.1:18123 FOLDER      writes FOLDER/home.json; without FOLDER it only furnishes

Prints the owner's token and the user's at the end.
"""

import asyncio
import json
import pathlib
import sys

import aiohttp

from settle import Socket, settle

FLOORS = {"Ground floor": (0, ["downstairs", "unten", "Erdgeschoss"]), "First floor": (1, ["upstairs", "oben"])}

# Name, aliases and floor.
AREAS = {
    "Kitchen": (["Küche", "cuisine", "cocina", "cozinha", "cucina"], "Ground floor"),
    "Living Room": (["Wohnzimmer", "salon", "salón", "sala", "soggiorno"], "Ground floor"),
    "Bedroom": (["Schlafzimmer", "chambre", "dormitorio", "quarto", "camera"], "First floor"),
    "Office": (["Büro"], "First floor"),
}

# Entity, its area and its aliases.
ENTITIES = {
    "light.bed_light": ("Bedroom", ["Bettlampe", "lampe de chevet"]),
    "light.ceiling_lights": ("Living Room", ["Deckenlampe"]),
    "light.kitchen_lights": ("Kitchen", ["Küchenlicht"]),
    "light.office_rgbw_lights": ("Office", ["desk lamp", "Schreibtischlampe"]),
    "light.living_room_rgbww_lights": ("Living Room", ["floor lamp", "Stehlampe"]),
    "switch.decorative_lights": ("Living Room", ["fairy lights", "Lichterkette"]),
    "switch.ac": ("Bedroom", ["air conditioner", "Klimaanlage"]),
    "cover.kitchen_window": ("Kitchen", ["kitchen blind", "Küchenrollo"]),
    "cover.living_room_window": ("Living Room", ["curtains", "Vorhang"]),
    "cover.garage_door": (None, ["Garagentor", "garage"]),
    "climate.ecobee": ("Bedroom", ["heating", "Heizung"]),
    "sensor.outside_temperature": ("Bedroom", ["bedroom temperature", "Temperatur im Schlafzimmer"]),
    "script.evening": (None, ["evening mood", "Abendstimmung"]),
    "script.leave": (None, []),
    "siren.siren": ("Office", []),
    "binary_sensor.basement_floor_wet": ("Kitchen", ["kitchen floor", "Küchenboden"]),
}

SHOWN = ["script.evening", "script.leave", "binary_sensor.basement_floor_wet", "siren.siren", "alarm_control_panel.security"]
HIDDEN = ["fan.ceiling_fan", "light.entrance_color_white_lights"]


async def built(admin, patience=240):
    """Waits until the demo home is there: the first start installs what it needs."""
    for _ in range(patience):
        states = await admin.ask(type="get_states")
        if {*ENTITIES} <= {state["entity_id"] for state in states["result"]}:
            return
        await asyncio.sleep(1)
    print("not all of the demo home came", file=sys.stderr)


async def furnish(admin):
    async def ids(kind, key):
        listed = await admin.ask(type=f"config/{kind}_registry/list")
        return {one["name"]: one[key] for one in listed["result"]}

    for name, (level, aliases) in FLOORS.items():
        if name not in await ids("floor", "floor_id"):
            await admin.ask(type="config/floor_registry/create", name=name, level=level, aliases=aliases)
    floors = await ids("floor", "floor_id")
    areas = await ids("area", "area_id")
    for name, (aliases, floor) in AREAS.items():
        given = {"name": name, "aliases": aliases, "floor_id": floors[floor]}
        if name in areas:
            await admin.ask(type="config/area_registry/update", area_id=areas[name], **given)
        else:
            await admin.ask(type="config/area_registry/create", **given)
    areas = await ids("area", "area_id")
    for entity, (area, aliases) in ENTITIES.items():
        done = await place(admin, entity, areas.get(area), aliases)
        if not done["success"]:
            print(entity, done["error"]["message"])
    for entities, shown in ((SHOWN, True), (HIDDEN, False)):
        await admin.ask(
            type="homeassistant/expose_entity", assistants=["conversation"], entity_ids=entities, should_expose=shown
        )


async def place(admin, entity, area, aliases):
    """A newer one has the area of most things on their devices, and among the aliases a null for a thing's own name."""
    known = (await admin.ask(type="config/entity_registry/get", entity_id=entity)).get("result", {})
    own = [None] if None in known.get("aliases", []) else []
    given = {"type": "config/entity_registry/update", "entity_id": entity, "aliases": [*own, *aliases]}
    done = await admin.ask(**given, area_id=area)
    if not done["success"] and done["error"]["code"] == "invalid_info":
        await admin.ask(type="config/device_registry/update", device_id=known["device_id"], area_id=area)
        done = await admin.ask(**given)
    return done


STATES = [
    "alarm_control_panel", "binary_sensor", "climate", "cover", "fan", "light", "lock", "media_player", "scene", "script",
    "sensor", "siren", "switch", "todo", "valve",
]  # fmt: skip

ATTRIBUTES = {
    "friendly_name", "device_class", "entity_id", "brightness", "current_temperature", "temperature", "percentage",
    "current_position", "volume_level", "is_volume_muted", "unit_of_measurement", "supported_features", "code_format",
    "supported_color_modes", "media_title", "hvac_modes", "min_temp", "max_temp", "target_temp_high", "target_temp_low",
}  # fmt: skip

CALLS = [
    ("light.turn_on", "light.bed_light", {"brightness_pct": 40}),
    ("light.turn_off", "light.bed_light", {}),
    ("lock.unlock", "lock.front_door", {}),
    ("lock.lock", "lock.front_door", {}),
    ("cover.open_cover", "cover.garage_door", {}),
    ("cover.close_cover", "cover.garage_door", {}),
    ("climate.set_temperature", "climate.heatpump", {"temperature": 21}),
    ("fan.turn_on", "fan.living_room_fan", {}),
    ("light.turn_on", "light.not_there", {}),
    ("alarm_control_panel.alarm_disarm", "alarm_control_panel.security", {}),
    ("lock.unlock", "light.bed_light", {}),
    ("no.service", "light.bed_light", {}),
]

SENTENCES = {
    "en": [
        "turn off the bed light", "unlock the front door", "open the garage door", "turn off all the lights",
        "what is the meaning of life", "add milk to my shopping list", "turn on evening mood", "turn on leave the house",
        "open all the covers", "is the front door locked", "vacuum the house", "what time is it", "bed light off",
        "how many lights are on", "leave the house", "announce dinner is ready", "activate the evening script",
        "change the brightness of the bed light to 40", "lights out in the bedroom",
    ],
    "de": [
        "schalte die Bettlampe aus", "öffne das Garagentor", "schließe die Haustür auf", "schalte alle Lichter aus",
        "Bettlampe aus", "Garage auf",
    ],
}  # fmt: skip

# Handed to Assist at the end, since they move things.
MOVING = {
    "en": [
        "bed light off", "how many lights are on", "leave the house", "activate the evening script",
        "change the brightness of the bed light to 40", "lights out in the bedroom",
    ],
    "de": ["Bettlampe aus", "Garage auf"],
}


def small(state):
    kept = {key: value for key, value in state.get("a", {}).items() if key in ATTRIBUTES}
    return {"s": state["s"], "a": kept}


def of_interest(entity):
    return entity.split(".")[0] in STATES and not entity.startswith(("sensor.sun", "sensor.backup"))


async def frames(socket, seconds):
    got = []
    try:
        while True:
            got.append(await asyncio.wait_for(socket.socket.receive_json(), seconds))
    except TimeoutError:
        return got


async def record(url, session, token):
    socket = await session.ws_connect(f"{url}/api/websocket", max_msg_size=0)
    recording = {"required": await socket.receive_json()}
    await socket.send_json({"type": "auth", "access_token": "wrong"})
    recording["invalid"] = await socket.receive_json()
    socket = await session.ws_connect(f"{url}/api/websocket", max_msg_size=0)
    await socket.receive_json()
    await socket.send_json({"type": "auth", "access_token": token})
    recording["ok"] = await socket.receive_json()
    user = Socket(socket)
    answers = recording["answers"] = {}

    async def keep(name, **command):
        answers[name] = await user.ask(**command)
        return answers[name]["result"]

    me = await keep("auth/current_user", type="auth/current_user")
    me["credentials"], me["mfa_modules"] = [], []
    for kind in ("area", "floor", "device", "entity"):
        await keep(f"config/{kind}_registry/list", type=f"config/{kind}_registry/list")
    listed = [one for one in answers["config/entity_registry/list"]["result"] if of_interest(one["entity_id"])]
    entries = await keep(
        "config/entity_registry/get_entries",
        type="config/entity_registry/get_entries",
        entity_ids=[one["entity_id"] for one in listed],
    )
    short = ("area_id", "device_id", "disabled_by", "entity_category", "entity_id", "hidden_by", "name", "original_name",
             "platform", "options", "aliases")  # fmt: skip
    answers["config/entity_registry/list"]["result"] = [
        {key: one.get(key) for key in short if key != "aliases"} for one in listed
    ]
    answers["config/entity_registry/get_entries"]["result"] = {
        entity: one and {key: one.get(key) for key in short} for entity, one in entries.items()
    }
    devices = {one["device_id"] for one in listed}
    answers["config/device_registry/list"]["result"] = [
        {key: one[key] for key in ("id", "name", "name_by_user", "area_id")}
        for one in answers["config/device_registry/list"]["result"]
        if one["id"] in devices
    ]
    recording["scripts"] = {
        script: await user.ask(type="script/config", entity_id=script)
        for script in ("script.evening", "script.leave", "script.none")
    }
    recording["sentences"] = {
        language: {
            said: await user.ask(type="conversation/agent/homeassistant/debug", sentences=[said], language=language)
            for said in said_in
        }
        for language, said_in in SENTENCES.items()
    }
    recording["processed"] = {
        said: await user.ask(type="conversation/process", text=said, language="en")
        for said in ("what is the meaning of life", "add milk to my shopping list", "turn off the bed light", "is the front door locked")
    }
    user.last += 1
    await socket.send_json({"id": user.last, "type": "subscribe_entities"})
    first = await frames(user, 1)
    states = next(one for one in first if one["type"] == "event")
    states["event"]["a"] = {entity: small(state) for entity, state in states["event"]["a"].items() if of_interest(entity)}
    recording["subscribed"] = [one for one in first if one["type"] == "result"][:1] + [states]
    calls = recording["calls"] = []
    for action, entity, data in CALLS:
        domain, service = action.split(".")
        user.last += 1
        call = {"id": user.last, "type": "call_service", "domain": domain, "service": service, "service_data": data,
                "target": {"entity_id": [entity]}}  # fmt: skip
        await socket.send_json(call)
        got = await frames(user, 4)
        about = [one for one in got if one["type"] == "result" or entity in one.get("event", {}).get("c", {})]
        calls.append({"call": call, "frames": about})
    recording["todo"] = await user.ask(
        type="call_service", domain="todo", service="get_items", target={"entity_id": ["todo.shopping_list"]},
        return_response=True,
    )  # fmt: skip
    for language, said_in in MOVING.items():
        for said in said_in:
            command = {"type": "conversation/process", "text": said, "language": language}
            recording["processed"][said] = await user.ask(**command, agent_id="conversation.home_assistant")
    return recording


async def main():
    url = sys.argv[1].rstrip("/")
    async with aiohttp.ClientSession() as session:
        owner, admin, token = await settle(session, url)
        await built(admin)
        await furnish(admin)
        if sys.argv[2:]:
            recording = await record(url, session, token)
            folder = pathlib.Path(sys.argv[2])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "home.json").write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n")
        print(owner)
        print(token)


if __name__ == "__main__":
    asyncio.run(main())
