"""Makes the owner, a user without administration rights and that user's long-lived token on a Home Assistant that has
just been installed, without a browser. Prints the token. Run with the Python of its virtual environment.

    settle.py http://127.0.0.1:18123 [admin]
"""

import asyncio
import sys
import time

import aiohttp


class Socket:
    """A connection to the websocket API."""

    def __init__(self, socket):
        self.socket = socket
        self.last = 0

    @classmethod
    async def open(cls, session, url, token):
        socket = await session.ws_connect(f"{url}/api/websocket", max_msg_size=0)
        await socket.receive_json()
        await socket.send_json({"type": "auth", "access_token": token})
        answer = await socket.receive_json()
        if answer["type"] != "auth_ok":
            raise SystemExit(f"the token was refused: {answer}")
        return cls(socket)

    async def ask(self, **command):
        """The answer as it came; events that come before it are dropped."""
        self.last += 1
        await self.socket.send_json({"id": self.last, **command})
        while True:
            answer = await self.socket.receive_json()
            if answer.get("id") == self.last and answer["type"] == "result":
                return answer


async def token_of(session, url, code):
    form = {"grant_type": "authorization_code", "code": code, "client_id": url + "/"}
    async with session.post(f"{url}/auth/token", data=form) as answer:
        return (await answer.json())["access_token"]


async def login(session, url, user, password):
    client = url + "/"
    start = {"client_id": client, "handler": ["homeassistant", None], "redirect_uri": client}
    async with session.post(f"{url}/auth/login_flow", json=start) as answer:
        flow = (await answer.json())["flow_id"]
    given = {"client_id": client, "username": user, "password": password}
    async with session.post(f"{url}/auth/login_flow/{flow}", json=given) as answer:
        return await token_of(session, url, (await answer.json())["result"])


async def onboard(session, url):
    owner = {"name": "Owner", "username": "owner", "password": "owner-password", "client_id": url + "/", "language": "en"}
    async with session.post(f"{url}/api/onboarding/users", json=owner) as answer:
        if answer.status != 200:
            return await login(session, url, "owner", "owner-password")
        token = await token_of(session, url, (await answer.json())["auth_code"])
    headers = {"Authorization": f"Bearer {token}"}
    for step in ("core_config", "analytics"):
        await session.post(f"{url}/api/onboarding/{step}", json={}, headers=headers)
    return token


async def settle(session, url):
    """The owner's token, and a long-lived one of a user who administers nothing."""
    owner = await onboard(session, url)
    admin = await Socket.open(session, url, owner)
    made = await admin.ask(type="config/auth/create", name="loquat", group_ids=["system-users"], local_only=True)
    if made["success"]:
        await admin.ask(
            type="config/auth_provider/homeassistant/create",
            user_id=made["result"]["user"]["id"],
            username="loquat",
            password="loquat-password",
        )
    user = await Socket.open(session, url, await login(session, url, "loquat", "loquat-password"))
    made = await user.ask(type="auth/long_lived_access_token", client_name=f"loquat {time.time_ns()}", lifespan=3650)
    return owner, admin, made["result"]


async def main():
    url = sys.argv[1].rstrip("/")
    async with aiohttp.ClientSession() as session:
        owner, admin, token = await settle(session, url)
        if "admin" in sys.argv[2:]:
            made = await admin.ask(type="auth/long_lived_access_token", client_name=f"owner {time.time_ns()}", lifespan=3650)
            token = made["result"]
        print(token)


if __name__ == "__main__":
    asyncio.run(main())
