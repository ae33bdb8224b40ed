// probe_page.h: /probe/disk?device=sdb: the disk is read, past every cache, and how long that took
// is told. docs/configure.md has the answers.
//
// A question starts a probe and gets "running"; the result is there for whoever asks again.
// Threads: the handler is called by the web server's; it never waits for a disk.
#pragma once

#include "exporter/common/web/http.h"
#include "exporter/probe/prober.h"

namespace limpet {

// The prober must outlive the handler.
[[nodiscard]] web::Handler ProbePage(Prober& prober);

}  // namespace limpet
