from __future__ import annotations

import logging
import os
import subprocess
import sys

import pytest
from huggingface_hub import constants

from minirag_chat.models.offline import WAITING, offline

pytestmark = pytest.mark.process


def test_the_hub_is_refused_inside_and_everything_is_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    level = logging.getLogger("bitsandbytes").level
    with offline(), offline():
        assert constants.HF_HUB_OFFLINE
        assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert not constants.HF_HUB_OFFLINE
    assert "HF_HUB_OFFLINE" not in os.environ
    assert logging.getLogger("bitsandbytes").level == level


def test_a_users_own_offline_setting_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with offline():
        pass
    assert constants.HF_HUB_OFFLINE
    assert os.environ["HF_HUB_OFFLINE"] == "1"


def test_importing_the_models_loads_none_of_the_heavy_libraries() -> None:
    heavy = ("torch", "transformers", "sentence_transformers", "bitsandbytes")
    program = f"import sys, minirag_chat.models; print([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def openmp_settings(**own: str) -> str:
    """What torch's OpenMP library says of itself in a new process."""
    code = (
        "from minirag_chat.models.offline import patient_threads; patient_threads(); import torch"
    )
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
    environment = {**plain, **own, "OMP_DISPLAY_ENV": "verbose"}
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import os; print('left', os.environ.get('GOMP_SPINCOUNT'))"],
        env=environment, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert "left None" in done.stdout, "programs that we start decide for themselves"
    return done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="torch brings GNU's OpenMP on Linux only")
def test_threads_spin_briefly_unless_the_user_says_how_they_wait() -> None:
    assert f"GOMP_SPINCOUNT = '{WAITING['GOMP_SPINCOUNT']}'" in openmp_settings()
    assert "OMP_WAIT_POLICY = 'ACTIVE'" in openmp_settings(OMP_WAIT_POLICY="ACTIVE")
