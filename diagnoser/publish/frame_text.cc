#include "diagnoser/publish/frame_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "diagnoser/publish/api_json.h"
#include "diagnoser/publish/api_seconds.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

const char* Name(ScaleKind kind) {
  constexpr const char* kNames[] = {"linear", "log", "index"};
  return kNames[static_cast<std::size_t>(kind)];
}

ApiJson ColumnJson(const ColumnRow& column) {
  return {{"name", column.name},
          {"unit", column.unit},
          {"text", column.text},
          {"scale", {{"kind", Name(column.scale)}, {"low", column.low}, {"high", column.high}}}};
}

bool IsChanged(const Frame& previous, const Frame& frame, std::size_t node,
               const std::vector<std::size_t>& columns) {
  const auto before = previous.Row(node);
  const auto now = frame.Row(node);
  return std::any_of(columns.begin(), columns.end(),
                     [&](std::size_t column) { return before[column] != now[column]; });
}

// By hand: a thousand rows twice a second are too many for a tree of JSON values.
void AppendRow(const Frame& frame, std::size_t node, const std::vector<std::size_t>& columns,
               std::string& text) {
  text += text.back() == '[' ? "[" : ",[";
  fmt::format_to(std::back_inserter(text), "{}", node);
  const auto row = frame.Row(node);
  for (const auto column : columns) {
    if (row[column] == kUnknown) {
      text += ",null";
    } else {
      fmt::format_to(std::back_inserter(text), ",{}", row[column]);
    }
  }
  text += ']';
}

std::vector<bool> PickPlaces(const std::optional<FramePlaces>& places, const Cluster& cluster) {
  const auto size = cluster.nodes.size();
  if (!places || places->version != cluster.version) {
    return std::vector<bool>(size, true);
  }
  std::vector<bool> picked(size, false);
  for (const auto& range : places->ranges) {
    for (auto place = range.first; place < size && place <= range.last; ++place) {
      picked[place] = true;
    }
  }
  return picked;
}

}  // namespace

std::string FrameFilter::Key() const {
  std::string key;
  for (const auto column : columns) {
    key += static_cast<char>('a' + column);
  }
  for (const auto& group : groups) {
    key += '\0' + group;
  }
  return key;
}

std::vector<bool> FrameFilter::Pick(const Cluster& cluster) const {
  auto picked = PickPlaces(places, cluster);
  if (groups.empty()) {
    return picked;
  }
  std::vector<bool> wanted;
  for (const auto& group : cluster.groups) {
    wanted.push_back(std::find(groups.begin(), groups.end(), group.group) != groups.end());
  }
  for (std::size_t i = 0; i < picked.size(); ++i) {
    const auto& components = cluster.nodes[i].components;
    picked[i] =
        picked[i] && std::any_of(components.begin(), components.end(),
                                 [&](const auto& component) { return wanted[component.group]; });
  }
  return picked;
}

std::optional<FramePlaces> ParsePlaces(std::string_view text) {
  const auto colon = text.find(':');
  const auto version = ParseU64(text.substr(0, colon));
  if (colon == std::string_view::npos || !version) {
    return std::nullopt;
  }
  text.remove_prefix(colon + 1);
  FramePlaces places{.version = *version, .ranges = {}};
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const auto range = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto dash = range.find('-');
    const auto first = ParseU64(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : ParseU64(range.substr(dash + 1));
    if (!first || !last || *last < *first || places.ranges.size() == kMaxPlaceRanges) {
      return std::nullopt;
    }
    places.ranges.push_back({.first = *first, .last = *last});
  }
  return places;
}

std::optional<std::vector<std::size_t>> ParseColumns(std::string_view text) {
  std::vector<std::size_t> columns;
  if (text.empty()) {
    columns.resize(kColumns);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
  }
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const auto name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto rows = ColumnRows();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const ColumnRow& one) { return one.name == name; });
    if (row == rows.end()) {
      return std::nullopt;
    }
    columns.push_back(static_cast<std::size_t>(row - rows.begin()));
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::string FrameJson(const Frame* previous, const Frame& frame, const FrameFilter& filter,
                      const std::vector<bool>& picked) {
  auto text = fmt::format(R"({{"time":{},"base":{},)", ApiSeconds(frame.time),
                          previous == nullptr ? "true" : "false");
  if (previous == nullptr) {
    auto columns = ApiJson::array();
    for (const auto column : filter.columns) {
      columns.push_back(ColumnJson(ColumnRows()[column]));
    }
    fmt::format_to(std::back_inserter(text), R"("version":{},"columns":{},)",
                   frame.cluster->version, PrintOneLine(columns));
  }
  text += R"("rows":[)";
  for (std::size_t node = 0; node < picked.size(); ++node) {
    if (picked[node] &&
        (previous == nullptr || IsChanged(*previous, frame, node, filter.columns))) {
      AppendRow(frame, node, filter.columns, text);
    }
  }
  return text + "]}";
}

std::string SentEvent(std::string_view name, std::uint64_t id, std::string_view data) {
  auto text = id == 0 ? std::string() : fmt::format("id: {}\n", id);
  text.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
  return text;
}

}  // namespace limpet
