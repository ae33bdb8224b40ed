#include "diagnoser/history/frame.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace limpet {
namespace {

constexpr double kBytesLow = 100;
constexpr double kBytesHigh = 1e11;
constexpr int kSteps = 255;

std::array<ColumnRow, kColumns> MakeRows() {
  return {{
      {"load", "requests/s", "I/O requests of its disks", ScaleKind::kLog, 0.1, 1e6},
      {"util", "%", "share of time its busiest disk is busy", ScaleKind::kLinear, 0, 100},
      {"space", "%", "space used", ScaleKind::kLinear, 0, 100},
      {"disk_read", "B/s", "read from its disks", ScaleKind::kLog, kBytesLow, kBytesHigh},
      {"disk_write", "B/s", "written to its disks", ScaleKind::kLog, kBytesLow, kBytesHigh},
      {"net_in", "B/s", "received", ScaleKind::kLog, kBytesLow, kBytesHigh},
      {"net_out", "B/s", "sent", ScaleKind::kLog, kBytesLow, kBytesHigh},
      {"metadata", "operations/s", "metadata operations of its servers", ScaleKind::kLog, 0.1, 1e6},
      {"small_writes", "s", "time of a small write at its disks", ScaleKind::kLog, 1e-5, 100},
      {"large_writes", "s", "time of a large write at its disks", ScaleKind::kLog, 1e-5, 100},
      {"cpu", "%", "share of time its processors are not idle", ScaleKind::kLinear, 0, 100},
      {"system_load", "", "load average of a minute", ScaleKind::kLog, 0.01, 1e4},
      {"degree", "", "how far from its peers; over 1: flagged", ScaleKind::kLog, 0.01, 1000},
      {"cause", "", "root cause", ScaleKind::kIndex, 0,
       static_cast<double>(CauseRows().size() - 1)},
      {"up", "", "answers", ScaleKind::kIndex, 0, 1},
  }};
}

// Made once, before anything else of the first frame.
const std::array<ColumnRow, kColumns>& Rows() {
  static const auto kMade = MakeRows();
  return kMade;
}

class RowWriter {
 public:
  explicit RowWriter(std::span<std::int16_t> row) : row_(row) {}
  void Put(Column column, double value) {
    const auto place = static_cast<std::size_t>(column);
    row_[place] = Quantised(Rows()[place], value);
  }

 private:
  std::span<std::int16_t> row_;
};

void PutRates(const NodeRates& rates, RowWriter row) {
  row.Put(Column::kLoad, rates.requests);
  row.Put(Column::kUtil, rates.busy * 100);
  row.Put(Column::kDiskRead, rates.read);
  row.Put(Column::kDiskWrite, rates.written);
  row.Put(Column::kNetIn, rates.received);
  row.Put(Column::kNetOut, rates.sent);
  row.Put(Column::kCpu, rates.cpu * 100);
  row.Put(Column::kSystemLoad, rates.load1);
}

void PutLatency(const NodeActivity::Rate& rate, Column column, RowWriter& row) {
  if (rate.often > 0) {
    row.Put(column, static_cast<double>(rate.seconds));
  }
}

void PutSlow(const SlowReadings& slow, const std::string& node, RowWriter row) {
  if (const auto space = slow.used_space.find(node); space != slow.used_space.end()) {
    row.Put(Column::kSpace, space->second * 100);
  }
  const auto* const activity = slow.activity ? slow.activity->Find(node) : nullptr;
  if (activity == nullptr) {
    return;
  }
  if (const auto often = activity->MetadataOperations()) {
    row.Put(Column::kMetadata, *often);
  }
  PutLatency(activity->writes.small, Column::kSmallWrites, row);
  PutLatency(activity->writes.large, Column::kLargeWrites, row);
}

void PutState(const NodeState& state, RowWriter row) {
  row.Put(Column::kDegree, state.degree);
  const auto rows = CauseRows();
  const auto cause = std::ranges::find(rows, state.cause, &CauseRow::cause);
  if (cause != rows.end()) {
    row.Put(Column::kCause, static_cast<double>(cause - rows.begin()));
  }
}

}  // namespace

std::span<const ColumnRow, kColumns> ColumnRows() { return Rows(); }

std::int16_t Quantised(const ColumnRow& column, double value) {
  if (!std::isfinite(value)) {
    return kUnknown;
  }
  double step = value;
  if (column.scale == ScaleKind::kLinear) {
    step = (value - column.low) / (column.high - column.low) * kSteps;
  } else if (column.scale == ScaleKind::kLog) {
    // A tenth of the least step counts as nothing; what is over it shows as the least.
    step = value < column.low / 10
               ? 0
               : std::max(1.0, 1 + std::log(value / column.low) /
                                       std::log(column.high / column.low) * (kSteps - 1));
  }
  return static_cast<std::int16_t>(std::lround(std::clamp(step, 0.0, double{kSteps})));
}

double Dequantised(const ColumnRow& column, std::int16_t quantised) {
  if (column.scale == ScaleKind::kIndex) {
    return quantised;
  }
  if (column.scale == ScaleKind::kLinear) {
    return column.low + quantised / double{kSteps} * (column.high - column.low);
  }
  return quantised == 0 ? 0
                        : column.low * std::pow(column.high / column.low,
                                                (quantised - 1) / double{kSteps - 1});
}

Frame MakeFrame(std::shared_ptr<const Cluster> cluster, std::span<const NodeRates> rates,
                const NodeStates& states, const KnownNodes& known, const SlowReadings& slow) {
  Frame frame;
  frame.values.assign(cluster->nodes.size() * kColumns, kUnknown);
  const auto row = [&](std::size_t node) {
    return RowWriter(std::span(frame.values).subspan(node * kColumns, kColumns));
  };
  for (const auto& one : rates) {
    if (const auto node = cluster->Find(one.node)) {
      PutRates(one, row(*node));
    }
  }
  // All three are sorted by name: one pass each, instead of a search for every node.
  auto state = states.begin();
  auto target = known.begin();
  for (std::size_t i = 0; i < cluster->nodes.size(); ++i) {
    const auto& name = cluster->nodes[i].node;
    while (state != states.end() && state->first < name) {
      ++state;
    }
    if (state != states.end() && state->first == name) {
      PutState(state->second, row(i));
    }
    while (target != known.end() && target->first < name) {
      ++target;
    }
    if (target != known.end() && target->first == name && target->second.up) {
      row(i).Put(Column::kUp, *target->second.up ? 1 : 0);
    }
    if (slow.activity || !slow.used_space.empty()) {
      PutSlow(slow, name, row(i));
    }
  }
  frame.cluster = std::move(cluster);
  return frame;
}

}  // namespace limpet
