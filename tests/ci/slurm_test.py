#!/usr/bin/env python3
"""ctest/ci/slurm-fleet on a real Slurm of two nodes, which this test starts for itself: its own ports, its own folder, no
munge, nothing of the machine's own Slurm. Every node runs an installed folder on a simulated bench.

    slurm_test.py INSTALLED_FOLDER

Exits with 77 where Slurm is not installed, and fails there where SELFTEST_NEEDS_SLURM is set, as CI does.
"""
import getpass
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

INSTALLED = pathlib.Path(sys.argv.pop(1)).resolve()
PROGRAMS = ["slurmctld", "slurmd", "sbatch", "srun", "scontrol", "sinfo"]
NODES = ["node1", "node2"]

CONFIGURATION = """
ClusterName=peerproof
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 State=UNKNOWN
NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="peerproof-slurm-"))
        (self.folder / "state").mkdir()
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(host=socket.gethostname().split(".")[0], ports=free_ports(3),
                                                      user=getpass.getuser(), folder=self.folder))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("PEERPROOF_", "SLURM"))}
        self.environment["SLURM_CONF"] = str(configuration)
        self.daemons = []
        self.start("slurmctld", "-D")
        for node in NODES:
            self.start("slurmd", "-D", "-N", node)
        until = time.monotonic() + 60
        while self.call("sinfo", "-h", "-t", "idle", "-o", "%D").stdout.strip() != "2":
            if time.monotonic() > until:
                raise RuntimeError("the nodes did not come up:\n" + self.logs())
            time.sleep(0.2)

    def start(self, name, *arguments):
        self.daemons.append(subprocess.Popen([program(name), *arguments], env=self.environment, start_new_session=True,
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def call(self, name, *arguments, **variables):
        return subprocess.run([program(name), *map(str, arguments)], env={**self.environment, **variables}, text=True,
                              capture_output=True, timeout=150)

    def logs(self):
        return "\n".join(f"{log}:\n{log.read_text()[-3000:]}" for log in sorted(self.folder.glob("*.log")))

    def end(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Fleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.slurm = Slurm()

    @classmethod
    def tearDownClass(cls):
        cls.slurm.end()

    def fleet(self, before_start=lambda run: None, **variables):
        """The exit code of the job, the folder of its run and what it printed."""
        out, text = self.slurm.folder / "runs", self.slurm.folder / "job.out"
        held = self.slurm.call("sbatch", "--parsable", "--hold", "--nodes=2", "-o", text, INSTALLED / "ci/slurm-fleet", INSTALLED,
                               out, PEERPROOF_MEASUREMENTS="off", PEERPROOF_COLLECTIVE="off", PEERPROOF_WAYS="off", **variables)
        self.assertEqual(held.returncode, 0, held.stderr)
        job = held.stdout.strip()
        run = out / f"slurm-{job}"
        before_start(run)
        self.slurm.call("scontrol", "release", job)
        state = ""
        until = time.monotonic() + 100
        while not any(word in state for word in ("JobState=COMPLETED", "JobState=FAILED")):
            self.assertLess(time.monotonic(), until, state + self.slurm.logs())
            time.sleep(0.2)
            state = self.slurm.call("scontrol", "show", "job", job).stdout
        code = int(state.split("ExitCode=")[1].split(":")[0])
        return code, run, text.read_text()

    def test_every_node_is_a_bench_of_its_own(self):
        code, run, text = self.fleet(PEERPROOF_BENCH="open-x2")
        self.assertEqual(code, 0, text)
        self.assertIn("2 of 2 benches as expected", text)
        fleet = json.loads((run / "fleet/fleet.json").read_text())
        self.assertEqual([bench["verdict"] for bench in fleet["benches"]], ["open", "open"])
        for node in NODES:
            report = json.loads((run / node / "report.json").read_text())
            self.assertEqual((report["session"], report["verdict"], report["simulated"]), (node, "open", "open-x2"))
        for name in ("fleet.html", "junit.xml"):
            self.assertTrue((run / "fleet" / name).exists(), name)

    def test_the_job_ends_as_its_worst_bench(self):
        code, _, text = self.fleet(PEERPROOF_BENCH="locked-x2")
        self.assertEqual(code, 1, text)
        code, _, text = self.fleet(PEERPROOF_BENCH="locked-x2", PEERPROOF_EXPECT="locked")
        self.assertEqual(code, 0, text)

    def test_a_node_without_a_report_is_on_the_page_and_no_green_job(self):
        def no_room_for_node2(run):
            run.mkdir(parents=True)
            (run / "node2").write_text("not a folder")

        code, run, text = self.fleet(no_room_for_node2, PEERPROOF_BENCH="open-x2")
        self.assertEqual(code, 75, text)
        self.assertIn("1 of 2 benches as expected", text)
        self.assertIn("node2", json.dumps(json.loads((run / "fleet/fleet.json").read_text())["benches"][0]))


if __name__ == "__main__":
    absent = [name for name in PROGRAMS if program(name) is None]
    if absent:
        print(f"Slurm is not installed ({', '.join(absent)}): ctest/install-packages slurm")
        sys.exit(1 if os.environ.get("SELFTEST_NEEDS_SLURM") else 77)
    unittest.main(verbosity=2)
