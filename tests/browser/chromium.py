"""A page in headless Chromium, driven through two pipes: Python's standard library and Debian's chromium, no more.

    with Browser() as browser, Page(browser, "runs/latest/report.html", width=420, dark=True) as page:
        page.run("document.title")             # a value of JavaScript
        page.key("ArrowRight")
        page.complaints(), page.requests()

What this is not: a test framework. It asserts nothing, and what does not answer within `patience` seconds is an error.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


def program():
    """The browser, or None where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """The process and its protocol: NUL-separated JSON, commands on descriptor 3, answers on 4."""

    def __init__(self, patience=240):
        self.patience, self.number, self.left, self.events = patience, 0, b"", []
        self.home = tempfile.TemporaryDirectory(prefix="peerproof browser ", ignore_cleanup_errors=True)
        commands, self.to = os.pipe()
        self.back, answers = os.pipe()
        # Moved away from 3 and 4 first, so that neither end is overwritten when they become 3 and 4.
        start = ('exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"')
        self.process = subprocess.Popen(
            ["bash", "-c", start, "bash", str(commands), str(answers), program(), "--headless=new", "--remote-debugging-pipe",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", f"--user-data-dir={self.home.name}"],
            pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)

    def send(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        return self._until(lambda m: m.get("id") == self.number, method)

    def wait(self, session, method):
        """The next event of that name in that page, those that came already included."""
        def wanted(message):
            return message.get("method") == method and message.get("sessionId") == session
        return next(filter(wanted, self.events), None) or self._until(wanted, method)

    def _until(self, wanted, what):
        end = time.monotonic() + self.patience
        while True:
            while b"\0" in self.left:
                text, self.left = self.left.split(b"\0", 1)
                message = json.loads(text)
                if "method" in message:
                    self.events.append(message)
                if wanted(message):
                    if "error" in message:
                        raise RuntimeError(f"{what}: {message['error']}")
                    return message.get("result", message)
            ready, _, _ = select.select([self.back], [], [], max(0, end - time.monotonic()))
            block = os.read(self.back, 1 << 20) if ready else b""
            if not block:
                raise RuntimeError(f"the browser {'ended' if ready else 'did not answer'}: {what}")
            self.left += block

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)
        os.close(self.back)
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.home.cleanup()


class Page:
    """A page of its own in that browser, loaded from a file."""

    def __init__(self, browser, file, width=1400, height=900, dark=False, script=True):
        self.browser = browser
        self.target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        if not script:
            self.send("Emulation.setScriptExecutionDisabled", value=True)
        self.look(width, height, dark)
        self.send("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        browser.wait(self.session, "Page.loadEventFired")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.send("Target.closeTarget", targetId=self.target)

    @property
    def events(self):
        return [event for event in self.browser.events if event.get("sessionId") == self.session]

    def send(self, method, **params):
        return self.browser.send(method, self.session, **params)

    def look(self, width, height=900, dark=False, media=""):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def run(self, script):
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, name):
        code = {"key": name, "code": name, "windowsVirtualKeyCode": KEYS[name]}
        self.send("Input.dispatchKeyEvent", type="keyDown", **code)
        self.send("Input.dispatchKeyEvent", type="keyUp", **code)

    def write(self, text):
        self.send("Input.insertText", text=text)

    def picture(self, file, whole=False):
        params = {"captureBeyondViewport": whole}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            params["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        pathlib.Path(file).write_bytes(base64.b64decode(self.send("Page.captureScreenshot", **params)["data"]))

    def pdf(self):
        return base64.b64decode(self.send("Page.printToPDF")["data"])

    def complaints(self):
        """Console messages, exceptions and log entries of whatever kind: a good page has none."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event for event in self.events if event["method"] in kinds]

    def requests(self):
        """URLs that were asked for, the page itself included; data: URLs are none."""
        urls = [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith("data:")]
