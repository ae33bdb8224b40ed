#include "diagnoser/federation/federated_viewer.h"

#include <fmt/format.h>

#include <utility>

namespace limpet {
namespace {

constexpr Duration kQuiet = std::chrono::seconds(15);  // proxies close what is silent for long
constexpr const char* kRetry = "retry: 2000\n\n";

SharedText Share(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

std::string ClusterEvent(std::uint64_t version) {
  return SentEvent("cluster", 0, fmt::format(R"({{"version":{}}})", version));
}

}  // namespace

FederatedViewer::FederatedViewer(ViewerOptions options, LatestMerged latest)
    : options_(std::move(options)), latest_(std::move(latest)) {}

std::string FederatedViewer::VerdictEvents(const MergedView& view) {
  const auto missed = view.verdict_changes - verdict_changes_;
  verdict_changes_ = view.verdict_changes;
  if (missed > view.latest_changes.size()) {
    return ClusterEvent(view.cluster->version);  // more than are kept: it reads them all again
  }
  std::string text;
  for (auto i = view.latest_changes.size() - missed; i < view.latest_changes.size(); ++i) {
    text += SentEvent("verdict", 0, view.latest_changes[i]);
  }
  return text;
}

Viewer::Output FederatedViewer::Next(SteadyTime now, FrameTexts& texts) {
  const auto view = latest_();
  std::string text;
  if (!begun_) {
    begun_ = true;
    verdict_changes_ = view->verdict_changes;
    text = kRetry;
  }
  text += VerdictEvents(*view);
  Output output;
  if (view->frame && (!sent_ || view->frame->id != sent_->id) && now >= next_at_) {
    const bool same = sent_ && sent_->cluster == view->frame->cluster;
    if (sent_ && !same) {
      text += ClusterEvent(view->frame->cluster->version);
    }
    output.has_frame = true;
    const auto event = texts.Get(same ? sent_ : nullptr, view->frame, options_.filter);
    output.text = text.empty() ? event : Share(text + *event);
    sent_ = view->frame;
    next_at_ = now + options_.period * 9 / 10;
  } else if (!text.empty()) {
    output.text = Share(std::move(text));
  } else if (now - spoke_at_ >= kQuiet) {
    output.text = Share(": \n\n");
  }
  if (output.text) {
    spoke_at_ = now;
  }
  return output;
}

}  // namespace limpet
