#include "diagnoser/sources/store_pages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "diagnoser/metrics/machine_labels.h"
#include "diagnoser/sources/address.h"
#include "diagnoser/sources/sample_instant.h"
#include "exporter/common/exposition/characters.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

// Labels of the entity a series is about; all others are the target's.
constexpr std::array<std::string_view, 8> kOwnLabels = {
    "device", "local_address", "local_port",     "peer",
    "port",   "remote_port",   "remote_address", "side"};
constexpr std::size_t kMaxLabels = 64;  // of a target

bool IsOwn(std::string_view label) {
  return std::find(kOwnLabels.begin(), kOwnLabels.end(), label) != kOwnLabels.end();
}

bool IsInfo(std::string_view name) {
  constexpr std::array<std::string_view, 4> kEndings = {"_disk_info", "_stack_info",
                                                        "_device_mapper_info", "_bonding_slaves"};
  return std::ranges::any_of(kEndings, [&](auto ending) { return name.ends_with(ending); });
}

void AppendQuoted(std::string& text, std::string_view value) {
  text += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
    }
    text += c == '\n' ? std::string_view("\\n") : std::string_view(&c, 1);
  }
  text += '"';
}

void AppendNumber(std::string& text, double value) {
  std::array<char, 32> digits;
  text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
}

// A series of buckets without its bound.
std::string IdentityOf(const RangeSeries& series) {
  std::string text;
  for (const auto& [name, value] : series.labels) {
    if (name != "le") {
      text.append(name).append(1, '\0').append(value).append(1, '\0');
    }
  }
  return text;
}

// One classic bucket of a native histogram.
RangeSeries MakeBucket(const RangeSeries& native, const std::string& name, std::string bound,
                       const std::function<double(const NativePoint&)>& count) {
  RangeSeries bucket{.name = name, .labels = native.labels, .points = {}, .histograms = {}};
  bucket.labels.emplace_back("le", std::move(bound));
  for (const auto& point : native.histograms) {
    bucket.points.push_back({.at = point.at, .value = count(point)});
  }
  return bucket;
}

std::int64_t Milliseconds(UnixTime at) {
  return std::chrono::floor<std::chrono::milliseconds>(at).time_since_epoch().count();
}

}  // namespace

StorePages::StorePages(StoreSettings settings, std::set<std::string> whole)
    : settings_(std::move(settings)), whole_(std::move(whole)) {
  for (const auto& name : whole_) {
    if (name.ends_with(kBucketEnding)) {
      natives_.insert(name.substr(0, name.size() - kBucketEnding.size()));
    }
  }
}

const StorePages::Instants* StorePages::Batch::FindInstants(const Exporter& exporter) const {
  const Key key{exporter.node, exporter.job, exporter.instance};
  // limpet-exporter's own instant is that of the readings; the store only knows when it scraped.
  if (const auto own = sampled.find(key); !exporter.stock && own != sampled.end()) {
    return &own->second;
  }
  const auto stores = scraped.find(key);
  return stores == scraped.end() ? nullptr : &stores->second;
}

// The store notes when it scraped, the exporter when it sampled: two clocks side by side.
std::optional<Duration> StorePages::Batch::FindSkew(const Exporter& exporter) const {
  const Key key{exporter.node, exporter.job, exporter.instance};
  const auto own = sampled.find(key);
  const auto stores = scraped.find(key);
  if (exporter.stock || own == sampled.end() || stores == scraped.end()) {
    return std::nullopt;
  }
  std::optional<Duration> most;
  for (const auto& [step, at] : own->second) {
    if (const auto scrape = stores->second.find(step); scrape != stores->second.end()) {
      const auto skew = ClockSkew(at, scrape->second, scrape->second, kSamplePeriod);
      most = !most || std::chrono::abs(skew) > std::chrono::abs(*most) ? skew : *most;
    }
  }
  return most;
}

std::string StorePages::ReadNode(const RangeSeries& series) const {
  const auto value = series.Label(settings_.node_label);
  const auto address = ParseAddress(value, 1);  // the port does not matter, only that it goes
  const bool is_host = address && !shared_hosts_.contains(address->host);
  auto node = is_host ? address->host : std::string(value);
  return IsNodeName(node) ? node : std::string();
}

