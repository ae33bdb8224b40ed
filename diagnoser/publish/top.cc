#include "diagnoser/publish/top.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/component_text.h"
#include "exporter/common/instants.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// On one line, whatever a server answers.
std::string Shown(std::string_view text) { return Printable(PrintableLines(text)); }

using Json = nlohmann::ordered_json;

// What makes a table of its own.
auto Table(const TopEntry& entry) { return std::tie(entry.preset, entry.metric); }

bool ComesBefore(const TopEntry& a, const TopEntry& b) {
  return std::tie(a.preset, a.metric, b.accumulator, a.group, a.component) <
         std::tie(b.preset, b.metric, a.accumulator, b.group, b.component);
}

std::vector<TopEntry> Bounded(std::vector<TopEntry> entries, std::size_t limit) {
  std::sort(entries.begin(), entries.end(), ComesBefore);
  std::vector<TopEntry> kept;
  std::size_t rank = 0;  // within its preset and metric
  for (auto& entry : entries) {
    rank = !kept.empty() && Table(kept.back()) == Table(entry) ? rank + 1 : 1;
    if (rank <= limit) {
      kept.push_back(std::move(entry));
    }
  }
  return kept;
}

// The answer may come from anything that listens on that port: a value of another type reads as an
// absent one.
std::string ReadText(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double NumberAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

TopEntry ReadEntry(const Json& json) {
  const auto flagged = json.find("flagged");
  const double accumulator = NumberAt(json, "accumulator");
  return {.preset = ReadText(json, "preset"),
          .metric = ReadText(json, "metric"),
          .group = ReadText(json, "peer_group"),
          .component = ReadText(json, "component"),
          .accumulator = static_cast<std::uint32_t>(std::clamp(accumulator, 0.0, 4e9)),
          .flagged = flagged != json.end() && flagged->is_boolean() && flagged->get<bool>(),
          .degree = NumberAt(json, "degree"),
          .cause = ReadText(json, "cause"),
          .kind = ReadText(json, "kind")};
}

using Row = std::vector<std::string>;

// What a terminal is told before a line; none for most.
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kPlain = "\033[0m";

// Columns as wide as their widest cell; numbers to the right. `styles` by row.
std::string Aligned(const std::vector<Row>& rows, const std::vector<bool>& to_the_right,
                    const std::vector<std::string_view>& styles) {
  std::vector<std::size_t> widths(to_the_right.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (std::size_t number = 0; number < rows.size(); ++number) {
    const auto& row = rows[number];
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? "" : "  ";
      line += to_the_right[i] ? fmt::format("{:>{}}", row[i], widths[i])
                              : fmt::format("{:<{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    // Around the aligned line: escapes have no width.
    const auto style = styles[number];
    text.append(style).append(line).append(style.empty() ? "" : kPlain).append("\n");
  }
  return text;
}

}  // namespace

bool IsTopMetric(std::string_view metric) {
  return std::any_of(kGroupKindRows.begin(), kGroupKindRows.end(), [&](const GroupKindRow& kind) {
    return std::any_of(kind.metrics.begin(), kind.metrics.end(), [&](const MetricRow& row) {
      return row.name == metric || row.label == metric;
    });
  });
}

TopList MakeTopList(const PipelineView& view, std::string_view metric, std::size_t limit) {
  // By preset too: presets may differ about the cause of one node.
  using Key = std::pair<std::string_view, std::string_view>;  // preset, node
  std::map<Key, const NodeStatus*> nodes;
  for (const auto& node : view.nodes) {
    nodes[{node.preset, node.node}] = &node;
  }
  TopList list;
  const auto& judged = view.judgements;
  if (judged.not_judged > 0 || judged.limping + judged.like_peers == 0) {
    list.not_judged = judged.text;
  }
  for (const auto& group : view.groups) {
    if (group.window_end) {
      list.window_ends[group.preset] = *group.window_end;
    }
  }
  std::vector<TopEntry> entries;
  const auto label = MetricLabel(metric);
  for (const auto& one : view.components) {
    const auto its = MetricLabel(one.metric);
    if (one.accumulator == 0 || (!metric.empty() && its != label)) {
      continue;
    }
    TopEntry entry{.preset = one.preset,
                   .metric = std::string(its),
                   .group = one.group,
                   .component = one.device.empty() ? one.node : one.node + "/" + one.device,
                   .accumulator = one.accumulator,
                   .flagged = one.flagged,
                   .degree = one.degree,
                   .cause = {},
                   .kind = {}};
    const auto node = nodes.find({one.preset, one.node});
    if (node != nodes.end() && node->second->cause != Cause::kNone) {
      entry.cause = Name(node->second->cause);
      const auto lun = node->second->luns.find(entry.component);
      entry.kind = lun == node->second->luns.end() ? "" : Name(lun->second);
    }
    entries.push_back(std::move(entry));
  }
  list.entries = Bounded(std::move(entries), std::min(limit, kMaxTopEntries));
  return list;
}

ApiJson TopToJson(const TopList& list) {
  auto ends = Json::object();
  for (const auto& [preset, end] : list.window_ends) {
    ends[preset] = ApiSeconds(end);
  }
  auto entries = Json::array();
  for (const auto& entry : list.entries) {
    entries.push_back({{"preset", entry.preset},
                       {"metric", entry.metric},
                       {"peer_group", entry.group},
                       {"component", entry.component},
                       {"accumulator", entry.accumulator},
                       {"flagged", entry.flagged},
                       {"degree", entry.degree},
                       {"cause", entry.cause.empty() ? Json(nullptr) : Json(entry.cause)},
                       {"kind", entry.kind.empty() ? Json(nullptr) : Json(entry.kind)}});
  }
  return {{"window_ends", std::move(ends)},
          {"persistent", std::move(entries)},
          {"not_judged", list.not_judged.empty() ? Json(nullptr) : Json(list.not_judged)}};
}

std::string TopJson(const TopList& list) { return PrintApiJson(TopToJson(list)); }

Result<TopList> ParseTopJson(std::string_view text) {
  const auto json = Json::parse(text, nullptr, false);
  const auto found = json.is_object() ? json.find("persistent") : json.end();
  if (!json.is_object() || found == json.end() || !found->is_array()) {
    return Error{ErrorCode::kInvalid, "expected the list of /api/v1/persistent", ""};
  }
  TopList list;
  std::vector<TopEntry> entries;
  for (const auto& one : *found) {
    if (!one.is_object()) {
      return Error{ErrorCode::kInvalid, "expected a list of objects in \"persistent\"", ""};
    }
    entries.push_back(ReadEntry(one));
  }
  // Again, although our diagnoser sorts and bounds it: something else may have answered.
  list.entries = Bounded(std::move(entries), kMaxTopEntries);
  list.not_judged = ReadText(json, "not_judged");
  if (const auto ends = json.find("window_ends"); ends != json.end() && ends->is_object()) {
    for (const auto& [preset, end] : ends->items()) {
      const auto at = end.is_number() ? InstantFromSeconds(end.get<double>()) : std::nullopt;
      if (at) {
        list.window_ends[preset] = *at;
      }
    }
  }
  return list;
}

std::string TopTable(const TopList& list, std::string_view metric, bool colours) {
  std::string text;
  auto first = list.entries.begin();
  while (first != list.entries.end()) {
    const auto last = std::find_if(first, list.entries.end(), [&](const TopEntry& entry) {
      return Table(entry) != Table(*first);
    });
    const auto end = list.window_ends.find(first->preset);
    text += fmt::format("{}{} by preset {}{}\n", text.empty() ? "" : "\n", Shown(first->metric),
                        Shown(first->preset),
                        end == list.window_ends.end() ? "" : ", window of " + IsoTime(end->second));
    // Names come from other machines and go to a terminal: Printable drops escape sequences. A peer
    // median of 0 makes degrees up to 1e300, which would fill the line.
    std::vector<Row> rows = {
        {"VALUE", "COMPONENT", "PEER GROUP", "DEGREE", "FLAGGED", "CAUSE", "KIND"}};
    std::vector<std::string_view> styles = {colours ? kBold : ""};
    for (; first != last; ++first) {
      rows.push_back(
          {std::to_string(first->accumulator),
           Shown(DescribeComponent(first->component, first->metric)), Shown(first->group),
           first->degree >= 1e6 ? fmt::format("{:.1e}", first->degree)
                                : fmt::format("{:.2f}", first->degree),
           first->flagged ? "yes" : "-", first->cause.empty() ? "-" : Shown(first->cause),
           first->kind.empty() ? "-" : Shown(first->kind)});
      styles.push_back(colours && first->flagged ? kRed : "");
    }
    text += Aligned(rows, {true, false, false, true, false, false, false}, styles);
  }
  if (text.empty()) {
    text = metric.empty() ? "no persistent anomalies\n"
                          : fmt::format("no persistent anomalies of {}\n", metric);
  }
  return list.not_judged.empty() ? text : text + Printable(list.not_judged) + "\n";
}

}  // namespace limpet
