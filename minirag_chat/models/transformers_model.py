"""A language model on this machine: transformers with bitsandbytes' 4-bit NF4, on GPU or CPU.

We have our own loop for greedy decoding, because cancelling must end the computation at once: the prompt
is read in blocks, and ``cancelled`` is checked before every layer of the network, so that cancelling in
the middle of a block takes effect within a fraction of a second.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from minirag_chat.errors import ModelError, first_line
from minirag_chat.models.constrained import Grammars
from minirag_chat.models.first_token import first_tokens, probabilities
from minirag_chat.models.load import by_onnxruntime, check_fits, device, load, release
from minirag_chat.models.memory_use import out_of_memory
from minirag_chat.models.offline import patient_threads
from minirag_chat.models.prefix_cache import (
    PrefixCache,
    batches,
    can_be_cut,
    common_beginning,
    given_to,
)
from minirag_chat.models.prompt_lookup import GUESSED, guess
from minirag_chat.models.protocols import ChoiceProbabilities
from minirag_chat.models.text_pieces import in_pieces, repeats_itself
from minirag_chat.records import Cancelled, Turns, never

BLOCK = 512
"""Prompt tokens read together: a third faster than 128. Cancelling is noticed before each layer."""
POLL_SECONDS = 0.05
"""Seconds between two calls of ``cancelled``."""


_NO_CHANGE = contextlib.nullcontext()


class StoppedError(Exception):
    """The caller cancelled; caught inside the model."""


Choose = Callable[[Any, Sequence[int]], int]
"""Chooses a token by its logits, shape (vocabulary,), and the tokens of the reply before it."""


def likeliest(logits: Any, _made: Sequence[int]) -> int:
    """The token with the highest logit."""
    return int(logits.argmax())


class TransformersChatModel:
    """A ``ChatModel`` from a folder that ``convert`` made.

    Thread-safe: calls wait for one another, so do not call it inside a loop over its own ``stream``.
    Raises ``ModelMissing``, ``ModelTooLarge`` or ``ModelCorrupt`` when it is loaded.
    """

    def __init__(self, folder: Path, *, name: str) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[None] = deque()  # one entry for each caller who waits for an answer
        self._cancelled: Cancelled = never
        self._last_check = 0.0
        patient_threads()
        self._device = device()
        check_fits(folder, name, self._device)
        self._model, self._tokenizer = load(folder, name, self._device)
        self._name = f"{name} (4-bit, {'CUDA' if self._device == 'cuda' else 'CPU'})"
        self._ends = _end_tokens(self._model, self._tokenizer)
        self._context = int(getattr(self._model.config, "max_position_embeddings", 4096))
        self._special = sorted(self._tokenizer.get_added_vocab(), key=len, reverse=True)
        self._prefixes = PrefixCache(self._empty_cache)
        self._background = PrefixCache(self._empty_cache, entries=1)  # for ``write``
        self._grammars: Grammars | None = None
        self._by_onnxruntime = by_onnxruntime(self._model)
        for layer in self._model.get_decoder().layers:
            layer.register_forward_pre_hook(self._check_cancelled)

    @property
    def name(self) -> str:
        """The catalog name, the precision and the device."""
        return self._name

    def count_tokens(self, text: str) -> int:
        """The number of tokens of ``text`` in a prompt."""
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def stream(
        self, turns: Turns, *, max_new_tokens: int, cancelled: Cancelled = never
    ) -> Iterator[str]:
        """Yield the greedy answer in pieces; ends early if ``cancelled`` or if it repeats itself.

        Raises ``ModelError`` if the prompt is longer than the context.
        """
        prompt = self._encode(turns, max_new_tokens)
        with contextlib.suppress(StoppedError), self._turn(cancelled):
            yield from in_pieces(self._tokens(prompt, max_new_tokens), self._decode)

    def choose_each(
        self, prompts: Sequence[Turns], choices: Sequence[str], *, cancelled: Cancelled = never
    ) -> list[ChoiceProbabilities | None]:
        """The probabilities of the choices, in batches; the prompts' common beginning is read once.

        Raises ``ModelError`` if two choices begin with the same token.
        """
        import torch

        encoded = [self._encode(turns, 1) for turns in prompts]
        firsts = first_tokens(self._tokenizer, choices, self._name)
        found: list[ChoiceProbabilities | None] = []
        with contextlib.suppress(StoppedError), self._turn(cancelled), torch.inference_mode():
            for batch in batches(encoded, BLOCK):
                if len(batch) > 1:
                    rows = self._read_batch(batch)
                    found += [probabilities(row, firsts) for row in rows]
                else:
                    logits, _ = self._read(batch[0])
                    found.append(probabilities(logits, firsts))
        return found + [None] * (len(prompts) - len(found))

    def write(
        self, turns: Turns, grammar: str, *, max_new_tokens: int, cancelled: Cancelled = never
    ) -> Iterator[str]:
        """Yield text that ``grammar`` allows; between any two tokens, callers in a hurry go first.

        Raises ``ModelError`` if the prompt is too long or the grammar is not valid.
        """
        prompt = self._encode(turns, max_new_tokens)
        written = self._constrained(grammar, prompt, max_new_tokens, cancelled)
        with contextlib.suppress(StoppedError):
            yield from in_pieces(written, self._decode)

    def close(self) -> None:
        """Free the memory; the model cannot be used afterwards."""
        with self._lock:
            self._prefixes.clear()
            self._background.clear()
            self._model = None
        release(self._device)

    @contextlib.contextmanager
    def _turn(self, cancelled: Cancelled, *, patient: bool = False) -> Iterator[None]:
        """Wait for the lock on the model; raise ``StoppedError`` if ``cancelled`` meanwhile.

        A ``patient`` caller lets all others go first.
        """
        ours = False
        if not patient:
            self._waiting.append(None)
        try:
            try:
                while not ours:
                    if patient and self._waiting:
                        time.sleep(POLL_SECONDS)
                    else:
                        ours = self._lock.acquire(timeout=POLL_SECONDS)
                    if cancelled():  # also where all is cached, and nothing else would check it
                        raise StoppedError
            finally:
                if not patient:
                    self._waiting.pop()
            if self._model is None:
                raise ModelError(f"{self._name} was closed; load it again to use it.")
            self._cancelled, self._last_check = cancelled, 0.0
            yield
        except (RuntimeError, MemoryError) as error:
            failed = ModelError(f"{self._name} failed ({first_line(error)}).")
            raise out_of_memory(self._name, error) or failed from error
        finally:
            if ours:
                self._cancelled = never
                self._lock.release()

    def _check_cancelled(self, *_: object) -> None:
        """Run before each layer, and between guessed tokens: stop if the caller has cancelled."""
        now = time.monotonic()
        if now - self._last_check >= POLL_SECONDS:
            self._last_check = now
            if self._cancelled():
                raise StoppedError

    def _encode(self, turns: Turns, max_new_tokens: int) -> list[int]:
        """The prompt as token ids. Text of users cannot end a turn or begin another: see ``_plain``."""
        messages = [{"role": turn.role, "content": self._plain(turn.content)} for turn in turns]
        text = self._tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        if len(ids) + max_new_tokens > self._context:
            raise ModelError(
                f"The prompt of {len(ids)} tokens is longer than {self._name} reads "
                f"({self._context}); ask for less evidence with the setting evidence_tokens."
            )
        return ids

    def _plain(self, text: str) -> str:
        """``text`` with each special token broken up by a space."""
        for token in self._special:
            if token in text:
                text = text.replace(token, f"{token[:1]} {token[1:]}")
        return text

    def _decode(self, tokens: Sequence[int]) -> str:
        text = self._tokenizer.decode(
            list(tokens), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return str(text)

    def _empty_cache(self) -> Any:
        from transformers import DynamicCache

        return DynamicCache(config=self._model.config)

    def _read(self, prompt: list[int], prefixes: PrefixCache | None = None) -> tuple[Any, Any]:
        """Read the prompt block by block; returns the last position's logits and the cache."""
        prefixes = prefixes or self._prefixes
        cache, done = prefixes.start(prompt)
        logits = None
        for first in range(done, len(prompt), BLOCK):
            logits = self._forward(prompt[first : first + BLOCK], cache)
        prefixes.keep(prompt, cache)
        return logits, cache

    def _read_batch(self, prompts: list[list[int]]) -> Any:
        """The last position's logits of each prompt, shape (prompts, vocabulary).

        Their common beginning is read once; the rest is padded on the right, where the attention
        mask hides it.
        """
        import torch

        shared = common_beginning(prompts)
        cache, done = self._prefixes.start(prompts[0][: shared + 1])
        if done < shared:
            self._forward(prompts[0][done:shared], cache)
            self._prefixes.keep(prompts[0][:shared], cache)
        rest = [prompt[shared:] for prompt in prompts]
        longest = max(map(len, rest))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rest], device=self._device)
        mask = torch.tensor(
            [[1] * (shared + len(row)) + [0] * (longest - len(row)) for row in rest],
            device=self._device,
        )
        cache.batch_repeat_interleave(len(prompts))
        decoder = self._model.get_decoder()
        hidden = decoder(
            input_ids=ids, attention_mask=mask, use_cache=True, **given_to(decoder, cache)
        ).last_hidden_state
        ends = torch.tensor([len(row) - 1 for row in rest], device=self._device)
        return self._model.get_output_embeddings()(hidden[torch.arange(len(rest)), ends])

    def _forward(self, tokens: list[int], cache: Any) -> Any:
        """Read ``tokens`` after what is in ``cache``; returns the last one's logits, shape (vocabulary,)."""
        return self._forward_each(tokens, cache, 1)[-1]

    def _forward_each(self, tokens: list[int], cache: Any, last: int) -> Any:
        """:meth:`_forward` with the logits of the ``last`` tokens, shape (last, vocabulary)."""
        import torch

        few = len(tokens) <= 1 + GUESSED
        with _one_thread() if few and self._by_onnxruntime else _NO_CHANGE:
            output = self._model(
                input_ids=torch.tensor([tokens], device=self._device),
                use_cache=True,
                logits_to_keep=last,
                **given_to(self._model, cache),
            )
        return output.logits[0]

    def _tokens(self, prompt: list[int], max_new_tokens: int) -> Iterator[int]:
        """Read the prompt, then yield the likeliest tokens."""
        import torch

        with torch.inference_mode():
            logits, cache = self._read(prompt)
        for token, _ in self._likeliest(logits, prompt, cache, max_new_tokens):
            yield token

    def _likeliest(
        self,
        logits: Any,
        prompt: list[int],
        cache: Any,
        max_new_tokens: int,
        choose: Choose = likeliest,
    ) -> Iterator[tuple[int, Any]]:
        """Decode greedily: yield the likeliest tokens one by one, each with its logits.

        ``logits`` are those of the first token; ``cache`` has the prompt; ``choose`` may prefer another
        token than the likeliest. Ends at an end token, after ``max_new_tokens``, or if the text repeats
        itself.
        """
        import torch

        made: list[int] = []
        guessed: list[int] = []
        rows = logits[None]
        while True:
            right = 0
            for row, expected in zip(rows, [*guessed, None], strict=True):
                token = choose(row, made)
                if token in self._ends:
                    return
                made.append(token)
                yield token, row
                if len(made) >= max_new_tokens or repeats_itself(made):
                    return
                if token != expected:
                    break
                right += 1
                self._check_cancelled()
            if right < len(guessed):
                cache.crop(right - len(guessed))  # remove the wrong guesses
            guessed = guess(prompt + made, GUESSED) if self._guesses(cache) else []
            with torch.inference_mode():
                rows = self._forward_each([token, *guessed], cache, 1 + len(guessed))

    def _guesses(self, cache: Any) -> bool:
        """Whether to guess tokens: a GPU takes much longer for several tokens than for one, in 4 bits."""
        return self._device == "cpu" and can_be_cut(cache)

    def _constrained(
        self, grammar: str, prompt: list[int], max_new_tokens: int, cancelled: Cancelled
    ) -> Iterator[int]:
        """Yield the likeliest tokens that the grammar allows; waits for the lock again before each step."""
        import torch

        if self._grammars is None:
            size = int(self._model.config.vocab_size)
            self._grammars = Grammars(self._tokenizer, self._ends, size)
        following = self._grammars.follow(grammar)
        with self._turn(cancelled, patient=True), torch.inference_mode():
            logits, cache = self._read(prompt, self._background)
        made = 0
        while (tokens := following.next(logits)) and made < max_new_tokens:
            tokens = tokens[: max_new_tokens - made]
            yield from tokens
            made += len(tokens)
            with self._turn(cancelled, patient=True), torch.inference_mode():
                logits = self._forward(tokens, cache)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch use one thread: for few tokens it has little to do, and its threads disturb onnxruntime's."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _end_tokens(model: Any, tokenizer: Any) -> set[int]:
    ends = model.generation_config.eos_token_id
    found = set(ends if isinstance(ends, list) else [ends])
    return (found | {tokenizer.eos_token_id, tokenizer.pad_token_id}) - {None}
