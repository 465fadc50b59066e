"""Has the preferred assistant of a running Home Assistant speak by a voice, as its owner chooses it on the page. Run with the
Python of its virtual environment.

    assistant.py http://127.0.0.1:18123 OWNER-TOKEN tts.tone
"""

import asyncio
import sys

import aiohttp

from settle import Socket

PATIENCE = 60


async def main():
    url, token, voice = sys.argv[1:]
    async with aiohttp.ClientSession() as session:
        owner = await Socket.open(session, url, token)
        for _ in range(PATIENCE):
            engine = await owner.ask(type="tts/engine/get", engine_id=voice)
            if engine["success"]:
                break
            await asyncio.sleep(1)
        language = engine["result"]["provider"]["supported_languages"][0]
        listed = (await owner.ask(type="assist_pipeline/pipeline/list"))["result"]
        [assistant] = [one for one in listed["pipelines"] if one["id"] == listed["preferred_pipeline"]]
        assistant |= {"tts_engine": voice, "tts_language": language, "tts_voice": None}
        changed = await owner.ask(type="assist_pipeline/pipeline/update", pipeline_id=assistant.pop("id"), **assistant)
        if not changed["success"]:
            sys.exit(f"the assistant does not take the voice: {changed}")


if __name__ == "__main__":
    asyncio.run(main())
