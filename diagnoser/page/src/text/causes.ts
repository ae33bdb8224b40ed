// causes.ts: the root causes of the checklist, in words and in signs.

export type Family = "storage" | "network" | "behaviour" | "unknown";

export interface Cause {
  name: string;
  letter: string; // shown on the ring: colour is never the only sign
  family: Family;
  meaning: string;
  nextStep: string;
}

export const CAUSES: readonly Cause[] = [
  {
    name: "disk-hog",
    letter: "H",
    family: "storage",
    meaning: "something besides the file system uses this disk",
    nextStep: "Find the process: iotop -ao, pidstat -d 1.",
  },
  {
    name: "disk-busy",
    letter: "D",
    family: "storage",
    meaning: "the disk answers later without doing more work",
    nextStep: "Look below the server: iostat -x 1, smartctl -a, the RAID controller's log.",
  },
  {
    name: "network-hog",
    letter: "N",
    family: "network",
    meaning: "more bytes pass this server's network than its peers'",
    nextStep: "Find the connection: ss -tin, sar -n DEV 1, the switch's counters.",
  },
  {
    name: "packet-loss",
    letter: "P",
    family: "network",
    meaning: "its connections have small congestion windows",
    nextStep: "Look at the port: ip -s link, ethtool -S, cable and transceiver.",
  },
  {
    name: "behaviour",
    letter: "B",
    family: "behaviour",
    meaning: "the node spends its time unlike its peers",
    nextStep: "See what it does: top, pidstat 1, perf top.",
  },
  {
    name: "server-crash",
    letter: "C",
    family: "behaviour",
    meaning: "its process is gone: connections end or are refused while those of its peers go on",
    nextStep: "Read the daemon's log, coredumpctl and journalctl -k.",
  },
  {
    name: "server-hang",
    letter: "G",
    family: "behaviour",
    meaning: "it takes requests and does not answer them",
    nextStep: "Read /proc/PID/stack of the daemon; look for processes in state T or D.",
  },
  {
    name: "propagated-error",
    letter: "E",
    family: "behaviour",
    meaning: "an error of its storage or network reaches clients",
    nextStep: "Read dmesg, df -h, df -i and prlimit --pid of the daemon.",
  },
  {
    name: "slow-syscalls",
    letter: "S",
    family: "storage",
    meaning: "its file system's system calls take longer than they ever did in training",
    nextStep: "Look at iostat -x 1 and ss -tin.",
  },
];

const UNKNOWN: Omit<Cause, "name"> = {
  letter: "?",
  family: "unknown",
  meaning: "a cause that this page does not know",
  nextStep: "See the playbooks.",
};

/** The cause of that name; one that a newer server has invented is shown under its own name. */
export function describeCause(name: string): Cause {
  return CAUSES.find((cause) => cause.name === name) ?? { ...UNKNOWN, name };
}
