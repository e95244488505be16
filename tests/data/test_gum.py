"""GUM: a corpus of two documents of our own, and the real one."""

from __future__ import annotations

import io
import tarfile
from collections import Counter

import pytest

from coheval.data.gum import PERMISSIVE, read_gum
from coheval.data.rsttree import Node, RstTree
from coheval.errors import DataError

SHIP = """# newdoc id = GUM_news_ship
# meta::genre = news
# newpar
# newpar_block = head (1 s)
# sent_id = GUM_news_ship-1
# text = A ship's return
1\tA\ta\tDET\tDT\t_\t2\tdet\t2:det\t_

# newpar
# sent_id = GUM_news_ship-2
# text = The ship came back, because it leaked = badly.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t2:det\t_

# sent_id = GUM_news_ship-3
# text = Nobody drowned.
1\tNobody\tnobody\tPRON\tNN\t_\t2\tnsubj\t_\t_

# sent_id = GUM_news_ship-4
# text = Some swam, and some waited.
1\tSome\tsome\tPRON\tDT\t_\t2\tnsubj\t_\t_

"""
SHIP_TREE = """( Root (span 1 6)
  ( Satellite (leaf 1) (rel2par organization-heading) (text _!A ship 's return_!) )
  ( Nucleus (span 2 6) (rel2par span)
    ( Nucleus (span 2 3) (rel2par joint-other)
      ( Nucleus (leaf 2) (rel2par span) (text _!The ship came back ,_!) )
      ( Satellite (leaf 3) (rel2par causal-cause) (text _!because it leaked = badly ._!) )
    )
    ( Nucleus (span 4 6) (rel2par joint-other)
      ( Nucleus (span 4 5) (rel2par joint-list)
        ( Nucleus (leaf 4) (rel2par span) (text _!Nobody drowned ._!) )
        ( Satellite (leaf 5) (rel2par elaboration-additional) (text _!Some swam ,_!) )
      )
      ( Nucleus (leaf 6) (rel2par joint-list) (text _!and some waited ._!) )
    )
  )
)
"""
TALK = """# newdoc id = GUM_podcast_talk
# meta::genre = podcast
# newpar
# sent_id = GUM_podcast_talk-1
# speaker = Ann
# text = Ready?
1\tReady\tready\tADJ\tJJ\t_\t0\troot\t_\t_

# sent_id = GUM_podcast_talk-2
# speaker = Bob
# text = Yes.
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_

# sent_id = GUM_podcast_talk-3
# speaker = Bob
# text = Go.
1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_
"""
TALK_TREE = """( Root (span 1 2)
  ( Satellite (leaf 1) (rel2par topic-question) (text _!Ready ?_!) )
  ( Nucleus (leaf 2) (rel2par span) (text _!Yes . Go ._!) )
)
"""
SPLITS = "# Splits\n\nAs usual.\n\n## dev\n\n  * GUM_news_other\n\n## test\n\n  * GUM_podcast_talk\n"
FILES = {
    "dep/GUM_news_ship.conllu": SHIP,
    "dep/GUM_podcast_talk.conllu": TALK,
    "rst/lisp_binary/GUM_news_ship.dis": SHIP_TREE,
    "rst/lisp_binary/GUM_podcast_talk.dis": TALK_TREE,
}


def archive(path, files):
    with tarfile.open(path, "w:xz") as made:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content.encode())
            made.addfile(entry, io.BytesIO(content.encode()))


def archived(root, files=FILES, splits=SPLITS):
    archive(root / "dep.tar.xz", {name: text for name, text in files.items() if name.startswith("dep")})
    archive(root / "rst_lisp_binary.tar.xz", {name: text for name, text in files.items() if name.startswith("rst")})
    (root / "splits.md").write_text(splits)
    return root


def checkout(root, files=FILES, splits=SPLITS):
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    (root / "splits.md").write_text(splits)
    return root


@pytest.fixture(params=[archived, checkout])
def corpus(request, tmp_path):
    return request.param(tmp_path)


def test_documents(corpus):
    ship, talk = read_gum(corpus)
    assert (ship.id, ship.genre, ship.split) == ("GUM_news_ship", "news", "train")
    assert ship.text == (
        "A ship's return\nThe ship came back, because it leaked = badly. Nobody drowned. Some swam, and some waited."
    )
    assert [ship.text[start:stop] for start, stop in ship.sentences] == [
        "A ship's return",
        "The ship came back, because it leaked = badly.",
        "Nobody drowned.",
        "Some swam, and some waited.",
    ]
    assert [ship.tree.edu(number) for number in range(6)] == [
        "A ship's return",
        "The ship came back,",
        "because it leaked = badly.",
        "Nobody drowned.",
        "Some swam,",
        "and some waited.",
    ]
    assert ship.tree.text == ship.text
    assert ship.tree.nodes == (
        Node(0, 1, 6, "SN", "organization-heading"),
        Node(1, 3, 6, "NN", "joint-other"),
        Node(1, 2, 3, "NS", "causal-cause"),
        Node(3, 5, 6, "NN", "joint-list"),
        Node(3, 4, 5, "NS", "elaboration-additional"),
    )
    assert (talk.genre, talk.split) == ("podcast", "test")
    assert talk.text == "Ready?\nYes. Go."  # a line for each speaker
    assert talk.genre not in PERMISSIVE
    assert ship.genre in PERMISSIVE


