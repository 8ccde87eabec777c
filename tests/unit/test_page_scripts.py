"""The page's scripts, which share their top-level names."""

import collections
import re

import pytest

from pawnstorm_tools.playing_page import page

NAME = re.compile(r"^(?:async )?(?:function\*?|const|let|class) +(\w+)", re.M)


@pytest.mark.parametrize("script", [page.page_script, page.worker_script])
def test_no_name_is_declared_twice(script):
    names = collections.Counter(NAME.findall(script()))
    assert len(names) > 50 and [name for name, count in names.items() if count > 1] == []
