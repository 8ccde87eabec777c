"""Joins a cluster: that of a scheduler which runs, or one of this machine, started here.

Whoever can send a message to dask's scheduler or to a worker can run code there. So the parts of a cluster of this
machine, which its other users can reach, talk by TLS, with a certificate that is made for them and kept in memory. With a
scheduler elsewhere they use TLS if its address is tls://, with the certificates of dask's configuration.
"""

import importlib.util
import logging
import re

from pawnstorm.protocol import parse

TIMEOUT = 10  # seconds to reach a scheduler, once or again
# Ctrl-C goes to all processes of a terminal: the master ends them.
QUIET = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
LOCAL, TCP, SECURE = "local:", "tcp://", "tls://"  # TCP and SECURE are equally long
CERTIFICATES = {
    "ca_file": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "client_cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "client_key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}
"""Of a client: attributes of dask's Security without tls_, and the variables that set them."""


class ClusterError(RuntimeError):
    """No cluster as it was asked for, or one that cannot do the work."""


def check(where):
    """Raise ClusterError for words that mean no cluster, or where a library for it is missing."""
    try:
        if not re.fullmatch(LOCAL + "[1-9][0-9]{0,3}", where):
            parse.address(where[len(TCP) :] if where.startswith((TCP, SECURE)) else "")
    except ValueError:
        raise ClusterError(
            f"bad cluster '{where[:80]}': expected local:N for N processes here, or a scheduler's tcp://host:port or "
            f"tls://host:port"
        ) from None
    for library in ("distributed", "cryptography") if where.startswith(LOCAL) else ("distributed",):
        if not importlib.util.find_spec(library):
            name = "dask.distributed" if library == "distributed" else library
            raise ClusterError(
                f"a cluster needs {name}, which is not installed: expected after pip install '.[cluster]'"
            )


def join(where, threads, topic, hear):
    """(a DataClient of a cluster, the LocalCluster that was started for it, or None).

    where: as check() takes it; threads: of each worker of a local one; topic, hear: as DataClient has them. Raises
    ClusterError.
    """
    import distributed  # a second, and an optional extra

    from cluster.data_client import DataClient

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is no news
    local, address, security = None, where, _security(where)
    try:
        if where.startswith(LOCAL):
            local = distributed.LocalCluster(
                n_workers=int(where.removeprefix(LOCAL)),
                threads_per_worker=threads,
                memory_limit=None,
                host=SECURE + "127.0.0.1",
                security=security,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                preload=QUIET,
            )
            address = local.scheduler_address
        return DataClient(address, topic, hear, timeout=TIMEOUT, security=security), local
    except (OSError, RuntimeError, ValueError) as error:
        if local:
            local.close()
        raise ClusterError(f"cannot join {where}: expected a `dask scheduler` there ({error})") from error


def _security(where):
    """dask's Security for a cluster. Raises ClusterError where certificates are missing or are none."""
    from distributed.security import Security

    if where.startswith(LOCAL):
        return Security.temporary()
    security = Security()
    if where.startswith(SECURE):
        for field, variable in CERTIFICATES.items():
            if not getattr(security, f"tls_{field}"):
                raise ClusterError(f"{where} needs certificates: expected the path of one in {variable}")
        try:
            security.get_connection_args("client")
        except OSError as error:  # ssl.SSLError is one
            paths = ", ".join(str(getattr(security, f"tls_{field}")) for field in CERTIFICATES)
            raise ClusterError(f"cannot use the certificates for {where}: {error} ({paths})") from error
    return security
