"""Sessions of onnxruntime on the CPU: quiet, without telemetry, and idle between two runs."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

Array = NDArray[Any]


def is_installed() -> bool:
    """Whether onnxruntime can be loaded here, and ``onnx``, which builds its graphs."""
    try:
        import onnx  # noqa: F401  # they may be installed, but lack a system library
        import onnxruntime  # noqa: F401  # the same
    except ImportError:
        return False
    return True


def session(graph: Any, values: dict[str, Array], *, small: bool) -> Any:
    """An onnxruntime session of ``graph`` and its weights; ``small``: in 8 bits. Raises ``ValueError``."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # if it was imported before this package turned it off
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors only: no warnings on the terminal
    options.intra_op_num_threads = _threads()
    # Its threads spin while they wait for the next operator; this stops them between two passes.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    options.enable_cpu_mem_arena = False  # the arena would never shrink after long texts
    # Prepacking copies the weights into another layout, 3 % faster; in float32 that takes 40 MB.
    options.add_session_config_entry("session.disable_prepacking", "0" if small else "1")
    given = [
        onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(value))
        for value in values.values()
    ]
    options.add_external_initializers(list(values), given)
    try:
        return onnxruntime.InferenceSession(
            graph.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # its errors have no other common base class
        raise ValueError(str(error)) from error


@cache
def exact_in_eight_bits() -> bool:
    """Whether sums of 8-bit products are exact on this CPU: older ones saturate at 16 bits."""
    from minirag_chat.models.encoder_graph import product_graph

    try:
        made = session(product_graph(np.full((64, 64), 127, np.int8)), {}, small=True)
        found = made.run(None, {"rows": np.full((8, 64), 255, np.uint8)})[0]
    except ValueError:
        return False
    return bool((found == 255 * 127 * 64).all())


def _threads() -> int:
    """The number of threads, as in torch: OMP_NUM_THREADS, else the physical cores that we may use."""
    told = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if told.isdecimal() and int(told):
        return int(told)
    physical = psutil.cpu_count(logical=False) or 1
    affinity = getattr(psutil.Process(), "cpu_affinity", None)  # macOS has none
    return min(physical, len(affinity())) if affinity else physical