StorePages::Exporter StorePages::ReadExporter(const RangeSeries& series, std::string node) const {
  return {.node = std::move(node),
          .job = std::string(series.Label("job")),
          .instance = std::string(series.Label("instance")),
          .stock = series.name.starts_with("node_")};
}

void StorePages::AddReadings(const RangeSeries& series, Batch& batch) const {
  auto node = ReadNode(series);
  if (node.empty()) {
    ++batch.unnamed;
    return;
  }
  auto& readings = batch.readings[ReadExporter(series, std::move(node))];
  readings.last_step = std::max(readings.last_step, series.points.back().at);
  const bool info = IsInfo(series.name);
  std::string text = series.name + "{";
  std::string machines;
  for (const auto& [name, value] : series.labels) {
    const bool of_source = name == "job" || name == "instance" || name == settings_.node_label;
    if (of_source) {
      continue;
    }
    // The labels of an info series are its content: all of them belong on the page, but for names
    // of Prometheus 3 that no page has.
    if ((IsOwn(name) || info) && IsLabelName(name)) {
      text += (text.back() == '{' ? "" : ",") + name + "=";
      AppendQuoted(text, value);
    }
    if (!IsOwn(name) && !info && readings.labels.size() < kMaxLabels) {
      const bool is_same = readings.labels.emplace(name, value).first->second == value;
      if (IsMachineLabel(name)) {
        machines += "," + name + "=";
        AppendQuoted(machines, value);
        readings.several = readings.several || !is_same;
      }
    }
  }
  if (text.back() == '{' && !machines.empty()) {
    machines.erase(0, 1);
  }
  readings.series.push_back(
      {.text = text, .machines = machines, .points = &series.points, .info = info});
}

void StorePages::AddInstants(const RangeSeries& series,
                             std::map<Batch::Key, Instants>& instants) const {
  const auto exporter = ReadExporter(series, ReadNode(series));
  auto& known = instants[{exporter.node, exporter.job, exporter.instance}];
  for (const auto& point : series.points) {
    // A value of limpet_sample_timestamp_seconds or timestamp().
    if (const auto at = InstantFromSeconds(point.value)) {
      known[point.at] = *at;
    }
  }
}

// Several exporters of one host are several of its programs: none stands for another. So the page
// of each has them, and a host with nothing else has a page of its own.
void StorePages::AddWhole(const std::vector<const RangeSeries*>& all, Batch& batch) const {
  std::map<std::string, std::vector<Readings*>> known;  // by node
  for (auto& [exporter, readings] : batch.readings) {
    known[exporter.node].push_back(&readings);
  }
  for (const auto* series : all) {
    const auto node = ReadNode(*series);
    if (node.empty()) {
      ++batch.unnamed;
      continue;
    }
    std::string text = series->name + "{";
    for (const auto& [name, value] : series->labels) {
      if (name != "job" && name != "instance" && name != settings_.node_label &&
          IsLabelName(name)) {
        text += (text.back() == '{' ? "" : ",") + name + "=";
        AppendQuoted(text, value);
      }
    }
    const Series line = {.text = text, .machines = {}, .points = &series->points, .info = false};
    const auto last = series->points.back().at;
    if (const auto its = known.find(node); its != known.end()) {
      for (auto* readings : its->second) {
        readings->series.push_back(line);
        readings->last_step = std::max(readings->last_step, last);
      }
      continue;
    }
    auto& own = batch.readings[ReadExporter(*series, node)];
    own.series.push_back(line);
    own.last_step = std::max(own.last_step, last);
    const auto role = series->Label(settings_.role_label);
    if (!role.empty()) {
      own.labels.emplace(settings_.role_label, role);
    }
  }
}

