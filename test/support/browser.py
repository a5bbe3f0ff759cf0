"""A folder of a page in Chromium without a screen, on a WebGPU for processors."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no Chromium here; Debian's package chromium is one"
)

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_WEBGPU = (
    "--disable-gpu-sandbox",
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
)

_WATCH = """<!doctype html><iframe src="/index.html" width="800" height="800"></iframe><script>
const frame = document.querySelector("iframe");
const send = (body) => fetch("/said", { method: "POST", body: JSON.stringify(body) });
const wait = (test) => new Promise((done) => {
  const again = () => (test() ? done() : setTimeout(again, 20));
  again();
});
frame.onload = async () => {
  const page = frame.contentDocument;
  const text = (id) => page.getElementById(id)?.innerText ?? "";
  await wait(() => page.body.dataset.state);
  const said = { state: page.body.dataset.state, text: text("state"), times: text("times") };
  const canvas = page.querySelector("canvas");
  if (canvas) {
    const before = text("scores");
    const place = canvas.getBoundingClientRect();
    const Event = frame.contentWindow.PointerEvent;
    canvas.setPointerCapture = () => {};
    const point = (kind, x, y) => canvas.dispatchEvent(
      new Event(kind, { clientX: place.left + x, clientY: place.top + y, pointerId: 1 }));
    point("pointerdown", 140, 30);
    for (let y = 30; y <= 250; y += 10) point("pointermove", 140, y);
    point("pointerup", 140, 250);
    await wait(() => text("scores") !== before);
    await new Promise((done) => setTimeout(done, 500));
    said.first = page.querySelector("#scores td").innerText;
  }
  send(said);
};
</script>"""


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        """Send a file of the folder, or the page that watches its page."""
        if self.path != "/watch":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(_WATCH.encode())

    def do_POST(self) -> None:
        """Take the report of the page, and end."""
        length = int(self.headers["Content-Length"])
        self.server.said = json.loads(self.rfile.read(length))  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()
        threading.Thread(target=self.server.shutdown).start()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def watch_page(folder: Path, *, webgpu: bool = True, seconds: float = 120) -> dict[str, Any]:
    """Return what the page of a folder says once it is ready, and after a line is drawn on it.

    The browser has a device for WebGPU, or none.
    """
    flags = _WEBGPU if webgpu else ("--disable-gpu",)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    server.said = {}  # type: ignore[attr-defined]
    address = f"http://127.0.0.1:{server.server_port}/watch"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [str(CHROMIUM), *_FLAGS, *flags, f"--user-data-dir={profile}", address]
        browser = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        timer = threading.Timer(seconds, server.shutdown)
        timer.start()
        try:
            server.serve_forever()
        finally:
            timer.cancel()
            server.server_close()
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
    return server.said  # type: ignore[attr-defined]
