#include "diagnoser/publish/activity_api.h"

#include <cmath>
#include <utility>

#include "diagnoser/publish/api_json.h"
#include "diagnoser/publish/api_seconds.h"

namespace limpet {
namespace {

// An hour of steps. A chart of more has fewer pixels than points.
constexpr std::size_t kMaxPoints = 720;

ApiJson SecondsJson(const NodeActivity::Rate& rate) {
  return rate.often > 0 ? ApiJson(static_cast<double>(rate.seconds)) : ApiJson(nullptr);
}

ApiJson RateJson(const NodeActivity::Rate& rate) {
  return {{"rate", static_cast<double>(rate.often)}, {"seconds", SecondsJson(rate)}};
}

ApiJson DirectionJson(const NodeActivity::Disks& disks) {
  auto sizes = ApiJson::array();
  for (const float often : disks.sizes) {
    sizes.push_back(static_cast<double>(often));
  }
  return {{"sizes", std::move(sizes)},
          {"small", RateJson(disks.small)},
          {"large", RateJson(disks.large)}};
}

ApiJson DisksJson(const NodeActivity* node) {
  if (node == nullptr || !node->has_disks) {
    return nullptr;
  }
  auto edges = ApiJson::array();
  for (std::size_t i = 0; i + 1 < kActivityBuckets; ++i) {
    edges.push_back(std::ldexp(kFirstActivityEdge, static_cast<int>(i)));
  }
  return {{"edges", std::move(edges)},
          {"read", DirectionJson(node->reads)},
          {"write", DirectionJson(node->writes)}};
}

ApiJson OperationsJson(const NodeActivity* node) {
  auto list = ApiJson::array();
  for (std::size_t i = 0; node != nullptr && i < node->operations.size(); ++i) {
    const auto& [role, name] = (*node->names)[i];
    list.push_back({{"role", role},
                    {"operation", name},
                    {"rate", static_cast<double>(node->operations[i].often)},
                    {"seconds", SecondsJson(node->operations[i])}});
  }
  return list;
}

ApiJson HistoryJson(const ActivitySteps& steps, std::string_view name) {
  auto time = ApiJson::array();
  auto small_reads = ApiJson::array();
  auto large_reads = ApiJson::array();
  auto small_writes = ApiJson::array();
  auto large_writes = ApiJson::array();
  auto metadata = ApiJson::array();
  for (const auto& step : steps) {
    if (const auto* const node = step->Find(name)) {
      time.push_back(ApiSeconds(step->time));
      small_reads.push_back(SecondsJson(node->reads.small));
      large_reads.push_back(SecondsJson(node->reads.large));
      small_writes.push_back(SecondsJson(node->writes.small));
      large_writes.push_back(SecondsJson(node->writes.large));
      const auto often = node->MetadataOperations();
      metadata.push_back(often ? ApiJson(*often) : ApiJson(nullptr));
    }
  }
  return {{"time", std::move(time)},
          {"small_reads", std::move(small_reads)},
          {"large_reads", std::move(large_reads)},
          {"small_writes", std::move(small_writes)},
          {"large_writes", std::move(large_writes)},
          {"metadata", std::move(metadata)}};
}

}  // namespace

std::optional<std::string> ActivityJson(const LiveView& live, std::string_view node,
                                        std::optional<UnixTime> from, std::optional<UnixTime> to) {
  if (!live.cluster->Find(node)) {
    return std::nullopt;
  }
  ActivitySteps within;
  for (const auto& step : *live.activity) {
    if ((!from || step->time >= *from) && (!to || step->time <= *to)) {
      within.push_back(step);
    }
  }
  const auto last = within.empty() ? nullptr : within.back();
  const auto every = within.size() / kMaxPoints + 1;
  // The newest is one of them, so that the chart ends where the numbers are from.
  ActivitySteps shown;
  for (std::size_t i = (within.size() + every - 1) % every; i < within.size(); i += every) {
    shown.push_back(within[i]);
  }
  const auto* const now = last ? last->Find(node) : nullptr;
  return PrintOneLine({{"node", node},
                       {"time", last ? ApiJson(ApiSeconds(last->time)) : ApiJson(nullptr)},
                       {"disks", DisksJson(now)},
                       {"operations", OperationsJson(now)},
                       {"history", HistoryJson(shown, node)}}) +
         "\n";
}

}  // namespace limpet
