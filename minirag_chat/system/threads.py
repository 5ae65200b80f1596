"""How many threads numpy's products take."""

from __future__ import annotations

from threadpoolctl import threadpool_limits


def one_blas_thread() -> None:
    """Let numpy's products be computed by one thread in this process, which is to be our own.

    With more of them the others wait for the next product by turning in circles for some 25 ms, and
    take a processor from the encoder, whose turn it is then. Our products are small.
    """
    threadpool_limits(1, user_api="blas")