std::vector<RangeSeries> StorePages::Classic(const std::vector<StoreAnswer>& answers) {
  std::set<std::pair<std::string, std::string>> there;  // name and identity
  std::vector<const RangeSeries*> natives;
  for (const auto& one : answers) {
    for (const auto& series : one.answer.series) {
      if (!series.histograms.empty() && natives_.contains(series.name)) {
        natives.push_back(&series);
        bounds_.Widen(series.name, series.histograms);
      } else if (!natives_.empty() && series.name.ends_with(kBucketEnding)) {
        there.emplace(series.name, IdentityOf(series));
      }
    }
  }
  std::vector<RangeSeries> classic;
  for (const auto* native : natives) {
    const auto name = native->name + std::string(kBucketEnding);
    if (there.contains({name, IdentityOf(*native)})) {
      continue;
    }
    for (const double bound : bounds_.Of(native->name)) {
      std::string text;
      AppendNumber(text, bound);
      classic.push_back(MakeBucket(*native, name, std::move(text), [&](const NativePoint& point) {
        return CountUpTo(point, bound);
      }));
    }
    classic.push_back(
        MakeBucket(*native, name, "+Inf", [](const NativePoint& point) { return point.count; }));
  }
  return classic;
}

StorePages::Batch StorePages::Sort(const std::vector<StoreAnswer>& answers,
                                   const std::vector<RangeSeries>& classic) const {
  Batch batch;
  std::vector<const RangeSeries*> whole;
  whole.reserve(classic.size());
  for (const auto& series : classic) {
    whole.push_back(&series);
  }
  for (const auto& one : answers) {
    for (const auto& series : one.answer.series) {
      // A native histogram is among `classic`; a series of its name without buckets is no metric's.
      if (series.points.empty() || natives_.contains(series.name)) {
        continue;
      }
      switch (one.kind) {
        case StoreQuery::Kind::kReadings:
          if (whole_.contains(series.name)) {
            whole.push_back(&series);
          } else {
            AddReadings(series, batch);
          }
          break;
        case StoreQuery::Kind::kSampled:
          AddInstants(series, batch.sampled);
          break;
        case StoreQuery::Kind::kScraped:
          AddInstants(series, batch.scraped);
          break;
      }
    }
  }
  AddWhole(whole, batch);
  return batch;
}

// Changing the exporter of a node would look like a counter reset, so a known one stays.
const StorePages::Exporter& StorePages::Choose(
    const std::string& node, const std::vector<const Exporter*>& candidates) const {
  if (const auto known = nodes_.find(node); known != nodes_.end()) {
    for (const auto* candidate : candidates) {
      if (*candidate == known->second.exporter) {
        return *candidate;
      }
    }
  }
  const auto ours = std::find_if(candidates.begin(), candidates.end(),
                                 [](const Exporter* candidate) { return !candidate->stock; });
  return ours == candidates.end() ? *candidates.front() : **ours;
}

// The path is never asked for: it makes the URL of each exporter unique, as identities and messages
// want it.
Target StorePages::MakeTarget(const Exporter& exporter, const Readings& readings) const {
  Target target;
  target.node = exporter.node;
  target.labels = readings.labels;
  const auto role = target.labels.find(settings_.role_label);
  target.role = role == target.labels.end() || role->second.empty() ? settings_.role : role->second;
  target.labels.erase(settings_.role_label);  // as for targets of a list: role is no further label
  target.endpoint = settings_.endpoint;
  target.endpoint.path += "/?job=" + UrlEncoded(exporter.job) +
                          "&instance=" + UrlEncoded(exporter.instance) +
                          (exporter.stock ? "&names=node" : "");
  target.endpoint.path += "&node=" + UrlEncoded(exporter.node);
  target.interval = settings_.step;
  target.timeout = std::min(settings_.timeout, settings_.step);
  return target;
}