def test_sentences_that_are_subtrees(corpus):
    ship, talk = read_gum(corpus)
    # The fourth sentence has two EDUs that belong to different nodes.
    assert list(ship.sentence_trees()) == [
        ("A ship's return", RstTree("A ship's return", ((0, 15),), ())),
        (
            "The ship came back, because it leaked = badly.",
            RstTree(
                "The ship came back, because it leaked = badly.",
                ((0, 19), (20, 46)),
                (Node(0, 1, 2, "NS", "causal-cause"),),
            ),
        ),
        ("Nobody drowned.", RstTree("Nobody drowned.", ((0, 15),), ())),
    ]
    # Here an EDU has two sentences.
    assert [text for text, _ in talk.sentence_trees()] == ["Ready?"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rst/lisp_binary/GUM_news_ship.dis", SHIP_TREE.replace("Some", "Many"), "EDU 5 goes on with 'Many"),
        ("rst/lisp_binary/GUM_news_ship.dis", SHIP_TREE[:200], r"GUM_news_ship\.dis:\d: expected"),
        ("dep/GUM_news_ship.conllu", "", "expected sentences with # text|no lines"),
        ("dep/GUM_news_ship.conllu", SHIP.replace("# meta::genre = news\n", ""), "# meta::genre"),
        ("dep/GUM_news_more.conllu", SHIP, "1 documents have a tree or sentences, not both, such as 'GUM_news_more'"),
    ],
)
@pytest.mark.parametrize("made", [archived, checkout])
def test_wrong_documents(made, name, content, message, tmp_path):
    with pytest.raises(DataError, match=message) as error:
        read_gum(made(tmp_path, {**FILES, name: content}))
    assert str(tmp_path) in str(error.value)
    assert error.value.hint


def test_missing_parts(tmp_path):
    with pytest.raises(DataError, match=r"splits\.md: there is no such file"):
        read_gum(tmp_path)
    (tmp_path / "splits.md").write_text(SPLITS)
    with pytest.raises(DataError, match=r"expected the folder rst/lisp_binary, or rst_lisp_binary\.tar\.xz"):
        read_gum(tmp_path)


def test_half_an_archive(tmp_path):
    path = archived(tmp_path) / "dep.tar.xz"
    whole = path.read_bytes()
    for size in (0, 1, len(whole) // 2, len(whole) * 3 // 4):  # of the end nothing is needed
        path.write_bytes(whole[:size])
        with pytest.raises(DataError, match="got a broken one") as error:
            read_gum(tmp_path)
        assert error.value.where == str(path)


def test_the_corpus(shared):
    documents = read_gum(shared / "data" / "gum_rst")
    assert len(documents) == 237
    listed = (shared / "data" / "gum_rst" / "splits.md").read_text().partition("## test")
    for document in documents:
        line = f"* {document.id}\n"
        assert document.split == ("dev" if line in listed[0] else "test" if line in listed[2] else "train")
    assert Counter(document.split for document in documents) == {"train": 177, "dev": 30, "test": 30}
    # Every sentence begins an EDU and ends one, and no EDU has words of two.
    for document in documents:
        assert {start for start, _ in document.sentences} <= {start for start, _ in document.tree.edus}
        assert {stop for _, stop in document.sentences} <= {stop for _, stop in document.tree.edus}
        assert document.genre == document.id.split("_")[1]
    assert sum(document.genre in PERMISSIVE for document in documents) == 168


def test_sentences_of_the_corpus(shared):
    """By brute force: the words of a sentence are one EDU, or all words of some node."""
    for document in read_gum(shared / "data" / "gum_rst")[::20]:
        spans = {document.tree.span(node.first, node.stop) for node in document.tree.nodes}
        expected = [span for span in document.sentences if span in spans or span in document.tree.edus]
        found = list(document.sentence_trees())
        assert [text for text, _ in found] == [document.text[start:stop] for start, stop in expected]
        for (text, tree), (start, stop) in zip(found, expected, strict=True):
            assert tree.text == text
            inside = [edu for edu in document.tree.edus if start <= edu[0] < stop]
            assert [tree.edu(k) for k in range(len(tree))] == [document.text[a:b] for a, b in inside]
