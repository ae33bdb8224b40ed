// cause_table.ts: made from diagnoser/verdict/causes.cc by the target refresh_causes.
import type { Cause } from "./causes";

export const CAUSES: readonly Cause[] = [
  {
    name: "disk-hog",
    letter: "H",
    family: "storage",
    meaning: "something else reads or writes its disks",
  },
  {
    name: "disk-busy",
    letter: "D",
    family: "storage",
    meaning: "its disks answer slowly without doing more work",
  },
  {
    name: "slow-network",
    letter: "L",
    family: "network",
    meaning: "its network is slow to deliver, but loses nothing",
  },
  {
    name: "network-hog",
    letter: "N",
    family: "network",
    meaning: "other traffic uses its network link",
  },
  {
    name: "packet-loss",
    letter: "P",
    family: "network",
    meaning: "its network loses packets",
  },
  {
    name: "behaviour",
    letter: "B",
    family: "behaviour",
    meaning: "the whole node spends its time in another way",
  },
  {
    name: "server-crash",
    letter: "C",
    family: "behaviour",
    meaning: "its process is gone: connections end or are refused while those of its peers go on",
  },
  {
    name: "server-hang",
    letter: "G",
    family: "behaviour",
    meaning: "it takes requests and does not answer them",
  },
  {
    name: "propagated-error",
    letter: "E",
    family: "behaviour",
    meaning: "an error of its storage or network reaches clients",
  },
  {
    name: "slow-syscalls",
    letter: "S",
    family: "storage",
    meaning: "its file system's system calls take longer than they ever did in training",
  },
  {
    name: "slow-requests",
    letter: "R",
    family: "storage",
    meaning: "its storage software takes longer for requests than its peers'",
  },
];
