"""A model that recites: a one-block llama GGUF whose next token is a function of the last one alone.

Its embedding is the identity, its block adds nothing, and its output matrix is a table of successors, so a server recites
texts that the test's author wrote, a piece a token, whatever the temperature. Its chat template looks for words in the
prompt and chooses the text: whole loops run to known ends against a server that somebody else wrote. What that proves is
protocols and loops, no model's skill.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

try:
    import gguf
    import numpy as np
except ModuleNotFoundError as error:
    print("skipped: python has no package %s; KBX_TEST_MODELS=1 tools/setup installs it" % error.name)
    sys.exit(77)

PIECE = 160  # characters a token, about
CONTEXT = 16384


@dataclass
class Route:
    """A text and the words that must stand in the prompt for it; the first route that fits is taken."""

    needs: list[str]
    text: str


@dataclass
class Vocabulary:
    """Tokens as a server of the kind gpt2 keeps them, and who follows whom."""

    tokens: list[str] = field(default_factory=list)
    types: list[int] = field(default_factory=list)
    follows: dict[int, int] = field(default_factory=dict)

    def add(self, text: str, kind: gguf.TokenType) -> int:
        self.tokens.append(text)
        self.types.append(int(kind))
        return len(self.tokens) - 1


def byte_letters() -> dict[int, str]:
    """GPT-2's letters for bytes: printable ones stand for themselves, the others for letters from U+0100 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {b: chr(b) for b in plain}
    for b in range(256):
        if b not in letters:
            letters[b] = chr(256 + len(letters) - len(plain))
    return letters


def pieces(text: str, used: set[str]) -> list[str]:
    """The text in parts that no token is yet: a token is known by its text, and every token has one follower."""
    for size in range(PIECE, PIECE + 4096):
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        if len(set(parts)) == len(parts) and used.isdisjoint(parts) and (len(parts) == 0 or len(parts[-1]) > 1):
            used.update(parts)
            return parts
    raise ValueError(f"a text is there twice: {text[:80]!r}")


def quoted(word: str) -> str:
    """As a Jinja string."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def template(routes: list[Route]) -> str:
    """Chooses a start token by the words of all messages."""
    out = ["{%- set ns = namespace(text='') -%}", "{%- for m in messages -%}{%- set ns.text = ns.text + '\\n' + m.content -%}{%- endfor -%}"]
    for k, route in enumerate(routes):
        test = " and ".join(f"{quoted(w)} in ns.text" for w in route.needs) or "true"
        out.append("{%- " + ("if " if k == 0 else "elif ") + test + " -%}" + f"<|r{k}|>")
    return "".join(out) + "{%- endif -%}"


def vocabulary(routes: list[Route]) -> tuple[Vocabulary, int]:
    """Bytes, an end, and a chain of pieces for each route."""
    letters = byte_letters()
    v = Vocabulary()
    for b in range(256):
        v.add(letters[b], gguf.TokenType.NORMAL)
    merged = v.add(letters[ord("q")] + letters[ord("q")], gguf.TokenType.NORMAL)  # the one merge that a tokenizer must have
    end = v.add("<|end|>", gguf.TokenType.CONTROL)
    v.follows[merged] = end
    used: set[str] = {"qq"}
    for k, route in enumerate(routes):
        last = v.add(f"<|r{k}|>", gguf.TokenType.CONTROL)
        for piece in pieces(route.text, used):
            token = v.add(piece, gguf.TokenType.USER_DEFINED)  # read as it stands
            v.follows[last] = token
            last = token
        v.follows[last] = end
    return v, end


def write_model(path: Path, routes: list[Route], name: str = "recitation") -> None:
    """One GGUF file; the same routes give the same bytes."""
    v, end = vocabulary(routes)
    size = len(v.tokens)
    width = (size + 63) // 64 * 64
    head = 64
    w = gguf.GGUFWriter(path, "llama")
    w.add_name(name)
    w.add_context_length(CONTEXT)
    w.add_embedding_length(width)
    w.add_block_count(1)
    w.add_feed_forward_length(head)
    w.add_head_count(1)
    w.add_head_count_kv(1)
    w.add_key_length(head)
    w.add_value_length(head)
    w.add_layer_norm_rms_eps(1e-6)
    w.add_rope_dimension_count(head)
    w.add_vocab_size(size)
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("gpt-2")
    w.add_token_list(v.tokens)
    w.add_token_types(v.types)
    w.add_token_merges(["q q"])
    w.add_eos_token_id(end)
    w.add_bos_token_id(end)
    w.add_add_bos_token(False)
    w.add_chat_template(template(routes))
    f16, f32 = np.float16, np.float32
    embedding = np.zeros((size, width), f16)
    embedding[np.arange(size), np.arange(size)] = 1
    output = np.zeros((size, width), f16)
    for token, follower in v.follows.items():
        output[follower, token] = 1
    for tensor, value in {
        "token_embd.weight": embedding,
        "output.weight": output,
        "output_norm.weight": np.ones(width, f32),
        "blk.0.attn_norm.weight": np.ones(width, f32),
        "blk.0.ffn_norm.weight": np.ones(width, f32),
        "blk.0.attn_q.weight": np.zeros((head, width), f16),
        "blk.0.attn_k.weight": np.zeros((head, width), f16),
        "blk.0.attn_v.weight": np.zeros((head, width), f16),
        "blk.0.attn_output.weight": np.zeros((width, head), f16),
        "blk.0.ffn_gate.weight": np.zeros((head, width), f16),
        "blk.0.ffn_up.weight": np.zeros((head, width), f16),
        "blk.0.ffn_down.weight": np.zeros((width, head), f16),
    }.items():
        w.add_tensor(tensor, value)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def main() -> None:
    """Routes as JSON ([{"needs": [...], "text": ...}]) to a file."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("routes", type=Path)
    p.add_argument("-o", type=Path, required=True)
    a = p.parse_args()
    write_model(a.o, [Route(**r) for r in json.loads(a.routes.read_text())])


if __name__ == "__main__":
    main()
