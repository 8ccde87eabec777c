"""Joins the cluster of a running scheduler, or starts a local cluster on this machine.

Anyone who can send a message to dask's scheduler or to a worker can run code there. Other users of this machine can reach
the ports of a local cluster. So its parts communicate by TLS, with a certificate that is made for them and kept in memory.
The connection to a running scheduler uses TLS if its address is tls://, with the certificates of dask's configuration.
"""

import importlib.util
import logging
import re

from pawnstorm_protocol import addresses

TIMEOUT = 10  # seconds to connect to a scheduler, or to reconnect
# Ctrl-C reaches all processes of a terminal. Workers ignore it: the master ends them.
QUIET = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
LOCAL, TCP, SECURE = "local:", "tcp://", "tls://"  # TCP and SECURE are equally long
CERTIFICATES = {
    "ca_file": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "client_cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "client_key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}
"""A client's files: the names of attributes of dask's Security, which there begin with tls_, and the environment variables
that set them.
"""


class ClusterError(RuntimeError):
    """The requested cluster does not exist, or cannot do the work."""


def check(where):
    """Raise ClusterError if `where` names no cluster, or if a library for it is missing."""
    try:
        if not re.fullmatch(LOCAL + "[1-9][0-9]{0,3}", where):
            addresses.address(where[len(TCP) :] if where.startswith((TCP, SECURE)) else "")
    except ValueError:
        raise ClusterError(
            f"bad cluster '{where[:80]}': expected local:N for N processes here, or a scheduler's tcp://host:port or "
            f"tls://host:port"
        ) from None
    for library in ("distributed", "cryptography") if where.startswith(LOCAL) else ("distributed",):
        if not importlib.util.find_spec(library):
            name = "dask.distributed" if library == "distributed" else library
            raise ClusterError(
                f"a cluster needs {name}, which is not installed: run pip install 'pawnstorm[cluster]' "
                "or, in a clone, pip install -e '.[cluster]'"
            )


def join(where, threads, topic, hear):
    """Join or start a cluster; returns (a DataClient, the LocalCluster that was started or None). Raises ClusterError.

    where: as for check(). threads: the threads of each worker of a local cluster. topic, hear: as for DataClient.
    """
    import distributed  # imported late, because it takes a second and is an optional dependency

    from pawnstorm_tools.cluster.data_client import DataClient

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # because they log each lost connection
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
    """dask's Security for a cluster. Raises ClusterError if a certificate is missing or invalid."""
    from distributed.security import Security

    if where.startswith(LOCAL):
        return Security.temporary()
    security = Security()
    if where.startswith(SECURE):
        for field, variable in CERTIFICATES.items():
            if not getattr(security, f"tls_{field}"):
                raise ClusterError(f"{where} needs a certificate and its key: expected a file's path in {variable}")
        try:
            security.get_connection_args("client")
        except OSError as error:  # ssl.SSLError is one
            paths = ", ".join(str(getattr(security, f"tls_{field}")) for field in CERTIFICATES)
            raise ClusterError(f"cannot use the certificates for {where}: {error} ({paths})") from error
    return security
