"""A UGI engine with the methods that the referee expects of a UCI engine. White is p1."""

from pawnstorm_protocol.client.process import EngineProcess
from pawnstorm_protocol.ugi import CLOCKS

WORDS = {uci: ugi for ugi, uci in CLOCKS.items()}


class UGIProcess(EngineProcess):
    """An EngineProcess that speaks UGI, which has no pondering and no `movestogo`."""

    PROTOCOL = "ugi"
    can_ponder = False

    def go(self, position, words, ponder=False):
        pairs = zip(words.split()[::2], words.split()[1::2])
        told = (f"{WORDS.get(name, name)} {value}" for name, value in pairs if name != "movestogo")
        return super().go(position, " ".join(told))
