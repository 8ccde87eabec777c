"""A web server on this machine, for tests of pages."""

import contextlib
import http.server
import threading
from pathlib import Path


@contextlib.contextmanager
def serving(files, headers):
    """The address of a server of files, {name: path}, each sent with the headers, {name: value}."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path):
            return str(files.get(path.lstrip("/").partition("?")[0], Path("/nonexistent")))

        def end_headers(self):
            for name, value in headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
