"""The page in which the games are played, for page.py: one file of HTML with the core as WebAssembly in a worker, and
the same page as a folder for a web host.

    numbers.py      the numbers that the scripts need from the engine's modules, as JSON
    opening.py      who wins the first positions of a solved game, a byte for each
    page.py         the template filled in with the numbers, style and scripts, and the core, networks and books as text
    hosted.py       the folder for a web host: the page, a manifest and icons to install it, a service worker to use it
                    without a network
    texts.json      all words for people, in English; for another language, set page.TEXTS to another such file
    artwork.py      the icons and the picture of the folder for a web host, as PNG
    both/           scripts of page and worker: the core's memory, positions, the parts
    worker/         the engine in its worker: what engine/'s Python does, for one thread
    view/           the page itself
    site/           scripts of the folder for a web host: the service worker, and the script that registers it

Page and executable share the core, which searches. The code that drives it (iterations, time, levels) is short, and exists
a second time in worker/; tests compare the two move by move.
"""


class PageError(ValueError):
    """No page can be made; the text names the fault and says what was expected."""
