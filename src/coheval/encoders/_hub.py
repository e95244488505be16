"""Models of transformers: where their files are, how they are loaded, what their tokenizers and positions allow.

A folder is taken as it is; a hub name is looked up in the local cache first, and downloaded only if it is not there and
HF_HUB_OFFLINE is not set. Weights are read from safetensors, and code that comes with a model is never run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coheval.encoders._tokens import frame_of, read_tokenizer
from coheval.errors import CohevalError, ResourceError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_WEIGHTS = "*.safetensors"
_OTHERS = ("*.json", "*.txt", "*.model")  # configuration, tokenizer
_NO_LIMIT = 1_000_000  # transformers writes 1e30 where a tokenizer has no limit
_USUAL_WINDOW = 512  # of models whose positions have no limit
_TIMEOUT = 5.0  # seconds for the hub's first answer
_VOCABULARIES = ("tokenizer.json", "vocab.*", "*.model")

LOADED = 8  # models of a kind that stay in memory


def require_torch(who: str) -> None:
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise ResourceError(
            f"{who} needs {' and '.join(missing)}, not installed here",
            where=who,
            hint="pip install torch transformers safetensors (what coheval[torch] brings)",
        )


@cache
def model_folder(model: str, revision: str | None = None, *, who: str = "hf", weights: bool = True) -> Path:
    """Where the model's files are: the folder itself, or the hub's snapshot in the local cache.

    Without `weights`, configuration and tokenizer are enough.
    """
    require_torch(who)
    if not model.strip():
        raise ResourceError("expected a folder or a name on the hub, got nothing", where=who, hint="give model='…'")
    if Path(model).is_dir():
        return _complete(Path(model), weights)
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HFValidationError

    def snapshot(*, cached: bool) -> Path:
        return Path(
            snapshot_download(
                model,
                revision=revision,
                allow_patterns=[_WEIGHTS, *_OTHERS] if weights else list(_OTHERS),
                ignore_patterns=["*/*"],
                etag_timeout=_TIMEOUT,
                local_files_only=cached,
            )
        )

    try:
        return _complete(snapshot(cached=True), weights)
    except HFValidationError:
        raise ResourceError(
            "there is no such folder, and no hub model can be called so", where=model, hint="check the path"
        ) from None
    except (OSError, ResourceError):
        pass  # not in the cache, or without weights
    if constants.HF_HUB_OFFLINE:
        raise ResourceError(
            "the model is neither a folder nor in the local cache, and work is offline (HF_HUB_OFFLINE is set)",
            where=model,
            hint="give the model's folder, or allow the network (--online, or from Python HF_HUB_OFFLINE=0)",
        )
    try:
        folder = snapshot(cached=False)
    except Exception as error:  # the hub's errors and its HTTP library's share no base class but Exception
        message = f"the model is neither a folder nor in the local cache, and the hub says: {first_line(error)}"
        hint = f"check the name, or run `hf download {model}` where there is a network and give its folder"
        raise ResourceError(message, where=model, hint=hint) from error
    return _complete(folder, weights)


def _complete(folder: Path, weights: bool) -> Path:
    if weights and not any(folder.glob(_WEIGHTS)):
        raise ResourceError(
            "the folder holds no *.safetensors",
            where=str(folder),
            hint="weights in other formats can run code; save_pretrained writes safetensors",
        )
    if not weights and not (folder / "config.json").is_file():
        raise ResourceError(
            "the folder holds no config.json",
            where=str(folder),
            hint="it must hold the configuration and the tokenizer of a transformers model; weights are not needed",
        )
    if not any(
        path for pattern in _VOCABULARIES for path in folder.glob(pattern)
    ):  # transformers makes up an empty one
        raise ResourceError(
            "the folder holds no vocabulary of a tokenizer",
            where=str(folder),
            hint="copy tokenizer.json to it; AutoTokenizer.save_pretrained writes one",
        )
    return folder


def model_files(folder: Path, *, weights: bool = True) -> list[Path]:
    """The files that a model's numbers depend on."""
    return sorted(p for pattern in ((_WEIGHTS, *_OTHERS) if weights else _OTHERS) for p in folder.glob(pattern))


