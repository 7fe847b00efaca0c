"""A server that misbehaves: of a hundred requests thirty are failed, stalled, reset, cut off or answered with no HTTP.

    server.py SEED    listens on a free port of 127.0.0.1 and 127.0.0.2, which is the first line on standard output

Every request has a number of its own in the header Soak-Number. Whatever arrives whole is written down before anything
is done about it. GET /ledger, once every other connection has been closed, is that list, one a line, in the order of
arrival: a number, what was done, and whether the request may be sent again without harm (RFC 9110 section 9.2.2).
"""

import asyncio
import json
import random
import socket
import struct
import sys

IDEMPOTENT = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}
MISDEEDS = ["broken", "busy", "stall", "reset", "truncated", "garbage"]
chance = random.Random(int(sys.argv[1]))
ledger = []
connections = 0


async def read_request(reader):
    """Method, path and headers; None when the other side has closed."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    line, *rest = head.decode("latin-1").split("\r\n")
    headers = dict(field.lower().split(": ", 1) for field in rest if ": " in field)
    try:
        await reader.readexactly(int(headers.get("content-length", 0)))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    method, path, _ = line.split(" ")
    return method, path, headers


def reset(writer):
    """Ends the connection with a reset in place of an orderly end."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


async def act(deed, method, reader, writer):
    """Does it; whether the connection goes on."""

    def answer(status, body, more=""):
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
        return head.encode() + (b"" if method == "HEAD" else body)

    body = json.dumps({"items": [{"id": chance.randrange(1000), "createTime": 1714725000 + n} for n in range(5)]}).encode()
    if deed == "ok":
        await asyncio.sleep(chance.random() * 0.02)
        writer.write(answer("200 OK", body))
    elif deed == "broken":
        writer.write(answer("500 Internal Server Error", b'{"message":"broken"}'))
    elif deed == "busy":
        writer.write(answer("503 Service Unavailable", b"{}", f"Retry-After: {int(chance.random() < 0.1)}\r\n"))
    elif deed == "stall":
        await reader.read()
        return False
    elif deed == "reset":
        reset(writer)
        return False
    elif deed == "truncated":
        writer.write(answer("200 OK", body)[:-20])
        return False
    elif deed == "garbage":
        writer.write(b"\x16\x03\x01 this is no HTTP at all\r\n\r\n")
        return False
    return True


async def serve(reader, writer):
    global connections
    connections += 1
    try:
        while request := await read_request(reader):
            method, path, headers = request
            if path == "/ledger":
                while connections > 1:
                    await asyncio.sleep(0.02)
                writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + "".join(ledger).encode())
                break
            deed = chance.choice(MISDEEDS) if chance.random() < 0.3 else "ok"
            is_harmless = method in IDEMPOTENT or "idempotency-key" in headers
            ledger.append(f"{headers.get('soak-number', '?')} {deed} {'again' if is_harmless else 'once'}\n")
            if not await act(deed, method, reader, writer):
                break
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        connections -= 1
        writer.close()


async def main():
    first = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024)
    port = first.sockets[0].getsockname()[1]
    await asyncio.start_server(serve, "127.0.0.2", port, backlog=1024)
    print(port, flush=True)
    await first.serve_forever()


asyncio.run(main())