// Step by step, so that the page is in order of time.
std::string StorePages::Render(const Readings& readings, const Instants* instants,
                               UnixTime& last_reading) {
  std::set<UnixTime> steps;
  for (const auto& series : readings.series) {
    for (const auto& point : *series.points) {
      steps.insert(point.at);
    }
  }
  std::string text;
  std::vector<std::size_t> next(readings.series.size(), 0);
  for (const auto step : steps) {
    auto at = step;
    if (instants != nullptr) {
      const auto known = instants->find(step);
      at = known == instants->end() ? step : known->second;
    }
    // A store repeats its last value for minutes, and batches overlap: only later ones are new.
    const bool fresh = at > last_reading;
    last_reading = std::max(last_reading, at);
    const auto stamp = " " + std::to_string(Milliseconds(at)) + "\n";
    for (std::size_t i = 0; i < readings.series.size(); ++i) {
      const auto& points = *readings.series[i].points;
      if (next[i] == points.size() || points[next[i]].at != step) {
        continue;
      }
      const auto& point = points[next[i]++];
      // Descriptions do not change with time: once a page is enough.
      const bool wanted = fresh && (!readings.series[i].info || step == *steps.rbegin());
      if (wanted && std::isfinite(point.value)) {
        text += readings.series[i].text;
        // Whoever reads the page is to see that it is of several machines.
        text += readings.several ? readings.series[i].machines : std::string();
        text += "} ";
        AppendNumber(text, point.value);
        text += stamp;
      }
    }
  }
  return text;
}

NodePage StorePages::MakePage(const Exporter& exporter, const Batch& batch, UnixTime last) {
  auto& node = nodes_[exporter.node];
  if (node.exporter != exporter) {
    node = {.exporter = exporter, .target = {}, .last_seen = {}, .last_reading = {}};
  }
  const auto& readings = batch.readings.at(exporter);
  node.target = MakeTarget(exporter, readings);
  node.last_seen = std::max(node.last_seen, readings.last_step);
  return {.target = node.target,
          .present = readings.last_step == last,
          .text = Render(readings, batch.FindInstants(exporter), node.last_reading),
          .clock_skew = batch.FindSkew(exporter)};
}

// Tunnels and containers: localhost:19101, localhost:19102. An exporter that has moved to another
// port is not there twice at one step.
std::vector<std::string> StorePages::FindSharedHosts(const Batch& batch, UnixTime last) const {
  std::vector<std::string> shared;
  if (settings_.node_label != "instance") {
    return shared;
  }
  std::set<std::tuple<std::string, std::string, bool>> seen;
  for (const auto& [exporter, readings] : batch.readings) {
    const bool is_there = readings.last_step == last;
    if (is_there && !seen.emplace(exporter.node, exporter.job, exporter.stock).second &&
        (shared.empty() || shared.back() != exporter.node)) {
      shared.push_back(exporter.node);
    }
  }
  return shared;
}

StorePages::Made StorePages::Make(const std::vector<StoreAnswer>& answers, UnixTime last) {
  const auto classic = Classic(answers);
  auto batch = Sort(answers, classic);
  auto shared_hosts = FindSharedHosts(batch, last);
  if (!shared_hosts.empty()) {
    for (const auto& host : shared_hosts) {
      nodes_.erase(host);
    }
    shared_hosts_.insert(shared_hosts.begin(), shared_hosts.end());
    batch = Sort(answers, classic);
  }
  Made made{.pages = {}, .unnamed = batch.unnamed, .shared_hosts = std::move(shared_hosts)};
  std::map<std::string, std::vector<const Exporter*>> exporters;  // by node
  for (const auto& [exporter, readings] : batch.readings) {
    exporters[exporter.node].push_back(&exporter);
  }
  for (const auto& [node, candidates] : exporters) {
    // A hostile store must not fill the memory with names.
    if (nodes_.size() < kMaxNodes || nodes_.contains(node)) {
      made.pages.push_back(MakePage(Choose(node, candidates), batch, last));
    }
  }
  std::erase_if(nodes_, [&](const auto& node) { return last - node.second.last_seen > kRemember; });
  for (const auto& [name, node] : nodes_) {
    if (!exporters.contains(name)) {
      made.pages.push_back({.target = node.target, .present = false, .text = {}, .clock_skew = {}});
    }
  }
  std::sort(made.pages.begin(), made.pages.end(),
            [](const NodePage& a, const NodePage& b) { return a.target.node < b.target.node; });
  return made;
}

}  // namespace limpet