def modified(folder: Path, *, weights: bool = True) -> int:
    """When the last of a model's files was written, so that a model that has changed is loaded again."""
    return max(path.stat().st_mtime_ns for path in model_files(folder, weights=weights))


@contextmanager
def loading(folder: Path) -> Iterator[None]:
    """Around transformers' loading: without progress bars and reports on stderr, and whatever it raises told."""
    try:
        with _quiet():
            yield
    except CohevalError:
        raise
    except Exception as error:  # a folder can be broken in as many ways as there are models
        raise ResourceError(
            f"transformers cannot load the model: {first_line(error)}",
            where=str(folder),
            hint="the folder must hold the config, safetensors and tokenizer of a model that needs no code of its own",
        ) from error


def require_parameters(absent: Iterable[str], folder: Path) -> None:
    """What the file lacks would be made up at random."""
    lacking = sorted(absent)
    if lacking:
        raise ResourceError(
            f"the weights lack {len(lacking)} parameters of the model, such as {lacking[0]!r}",
            where=str(folder),
            hint="do config.json and *.safetensors belong together?",
        )


def first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


@contextmanager
def _quiet() -> Iterator[None]:
    """What matters in the reports is checked here."""
    import transformers

    logging: Any = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def engine(tokenizer: Any, network: Any, folder: Path) -> Tokenizer:
    """What makes tokens of texts, without padding and truncation, and without tokens that the model does not have.

    tokenizer.json is taken as it is: transformers makes some tokenizers anew from their class and takes only the
    vocabulary from there, so that without a tokenizer_config.json a cased model would read lower case.
    """
    file = folder / "tokenizer.json"
    if file.is_file():
        return _fitted(read_tokenizer(file), network, folder)
    if not getattr(tokenizer, "is_fast", False):
        raise ResourceError(
            f"{type(tokenizer).__name__} knows no character offsets",
            where=str(folder),
            hint="the folder must hold a tokenizer.json; AutoTokenizer.save_pretrained writes one for most models",
        )
    return _fitted(tokenizer.backend_tokenizer, network, folder)


def _fitted(tokenizer: Tokenizer, network: Any, folder: Path) -> Tokenizer:
    """A copy that gives only numbers that the model embeds.

    Special tokens that it does not, such as the <mask> of bart-large-cnn, are left out: in a text, such a word is then
    read as any other. Whatever else it lacks is told.
    """
    rows = network.get_input_embeddings().num_embeddings
    content = json.loads(tokenizer.to_str())
    lacking = {token["id"] for token in content["added_tokens"] if token["special"] and token["id"] >= rows}
    content["added_tokens"] = [token for token in content["added_tokens"] if token["id"] not in lacking]
    made = type(tokenizer).from_str(json.dumps(content))
    made.no_padding()
    made.no_truncation()
    special = {token["id"] for token in content["added_tokens"] if token["special"]} | lacking
    words = set(made.get_vocab().values()) - special
    if not words:  # transformers makes one up where it does not find the file
        raise ResourceError(
            "the tokenizer has no words",
            where=str(folder),
            hint="copy tokenizer.json to the folder; AutoTokenizer.save_pretrained writes one",
        )
    frame = frame_of(made)
    largest = max(words | {number for number, _ in (*frame.before, *frame.after)})
    if largest >= rows:
        raise ResourceError(
            f"the tokenizer has tokens up to number {largest:,}, the model embeds {rows:,}",
            where=str(folder),
            hint="do the tokenizer and the weights belong together?",
        )
    return made


def window(network: Any, tokenizer: Any) -> int:
    """The most tokens that both the tokenizer and the positions allow."""
    from torch.nn import Embedding

    positions = int(getattr(network.config, "max_position_embeddings", None) or 0)
    for name, module in network.named_modules():
        # RoBERTa and its kin begin to count after the padding's position.
        if name.endswith("position_embeddings") and isinstance(module, Embedding) and module.padding_idx is not None:
            positions = module.num_embeddings - module.padding_idx - 1
    limits = [n for n in (positions, int(tokenizer.model_max_length)) if 0 < n < _NO_LIMIT]
    return min(limits, default=_USUAL_WINDOW)
