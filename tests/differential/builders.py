"""The two sides of a comparison: our program, and kustomize as its packages (many builds in one process) or as its program."""
import json
import os
import random
import shutil
import subprocess

from text import text_of

ENV = {**os.environ, "GOMAXPROCS": "1", "GOGC": "400"}  # half the work for the peer


def write(folder, files, style=None):
    """style: a seed of the hand in which the files are written; None: the plain one."""
    r = random.Random(style) if style is not None else None
    shutil.rmtree(folder, ignore_errors=True)
    for path, content in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", newline="") as f:
            f.write(text_of(content, r))


def build(program, folder):
    """The text printed, or None and why the build failed."""
    done = subprocess.run([program, "build", folder], capture_output=True, timeout=120, env=ENV)
    if done.returncode < 0 or done.returncode > 2:
        return "crashed: %d\n" % done.returncode, done.stderr.decode(errors="replace")
    return (done.stdout.decode(errors="replace") if done.returncode == 0 else None), done.stderr.decode(errors="replace")


class Server:
    """A process of tests/differential/peer, started when it is first asked and again when it has ended."""

    def __init__(self, program):
        self.program, self.process = program, None

    def build(self, folder, fresh):
        """As build(); fresh: the build brings a schema. A process that ends without an answer is a failure: the program is asked then."""
        if not self.process or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENV)
        self.process.stdin.write((("fresh " if fresh else "") + folder + "\n").encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            return None, "the process of the peer ended"
        answer = json.loads(line)
        return None if answer["failed"] else answer["output"], answer["why"]

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def sort_of(theirs, ours):
    """"", "output", "we fail", "only the peer fails"."""
    if theirs[0] == ours[0]:
        return ""
    return "we fail" if ours[0] is None else "only the peer fails" if theirs[0] is None else "output"


class Pair:
    def __init__(self, ours, peer, server, folder):
        self.ours, self.peer, self.folder = ours, peer, folder
        self.server = Server(server)

    def write(self, files, style):
        write(self.folder, files, style)

    def outcome(self, files, style=None):
        """Which sort of difference there is, and what both gave. A difference is kustomize's program's word, not its packages'."""
        self.write(files, style)
        brings_schema = any(isinstance(content, dict) and "openapi" in content for content in files.values())
        theirs, ours = self.server.build(self.folder, brings_schema), build(self.ours, self.folder)
        if sort_of(theirs, ours):
            theirs = build(self.peer, self.folder)
        return sort_of(theirs, ours), theirs, ours

    def close(self):
        self.server.close()
