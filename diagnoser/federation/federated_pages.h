// federated_pages.h: what `federate` answers at which path: the live page and the API of
// docs/openapi.yaml for several diagnosers, and /api/v1/members.
//
// What concerns one node or verdict is asked of its diagnoser when it is wanted, what concerns all
// is asked of all; at most so many at a time.
// Threads: the handler runs on the web server's thread; `latest` must be safe to call from it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnoser/federation/federated_viewer.h"
#include "diagnoser/federation/federation_config.h"
#include "diagnoser/runtime/viewers.h"
#include "diagnoser/sources/fetcher.h"
#include "exporter/common/web/http.h"

namespace limpet {

struct FederationSource {
  LatestMerged latest;
  std::vector<FederationMember> members;
  Fetcher* fetcher = nullptr;  // this and viewers must outlive the handler
  Viewers* viewers = nullptr;
  std::function<bool()> reload_ok;  // whether the configuration was read at the latest reload
};

[[nodiscard]] web::Handler FederatedPages(const FederationSource& source);

}  // namespace limpet
