"""Talks to a Wyoming service through the stock package and prints, as one line of JSON, what it was answered.

Runs in the virtual environment that ../install.py makes. It knows nothing of Loquat beyond what Home Assistant knows.
"""
import argparse
import asyncio
import json
import wave

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.handle import Handled, NotHandled
from wyoming.info import Describe, Info

PATIENCE_SECONDS = 60
SAMPLES_PER_CHUNK = 1024


def shown(event):
    """An event as the package understands it."""
    if event is None:
        return {"type": "end"}
    for kind in (Handled, NotHandled, Transcript, Error, Info):
        if kind.is_type(event.type):
            return {"type": event.type, "data": kind.from_event(event).event().data}
    return {"type": event.type, "data": event.data}


async def read(client):
    """The next event."""
    return shown(await asyncio.wait_for(client.read_event(), PATIENCE_SECONDS))


async def describe(client, _):
    """What is offered."""
    await client.write_event(Describe().event())
    return await read(client)


async def say(client, arguments):
    """What is answered to a sentence, as Home Assistant's conversation entity sends it."""
    context = {"conversation_id": arguments.conversation, "device_id": arguments.device, "satellite_id": None}
    transcript = Transcript(arguments.text, context=context, language=arguments.language)
    await client.write_event(transcript.event())
    return await read(client)


async def hear(client, arguments):
    """What is heard in a WAV file, as Home Assistant's speech-to-text entity sends it."""
    with wave.open(arguments.text) as file:
        form = {"rate": file.getframerate(), "width": file.getsampwidth(), "channels": file.getnchannels()}
        await client.write_event(Transcribe(name=arguments.model, language=arguments.language).event())
        await client.write_event(AudioStart(**form).event())
        while sound := file.readframes(SAMPLES_PER_CHUNK):
            await client.write_event(AudioChunk(audio=sound, **form).event())
    await client.write_event(AudioStop().event())
    return await read(client)


async def crowd(port, count):
    """How many of so many peers that are there at once are told what, and what one more is told when they have gone."""
    peers = [AsyncTcpClient("127.0.0.1", port) for _ in range(count)]
    told = {}
    for peer in peers:
        await peer.connect()
    for peer in peers:
        try:
            answer = await describe(peer, None)
        except (ConnectionError, asyncio.IncompleteReadError):
            answer = {"type": "end"}
        told[answer["type"]] = told.get(answer["type"], 0) + 1
    for peer in peers:
        try:
            await peer.disconnect()
        except ConnectionError:
            pass
    return told


async def main():
    """One exchange."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--language")
    parser.add_argument("--conversation")
    parser.add_argument("--device")
    parser.add_argument("--model")
    parser.add_argument("deed", choices=["describe", "say", "hear", "crowd"])
    parser.add_argument("text", nargs="?")
    arguments = parser.parse_args()
    if arguments.deed == "crowd":
        print(json.dumps(await crowd(arguments.port, int(arguments.text))))
        return
    deed = {"describe": describe, "say": say, "hear": hear}[arguments.deed]
    async with AsyncTcpClient("127.0.0.1", arguments.port) as client:
        print(json.dumps(await deed(client, arguments)))


asyncio.run(main())
