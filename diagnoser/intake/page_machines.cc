#include "diagnoser/intake/page_machines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "diagnoser/intake/page_reader.h"
#include "diagnoser/mapping/builtin.h"
#include "diagnoser/mapping/series_cache.h"
#include "diagnoser/metrics/machine_labels.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxShown = 300;  // bytes of a series in an error
constexpr std::string_view kHostname = "nodename";

// Labels that tell one device of a machine from another (mapping/directory.cc).
bool TellsDevices(std::string_view label) {
  constexpr std::array<std::string_view, 4> kLabels = {"device", "network_interface_name", "port",
                                                       "system_device"};
  return std::find(kLabels.begin(), kLabels.end(), label) != kLabels.end();
}

Error Several(const std::string& one, const std::string& other) {
  return {ErrorCode::kInvalid,
          "expected a page of one machine's disks and interfaces, got " + one + " and " + other +
              ": a federated page or a proxy's is no target; give each machine's exporter as one, "
              "or read the store (source: prometheus)",
          {}};
}

std::string Quoted(std::string_view label, std::string_view value) {
  return std::string(label).append("=\"").append(value.substr(0, kMaxShown)).append("\"");
}

// So many of a page's devices' lines are held against each other: those of a hostile page are more.
constexpr std::size_t kMaxDeviceLines = 50'000;

// The devices' lines of a page, by the number that its samples have.
class DeviceLines {
 public:
  DeviceLines(std::span<const PageReader::NewLine> lines, const SeriesCache& cache)
      : lines_(lines), cache_(cache) {
    for (std::uint32_t i = 0; i < lines.size() && !is_any_new_; ++i) {
      is_any_new_ = Find(PageReader::kFirstNew + i) != nullptr;
    }
  }
  // Lines that are known were found to be of one machine when they came.
  [[nodiscard]] bool IsAnyNew() const { return is_any_new_; }
  // Returns null for one that is not of a device, or one too many.
  [[nodiscard]] const DeviceLine* Find(std::uint32_t number) {
    auto found = described_.find(number);
    if (found == described_.end()) {
      if (described_.size() >= kMaxDeviceLines) {
        return nullptr;
      }
      found = described_.emplace(number, Describe(number)).first;
    }
    return found->second ? &*found->second : nullptr;
  }

 private:
  [[nodiscard]] std::optional<DeviceLine> Describe(std::uint32_t number) const {
    if (number >= PageReader::kFirstNew) {
      const auto& line = lines_[number - PageReader::kFirstNew];
      return line.kind == SeriesCache::LineKind::kSeries
                 ? DescribeDeviceLine(line.name, line.labels, line.text)
                 : std::nullopt;
    }
    const auto series = cache_.At(number).Text();
    const auto brace = series.find('{');
    return brace == std::string_view::npos
               ? std::nullopt
               : DescribeDeviceLine(series.substr(0, brace),
                                    series.substr(brace + 1, series.size() - brace - 2), series);
  }

  std::span<const PageReader::NewLine> lines_;
  const SeriesCache& cache_;
  std::unordered_map<std::uint32_t, std::optional<DeviceLine>> described_;
  bool is_any_new_ = false;
};

}  // namespace

std::optional<DeviceLine> DescribeDeviceLine(std::string_view name, std::string_view labels,
                                             std::string_view series) {
  auto field = FindField(name);
  const bool is_device = field && KindRow(field->kind).is_described;
  // What describes a device may come more than once.
  if (!is_device || IsDescription(field->index) || field->index == kSpeedField) {
    return std::nullopt;
  }
  const auto pairs = ParseLabels(labels);
  if (pairs && field->index == kLabelField) {
    field = FindFieldByLabels(name, *pairs);
  }
  if (!pairs || !field) {
    return std::nullopt;
  }
  DeviceLine line{.counter = std::string(name).append(1, '\0') + std::to_string(field->index),
                  .series = series,
                  .machines = {}};
  for (const auto& [label, value] : *pairs) {
    if (TellsDevices(label)) {
      line.counter.append(1, '\0').append(label).append(1, '\0').append(value);
    } else if (IsMachineLabel(label) && !value.empty()) {
      line.machines.emplace_back(label, value);
    }
  }
  return line;
}

void PageMachines::BeginInstant() {
  counters_.clear();
  machines_.clear();
}

std::optional<Error> PageMachines::Add(const DeviceLine& line) {
  for (const auto& [label, value] : line.machines) {
    const auto [known, is_new] = machines_.try_emplace(label, value);
    if (!is_new && known->second != value) {
      return Several(Quoted(label, known->second), Quoted(label, value));
    }
  }
  const auto [known, is_new] = counters_.try_emplace(line.counter, line.series);
  // The same text twice is another error, where it is one.
  if (!is_new && known->second != line.series) {
    return Several(std::string(known->second.substr(0, kMaxShown)),
                   std::string(line.series.substr(0, kMaxShown)));
  }
  return std::nullopt;
}

std::optional<Error> PageMachines::AddHostname(std::string_view hostname) {
  // Not under the label's name: other labels of the kind may call the machine otherwise.
  const auto [known, is_new] = machines_.try_emplace(std::string(), hostname);
  if (!is_new && known->second != hostname) {
    return Several(Quoted(kHostname, known->second), Quoted(kHostname, hostname));
  }
  return std::nullopt;
}

std::optional<Error> FindMachines(const PageReader& page, const SeriesCache& cache) {
  PageMachines machines;
  for (const auto& claim : page.Claims()) {
    const bool says = !claim.hostname.empty() && claim.at == page.Claims().front().at;
    if (auto error = says ? machines.AddHostname(claim.hostname) : std::nullopt) {
      return error;
    }
  }
  DeviceLines lines(page.NewLines(), cache);
  const auto runs = page.Runs();
  for (std::size_t run = 0; run < runs.size() && lines.IsAnyNew(); ++run) {
    if (run == 0 || runs[run].at != runs[run - 1].at) {
      machines.BeginInstant();
    }
    const auto end = run + 1 < runs.size() ? runs[run + 1].begin : page.Samples().size();
    for (auto i = runs[run].begin; i < end; ++i) {
      const auto* const line = lines.Find(page.Samples()[i].number);
      if (auto error = line == nullptr ? std::nullopt : machines.Add(*line)) {
        return error;
      }
    }
  }
  return std::nullopt;
}

}  // namespace limpet
