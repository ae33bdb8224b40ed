#include "diagnoser/config/store.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "diagnoser/custom/series_table.h"
#include "diagnoser/series/gauge_age.h"
#include "diagnoser/sources/address.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLargestAnswer = std::size_t{256} << 20U;

std::string ReadLabel(yaml::MapReader& section, std::string_view key, std::string otherwise) {
  const auto name = section.Text(key);
  if (!name) {
    return otherwise;
  }
  const bool is_name = !name->empty() &&
                       std::isdigit(static_cast<unsigned char>((*name)[0])) == 0 &&
                       std::all_of(name->begin(), name->end(), [](char c) {
                         return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
                       });
  if (!is_name) {
    section.Refuse(key, "expected the name of a label such as instance, got \"" + *name + "\"");
  }
  return *name;
}

}  // namespace

std::optional<StoreSettings> ReadStore(yaml::MapReader& top, const ReadTextFile& read_file) {
  const bool wanted =
      top.OneOf("source", {"scrape", "prometheus"}).value_or("scrape") == "prometheus";
  auto section = top.Map("prometheus");
  StoreSettings settings;
  const auto url = section.Text("url");
  settings.step = section.Time("step", 1s).value_or(settings.step);
  settings.lag = section.Time("lag", 0s).value_or(settings.lag);
  settings.timeout = section.Time("timeout", 100ms).value_or(settings.timeout);
  settings.catch_up = section.Time("catch_up", 0s).value_or(settings.catch_up);
  settings.selector = section.Text("selector").value_or("");
  settings.node_label = ReadLabel(section, "node_label", settings.node_label);
  settings.role_label = ReadLabel(section, "role_label", settings.role_label);
  settings.role = section.Text("role").value_or(settings.role);
  Endpoint endpoint;
  const auto parsed = ParseResourceUrl(url.value_or(""));
  if (parsed) {
    endpoint = *parsed;
  } else if (wanted) {
    section.Refuse("url", parsed.error().message);
  }
  // Many steps of every series come in one answer.
  endpoint.max_body = kLargestAnswer;
  endpoint.accept = "application/json";
  ReadAccess(section, read_file, endpoint);
  section.RefuseUnknown();
  if (endpoint.path.find('?') != std::string::npos) {
    section.Refuse("url", "expected what stands before /api/v1/query_range, without a query");
  }
  // "/prometheus/" and "/prometheus" are the same prefix.
  while (endpoint.path.ends_with('/')) {
    endpoint.path.pop_back();
  }
  settings.endpoint = endpoint;
  // Range queries take decimal seconds, printed to the millisecond.
  if (settings.step % 1ms != Duration::zero()) {
    section.Refuse("step", "expected whole milliseconds");
  }
  if (settings.catch_up < settings.step) {
    section.Refuse("catch_up", "expected at least one step");
  }
  // It is put between braces that hold matchers of ours.
  if (settings.selector.find_first_of("{}\n") != std::string::npos) {
    section.Refuse("selector", "expected matchers without braces, such as job=\"node\"");
  }
  if (!wanted && url) {
    top.Refuse("prometheus", "is not used: expected source: prometheus beside it");
  }
  return wanted ? std::optional(settings) : std::nullopt;
}

StoreWants WantsOf(std::span<const PeerGroupRule> groups, Duration step,
                   std::span<const CustomMetric> custom) {
  StoreWants wants;
  for (const auto& group : groups) {
    const auto& kind = KindRow(group.kind);
    wants.kinds.insert(kind.entity);
    // Windows that are read less often say nothing of what happened between two readings.
    if (!kind.by_connection || step <= kMaxGaugeAge) {
      wants.kinds.insert(kind.also);
    }
  }
  for (auto& name : CustomSeriesTable(custom).Names()) {
    wants.series.insert(std::move(name));
  }
  return wants;
}

}  // namespace limpet
