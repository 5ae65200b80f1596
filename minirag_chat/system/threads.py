"""Limits the threads of numpy's matrix products."""

from __future__ import annotations

from threadpoolctl import threadpool_limits


def one_blas_thread() -> None:
    """Use one thread for numpy's products in this process; only for processes of our own.

    Further threads would spin for some 25 ms while waiting for the next product, and take a processor
    from the encoder, which runs next. Our products are small.
    """
    threadpool_limits(1, user_api="blas")
