"""Serve a GGUF file with llama.cpp's own server, of the package xllamacpp: FILE PORT. Stops with its input."""

from __future__ import annotations

import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path, params.port = sys.argv[1], int(sys.argv[2])
params.hostnames = ["127.0.0.1"]
params.n_ctx, params.n_parallel, params.endpoint_slots = 4096, 1, True
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)  # noqa: T201 - whoever started it waits for this
sys.stdin.read()
