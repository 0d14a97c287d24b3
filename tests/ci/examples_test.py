#!/usr/bin/env python3
"""The CI examples: that they are what their services take, and that what they run is there and runs.

    examples_test.py SOURCE_FOLDER INSTALLED_FOLDER
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

SOURCE = pathlib.Path(sys.argv.pop(1))
INSTALLED = pathlib.Path(sys.argv.pop(1))
CI = SOURCE / "ctest" / "ci"


def run(command, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PEERPROOF_", "SLURM"))}
    environment.update(PEERPROOF_MEASUREMENTS="off", PEERPROOF_COLLECTIVE="off", PEERPROOF_WAYS="off", **variables)
    return subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)


class Files(unittest.TestCase):
    def scripts_exist(self, text):
        for script in re.findall(r"(?<![\w/-])(ctest/[\w/-]+)", text):
            self.assertTrue((SOURCE / script).exists(), script)

    def presets_exist(self, text):
        known = {p["name"] for p in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]}
        for preset in re.findall(r"--preset (\w+)", text):
            self.assertIn(preset, known)

    def test_gitlab(self):
        text = (CI / "gitlab-ci.yml").read_text()
        jobs = yaml.safe_load(text)
        self.assertEqual(jobs["stages"], ["build", "bench"])
        bench = jobs["bench"]
        self.assertEqual(bench["artifacts"]["when"], "always")
        self.assertTrue(bench["artifacts"]["reports"]["junit"].endswith("/junit.xml"))
        self.assertIn("run-on-bench", " ".join(bench["script"]))
        self.scripts_exist(text)
        self.presets_exist(text)

    def test_github(self):
        text = (CI / "github-actions.yml").read_text()
        jobs = yaml.safe_load(text)["jobs"]
        self.assertEqual(jobs["bench"]["needs"], "build")
        kept = [step for step in jobs["bench"]["steps"] if step.get("if") == "always()"]
        self.assertEqual(len(kept), 2, "the summary and the artifact also of a run that failed")
        self.scripts_exist(text)
        self.presets_exist(text)

    def test_jenkins(self):
        text = (CI / "Jenkinsfile").read_text()
        code = re.sub(r"'''.*?'''", "", text, flags=re.S)
        code = re.sub(r"'[^'\n]*'|//[^\n]*", "", code)
        for opening, closing in ("{}", "()", "[]"):
            self.assertEqual(code.count(opening), code.count(closing), opening)
        self.assertTrue(code.strip().startswith("pipeline {"))
        for part in ("agent none", "stages {", "post {", "always {", "junit ", "archiveArtifacts "):
            self.assertIn(part, code)
        self.assertIn("allowEmptyResults: false", text)
        self.scripts_exist(text)
        self.presets_exist(text)


class RunOnBench(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="peerproof ci ")
        self.out = pathlib.Path(self.scratch.name) / "runs"

    def tearDown(self):
        self.scratch.cleanup()

    def on_bench(self, bench, expect, session="s1", script="ci/run-on-bench"):
        return run([INSTALLED / script, INSTALLED, self.out, session], PEERPROOF_BENCH=bench, PEERPROOF_EXPECT=expect)

    def test_exit_codes_are_those_of_the_verdict(self):
        for session, bench, expect, code in (("a", "locked-x2", "locked", 0), ("b", "locked-x2", "open", 1),
                                             ("c", "single-gpu", "open", 75)):
            ran = self.on_bench(bench, expect, session)
            self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
            self.assertTrue((self.out / session / "junit.xml").exists())
        self.assertEqual(run([CI / "run-on-bench", "/no/such", self.out, "d"]).returncode, 64)
        self.assertEqual(run([CI / "run-on-bench"]).returncode, 64)

    def test_slurm_scripts_say_what_they_need(self):
        for script in ("ci/slurm-bench", "ci/slurm-fleet"):
            self.assertEqual(run([INSTALLED / script]).returncode, 64)
        outside = run([INSTALLED / "ci/slurm-fleet", INSTALLED, self.out])
        self.assertEqual(outside.returncode, 64)
        self.assertIn("start it with sbatch", outside.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
