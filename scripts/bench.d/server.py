"""The benchmark's server: nginx on a free port of loopback, ended with the benchmark."""

import contextlib
import pathlib
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

MODULES = "/usr/lib/nginx/modules"  # Debian's
PADDING = ",".join(f'"pad{number}":"{"x" * 50}"' for number in range(16))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def nginx(folder):
    """Serves folder/www; gives the base of its URLs."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    port = free_port()
    filled = {"PORT": str(port), "FOLDER": str(folder), "MODULES": MODULES, "PADDING": PADDING}
    template = (pathlib.Path(__file__).parent / "nginx.conf").read_text()
    configuration = folder / "nginx.conf"
    configuration.write_text(re.sub(r"@([A-Z]+)@(?!.*filled in)", lambda name: filled[name[1]], template))
    process = subprocess.Popen(
        [program, "-p", folder, "-c", configuration, "-e", folder / "error.log"], stdin=subprocess.DEVNULL)
    try:
        base = f"http://127.0.0.1:{port}"
        wait_until_ready(f"{base}/ready", process, folder)
        yield base
    finally:
        process.terminate()
        process.wait()


def wait_until_ready(url, process, folder):
    for _ in range(500):
        if process.poll() is not None:
            raise SystemExit(f"bench: nginx ended at once; see {folder}/error.log")
        with contextlib.suppress(urllib.error.URLError):
            urllib.request.urlopen(url).read()
            return
        time.sleep(0.01)
    raise SystemExit("bench: nginx does not answer")
