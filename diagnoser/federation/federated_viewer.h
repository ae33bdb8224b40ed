// federated_viewer.h: what one viewer of a federation's stream is to be sent next, as of viewer.h.
//
// Threads: one at a time; `latest` must be safe to call from it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "diagnoser/federation/merged_view.h"
#include "diagnoser/publish/viewer.h"

namespace limpet {

using LatestMerged = std::function<std::shared_ptr<const MergedView>()>;

class FederatedViewer final : public Viewer {
 public:
  FederatedViewer(ViewerOptions options, LatestMerged latest);
  [[nodiscard]] Output Next(SteadyTime now, FrameTexts& texts) override;

 private:
  [[nodiscard]] std::string VerdictEvents(const MergedView& view);

  ViewerOptions options_;
  LatestMerged latest_;
  bool begun_ = false;
  std::shared_ptr<const Frame> sent_;  // the last; null: none yet
  std::uint64_t verdict_changes_ = 0;  // told so far
  SteadyTime next_at_;
  SteadyTime spoke_at_;
};

}  // namespace limpet
