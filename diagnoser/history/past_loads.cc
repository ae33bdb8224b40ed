#include "diagnoser/history/past_loads.h"

#include <algorithm>
#include <array>
#include <utility>

namespace limpet {
namespace {

constexpr Duration kLeastStep = std::chrono::minutes(1);
constexpr std::size_t kByteValues = 256;
constexpr std::uint8_t kNoValue = 255;  // so the largest value of a column counts as the one below
constexpr std::size_t kMostSteps = 8640;
constexpr auto kDegree = static_cast<std::size_t>(Column::kDegree);
constexpr auto kCause = static_cast<std::size_t>(Column::kCause);

// The value behind each byte of each column: a power for every value of every frame is too much.
using Values = std::array<std::array<float, kByteValues>, kColumns>;
Values MakeValues() {
  Values values{};
  for (std::size_t column = 0; column < kColumns; ++column) {
    for (std::size_t byte = 0; byte < kByteValues; ++byte) {
      values[column][byte] =
          static_cast<float>(Dequantised(ColumnRows()[column], static_cast<std::int16_t>(byte)));
    }
  }
  return values;
}
const Values& ValuesOfBytes() {
  static const Values kMade = MakeValues();
  return kMade;
}

std::uint8_t Stored(std::size_t column, float value) {
  const auto byte = Quantised(ColumnRows()[column], static_cast<double>(value));
  return byte == kUnknown ? kNoValue
                          : static_cast<std::uint8_t>(std::min<std::int16_t>(byte, kNoValue - 1));
}

std::vector<std::string> NamesOf(const Cluster& cluster) {
  std::vector<std::string> names;
  names.reserve(cluster.nodes.size());
  for (const auto& node : cluster.nodes) {
    names.push_back(node.node);
  }
  return names;
}

bool SameNodes(const std::vector<std::string>& names, const Cluster& cluster) {
  return std::ranges::equal(names, cluster.nodes, {}, {}, &ClusterNode::node);
}

}  // namespace

std::size_t PastStep::Bytes() const {
  // Names are shared by the steps of the same nodes: counted as a byte each.
  return sizeof(PastStep) + values.size() + names->size();
}

std::size_t PastLoads::Bytes() const { return bytes_ + sums_.size() * sizeof(Sum); }

void PastLoads::SetBounds(Duration duration, std::size_t max_bytes) {
  duration_ = duration;
  max_bytes_ = max_bytes;
  Trim();
}

bool PastLoads::Record(const Frame& frame) {
  const auto at = frame.time;
  if (begin_ && at < *begin_) {
    while (!steps_.empty() && steps_.back()->end > at) {
      bytes_ -= steps_.back()->Bytes();
      steps_.pop_back();
    }
    begin_.reset();
  }
  const bool ended = begin_ && at >= end_;
  if (ended) {
    End();
  }
  if (!begin_) {
    Begin(at, frame.cluster->nodes.size());
  }
  Follow(frame.cluster);
  Add(frame);
  return ended;
}

void PastLoads::Begin(UnixTime at, std::size_t nodes) {
  const auto columns = steps_.empty() ? kColumns : steps_.back()->columns.count();
  const auto each = sizeof(PastStep) + nodes * (columns + 1);
  const auto kept = std::clamp<std::size_t>(max_bytes_ / each, 1, kMostSteps);
  const auto minutes = std::max<Duration::rep>(1, duration_ / kLeastStep);
  const auto most = static_cast<Duration::rep>(kept);
  begin_ = UnixTime(at.time_since_epoch() / kLeastStep * kLeastStep);
  end_ = *begin_ + kLeastStep * ((minutes + most - 1) / most);
  std::ranges::fill(sums_, Sum());
}

// The sums of a cluster's nodes become those of another's.
void PastLoads::Follow(const std::shared_ptr<const Cluster>& cluster) {
  if (cluster == cluster_) {
    return;
  }
  if (!names_ || !SameNodes(*names_, *cluster)) {
    std::vector<Sum> sums(cluster->nodes.size() * kColumns);
    for (std::size_t i = 0; names_ && i < names_->size(); ++i) {
      if (const auto place = cluster->Find((*names_)[i])) {
        std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(i * kColumns), kColumns,
                    sums.begin() + static_cast<std::ptrdiff_t>(*place * kColumns));
      }
    }
    sums_ = std::move(sums);
    names_ = std::make_shared<const std::vector<std::string>>(NamesOf(*cluster));
  }
  cluster_ = cluster;
}

void PastLoads::Add(const Frame& frame) {
  const auto& values = ValuesOfBytes();
  for (std::size_t node = 0; node < frame.cluster->nodes.size(); ++node) {
    const auto row = frame.Row(node);
    auto* const sums = &sums_[node * kColumns];
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (row[column] == kUnknown || column == kCause) {
        continue;
      }
      const float value = values[column][static_cast<std::size_t>(row[column])];
      auto& sum = sums[column];
      // A flag of some seconds counts: it is what is looked for.
      sum.value = column == kDegree ? std::max(sum.value, value) : sum.value + value;
      ++sum.count;
    }
  }
}

void PastLoads::End() {
  auto step = std::make_shared<PastStep>();
  step->begin = *begin_;
  step->end = end_;
  step->names = names_;
  const auto nodes = names_->size();
  std::vector<std::uint8_t> bytes(nodes);
  for (std::size_t column = 0; column < kColumns; ++column) {
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto& sum = sums_[node * kColumns + column];
      const auto count = column == kDegree ? 1.0F : static_cast<float>(sum.count);
      bytes[node] = sum.count == 0 ? kNoValue : Stored(column, sum.value / count);
      if (bytes[node] != kNoValue) {
        step->columns.set(column);
      }
    }
    if (step->columns[column]) {
      step->values.insert(step->values.end(), bytes.begin(), bytes.end());
    }
  }
  step->values.shrink_to_fit();
  bytes_ += step->Bytes();
  steps_.push_back(std::move(step));
  begin_.reset();
  Trim();
}

void PastLoads::Trim() {
  std::size_t gone = 0;
  while (gone < steps_.size() && (bytes_ > max_bytes_ || steps_.size() - gone > kMostSteps ||
                                  steps_.back()->end - steps_[gone]->end > duration_)) {
    bytes_ -= steps_[gone]->Bytes();
    ++gone;
  }
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(gone));
}

const PastStep* FindStep(const PastSteps& steps, UnixTime at) {
  const auto after =
      std::ranges::upper_bound(steps, at, {}, [](const auto& step) { return step->begin; });
  if (after == steps.begin()) {
    return nullptr;
  }
  const auto& step = **std::prev(after);
  const bool is_last = after == steps.end();
  return at < step.end || (is_last && at < step.end + (step.end - step.begin)) ? &step : nullptr;
}

Frame FrameOf(const PastStep& step, std::shared_ptr<const Cluster> cluster) {
  Frame frame;
  frame.time = step.end;
  frame.values.assign(cluster->nodes.size() * kColumns, kUnknown);
  const auto nodes = step.names->size();
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto place = cluster->Find((*step.names)[node]);
    std::size_t stored = 0;
    for (std::size_t column = 0; place && column < kColumns; ++column) {
      if (!step.columns[column]) {
        continue;
      }
      const auto byte = step.values[stored * nodes + node];
      ++stored;
      if (byte != kNoValue) {
        frame.values[*place * kColumns + column] = byte;
      }
    }
  }
  frame.cluster = std::move(cluster);
  return frame;
}

}  // namespace limpet
