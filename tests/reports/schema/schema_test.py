"""The published schemas take what the programs write, and nothing that is spoilt.

    schema_test.py SCHEMA_FOLDER SAMPLE_FOLDER PEERPROOF_REPORT
"""
import copy
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from validate import read, validator  # noqa: E402

SCHEMAS, SAMPLE_FOLDER, PEERPROOF_REPORT = map(pathlib.Path, sys.argv[1:4])
SESSION = "20261201T051500Z-3f2a9c"


def at(document, path):
    for step in path:
        document = document[step]
    return document


def members(value, path=()):
    """The path of every object in the document; of a list, its first item only."""
    if isinstance(value, dict):
        yield path
        for name, member in value.items():
            yield from members(member, path + (name,))
    elif isinstance(value, list) and value:
        yield from members(value[0], path + (0,))


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.TemporaryDirectory(prefix="schema test ")
        cls.validators = {name: validator(SCHEMAS, name) for name in ("report", "plan", "record", "series", "series_comparison")}

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    def folder(self, kind, gpus):
        folder = pathlib.Path(self.root.name) / f"{kind} {gpus}"
        if not folder.exists():
            if kind == "empty":
                folder.mkdir()
            else:
                subprocess.run([SAMPLE_FOLDER, kind, str(gpus), folder], check=True)
            subprocess.run([PEERPROOF_REPORT, "verdict", folder, "--session", SESSION], stdout=subprocess.DEVNULL, check=False)
        return folder

    def takes(self, name, document):
        return self.validators[name].is_valid(document)

    def test_take_what_is_written(self):
        for kind, gpus in (("open", 2), ("locked", 3), ("silent", 3), ("full", 4), ("hostile", 2), ("simulated", 2), ("self-check", 2), ("empty", 2)):
            with self.subTest(kind=kind):
                folder = self.folder(kind, gpus)
                self.validators["report"].validate(read(folder / "report.json"))
                if kind != "empty":
                    self.validators["plan"].validate(read(folder / "plan.json"))
                for record in (folder / "records").glob("*.json"):
                    self.validators["record"].validate(read(record))

    def test_series_and_their_comparison(self):
        root = pathlib.Path(self.root.name) / "series"
        for kind, gpus, name in (("full", 2, "old/1"), ("full", 2, "old/2"), ("full", 2, "new/3"), ("silent", 2, "new/4"), ("hostile", 2, "new/5")):
            subprocess.run([SAMPLE_FOLDER, kind, str(gpus), root / name], check=True)
            for file in (root / name).rglob("*.json"):
                file.write_text(file.read_text().replace(SESSION, "session-" + name[-1]))
            subprocess.run([PEERPROOF_REPORT, "verdict", root / name, "--session", "session-" + name[-1]], stdout=subprocess.DEVNULL, check=False)
        for side, runs in (("old", "2"), ("new", "4")):
            subprocess.run([PEERPROOF_REPORT, "repeat", root / side, "--runs", runs, "--different-benches", "--out", root / f"{side} page"],
                           stdout=subprocess.DEVNULL, check=False)
        subprocess.run([PEERPROOF_REPORT, "compare", root / "old", root / "new", "--different-benches", "--json", root / "comparison.json"],
                       stdout=subprocess.DEVNULL, check=False)
        series, comparison = read(root / "new page/series.json"), read(root / "comparison.json")
        self.assertTrue(any(case["flipped"] for case in series["cases"]))
        self.assertTrue(comparison["changes"])
        self.validators["series"].validate(read(root / "old page/series.json"))
        for name, document in (("series", series), ("series_comparison", comparison)):
            self.validators[name].validate(document)
            for path in members(document):
                additional = copy.deepcopy(document)
                at(additional, path)["surprise"] = ["this"]
                self.assertFalse(self.takes(name, additional), (name, path))
                if path and path[-1] in ("fingerprint", "verdicts", "outcomes"):
                    continue
                for member in at(document, path):
                    missing = copy.deepcopy(document)
                    del at(missing, path)[member]
                    self.assertFalse(self.takes(name, missing), (name, path, member))
        for member, value in (("exit_code", 0), ("verdict", "fine"), ("as_expected", True)):
            self.assertFalse(self.takes("series", {**series, member: value}), member)

    def test_take_a_report_with_strays(self):
        folder = self.folder("open", 3)
        (folder / "records" / "notes.json").write_text("{}")
        subprocess.run([PEERPROOF_REPORT, "verdict", folder, "--session", SESSION], stdout=subprocess.DEVNULL, check=False)
        report = read(folder / "report.json")
        self.assertEqual(len(report["strays"]), 1)
        self.validators["report"].validate(report)

    def test_refuse_a_missing_an_additional_and_a_mistyped_member(self):
        folder = self.folder("full", 3)
        optional = {("ways",), ("again",), ("crowd",), ("soak",), ("plan", "soak_s"), ("soak_s",), ("time",), ("plan", "required_ways"), ("required_ways",)}  # not there in files of before
        held = ("values", "not_said")  # by whatever name
        free = {("environment",), ("not_run",), ("plan", "environment"), ("plan", "not_run"), ("ways", "each")}
        records = [read(file) for file in (folder / "records").glob("*.json")]
        documents = [("report", read(folder / "report.json")), ("plan", read(folder / "plan.json"))]
        documents += [("record", next(r for r in records if r[key])) for key in ("steps", "hints", "measurements", "edges")]
        soaked = next(r for r in records if "soak" in r)
        soak = soaked["soak"]
        soak["firsts"] = [{"flow": "gpu0_to_gpu1 store", "outcome": "missing", "beside": "alone, small", "round": 1, "operation": 2, "operation_all": 3,
                           "bytes": 4, "bytes_all": 5, "seconds": 0.5, "detail": "", "before": soak["before"], "after": soak["after"]}]
        self.validators["record"].validate(soaked)
        documents += [("record", soaked)]
        spoilt = 0
        for name, document in documents:
            for path in members(document):
                additional = copy.deepcopy(document)
                at(additional, path)["surprise"] = [1]
                self.assertFalse(self.takes(name, additional), (name, path))
                for member in at(document, path):
                    mistyped = copy.deepcopy(document)
                    at(mistyped, path)[member] = {"not": ["this"]}
                    self.assertFalse(self.takes(name, mistyped), (name, path, member))
                    if path in free or path[-1:] in [(name,) for name in held] or path + (member,) in optional:
                        continue
                    missing = copy.deepcopy(document)
                    del at(missing, path)[member]
                    self.assertFalse(self.takes(name, missing), (name, path, member))
                    spoilt += 1
        self.assertGreater(spoilt, 150)

    def test_refuse_unknown_words_and_contradictions(self):
        report, plan = read(self.folder("silent", 3) / "report.json"), read(self.folder("silent", 3) / "plan.json")
        record = report["records"][0]
        for name, document, member, value in (
                ("report", report, "verdict", "fine"), ("report", report, "schema", "peerproof.report/4"), ("report", report, "exit_code", 0),
                ("report", report, "exit_code", 2), ("report", report, "as_expected", True), ("report", report, "verdict", "no_verdict"),
                ("report", report, "expected", "silent"), ("report", report, "reasons", []),
                ("plan", plan, "required_ways", ["ipx"]), ("plan", plan, "required_ways", ["ipc", "ipc"]),
                ("plan", plan, "expectation", "silent"), ("plan", plan, "deadline_s", 0), ("plan", plan, "run", 1 << 24),
                ("plan", plan, "measurements", "some"), ("plan", plan, "schema", "peerproof.plan/1"),
                ("record", record, "outcome", "fine"), ("record", record, "state", "done"), ("record", record, "family", "cores"),
                ("record", record, "signal", 0), ("record", record, "exit_code", 256), ("record", record, "gpus", [-1]),
                ("record", record, "log", "x" * 16385)):
            with self.subTest(name=name, member=member, value=str(value)[:20]):
                self.assertTrue(self.takes(name, document))
                self.assertFalse(self.takes(name, {**document, member: value}))
        held = read(self.folder("open", 2) / "report.json")
        self.assertTrue(held["as_expected"])
        held["ways"]["hold"] = False
        self.assertFalse(self.takes("report", held), "a run whose ways do not hold is not as expected")
        case = copy.deepcopy(plan)
        case["cases"][0]["id"] = "../../etc"
        self.assertFalse(self.takes("plan", case))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
