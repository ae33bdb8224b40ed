// unit_kind.h: which control groups of different servers are the same unit.
//
// Instances and containers have names of their own on every server: ceph-osd@3.service here is
// ceph-osd@7.service there, and a container's scope ends in its id.
// Kind:    the path without instances (from '@' to the unit's type) and with '#' for each word that
//          is an id: one with a digit, or of four and more letters that are all hexadecimal.
// Job:     what a batch system runs: job_4711 of Slurm, 4711.server of PBS. Two jobs of one kind
//          differ: each asks for what its user wants.
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

namespace limpet {

// "/system.slice/ceph-osd@3.service": "/system.slice/ceph-osd@.service".
[[nodiscard]] std::string UnitKind(std::string_view path);

// "/system.slice/backup.service": "backup.service".
[[nodiscard]] std::string_view UnitName(std::string_view path);

// "/system.slice/slurmstepd.scope/job_4711/step_0/user": "job_4711"; empty: it is in no job.
[[nodiscard]] std::string_view JobName(std::string_view path);

}  // namespace limpet
