#include "diagnoser/sources/store_pages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "diagnoser/sources/address.h"

namespace limpet {
namespace {

// Labels of the entity a series is about; all others are the target's.
constexpr std::array<std::string_view, 7> kOwnLabels = {
    "device", "local_address", "local_port", "peer", "remote_port", "remote_address", "side"};
constexpr std::size_t kMaxLabels = 64;  // of a target

bool IsOwn(std::string_view label) {
  return std::find(kOwnLabels.begin(), kOwnLabels.end(), label) != kOwnLabels.end();
}

bool IsInfo(std::string_view name) { return name.ends_with("_disk_info"); }

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

std::int64_t Milliseconds(UnixTime at) {
  return std::chrono::floor<std::chrono::milliseconds>(at).time_since_epoch().count();
}

// What a value of limpet_sample_timestamp_seconds or timestamp() means: it has milliseconds.
UnixTime InstantOf(double seconds) {
  return UnixFromMilliseconds(static_cast<std::int64_t>(std::llround(seconds * 1000)));
}

bool IsInstant(double seconds) { return seconds >= 0 && seconds < 7e9; }

bool IsNodeName(std::string_view name) {
  return !name.empty() && name.size() <= 255 && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '/' && c != 0x7f;
  });
}

}  // namespace

std::string StorePages::NodeOf(const RangeSeries& series) const {
  const auto value = series.Label(settings_.node_label);
  const auto address = ParseAddress(value, 1);
  auto node = address ? address->host : std::string(value);
  return IsNodeName(node) ? node : std::string();
}

StorePages::Speaker StorePages::SpeakerOf(const RangeSeries& series, std::string node) const {
  return {.node = std::move(node),
          .job = std::string(series.Label("job")),
          .instance = std::string(series.Label("instance")),
          .stock = series.name.starts_with("node_")};
}

void StorePages::Listen(const RangeSeries& series, std::map<Speaker, Heard>& heard,
                        std::size_t& unnamed) const {
  auto node = NodeOf(series);
  if (node.empty()) {
    ++unnamed;
    return;
  }
  auto& its = heard[SpeakerOf(series, std::move(node))];
  its.last_step = std::max(its.last_step, series.points.back().at);
  const bool info = IsInfo(series.name);
  std::string text = series.name + "{";
  for (const auto& [name, value] : series.labels) {
    const bool of_source = name == "job" || name == "instance" || name == settings_.node_label;
    if (of_source) {
      continue;
    }
    if (IsOwn(name) || info) {
      text += (text.back() == '{' ? "" : ",") + name + "=";
      AppendQuoted(text, value);
    }
    if (!IsOwn(name) && !info && its.labels.size() < kMaxLabels) {
      its.labels.emplace(name, value);
    }
  }
  its.series.push_back({.text = text + "} ", .points = &series.points, .info = info});
}

Target StorePages::TargetOf(const Speaker& speaker, const Heard& heard) const {
  Target target;
  target.node = speaker.node;
  target.labels = heard.labels;
  const auto role = target.labels.find(settings_.role_label);
  target.role = role == target.labels.end() || role->second.empty() ? settings_.role : role->second;
  target.labels.erase(settings_.role_label);
  target.endpoint = settings_.endpoint;
  target.endpoint.path += "/?job=" + UrlEncoded(speaker.job) +
                          "&instance=" + UrlEncoded(speaker.instance) +
                          (speaker.stock ? "&names=node" : "");
  target.endpoint.path += "&node=" + UrlEncoded(speaker.node);
  target.interval = settings_.step;
  target.timeout = std::min(settings_.timeout, settings_.step);
  return target;
}

// Step by step, so that the page is in order of time.
std::string StorePages::TextOf(const Heard& heard, const Instants* instants,
                               UnixTime& last_reading) {
  std::set<UnixTime> steps;
  for (const auto& series : heard.series) {
    for (const auto& point : *series.points) {
      steps.insert(point.at);
    }
  }
  std::string text;
  std::vector<std::size_t> next(heard.series.size(), 0);
  for (const auto step : steps) {
    auto at = step;
    if (instants != nullptr) {
      const auto known = instants->find(step);
      at = known == instants->end() ? step : known->second;
    }
    const bool fresh = at > last_reading;
    last_reading = std::max(last_reading, at);
    const auto stamp = " " + std::to_string(Milliseconds(at)) + "\n";
    for (std::size_t i = 0; i < heard.series.size(); ++i) {
      const auto& points = *heard.series[i].points;
      if (next[i] == points.size() || points[next[i]].at != step) {
        continue;
      }
      const auto& point = points[next[i]++];
      const bool wanted = fresh && (!heard.series[i].info || step == *steps.rbegin());
      if (wanted && std::isfinite(point.value)) {
        text += heard.series[i].text;
        AppendNumber(text, point.value);
        text += stamp;
      }
    }
  }
  return text;
}

StorePages::Made StorePages::Make(std::vector<StoreAnswer> answers, UnixTime last) {
  Made made;
  std::map<Speaker, Heard> heard;
  // By node, job and instance: neither query tells stock exporters from ours.
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, Instants> sampled;
  std::map<Key, Instants> scraped;
  for (const auto& one : answers) {
    for (const auto& series : one.answer.series) {
      if (one.kind == StoreQuery::Kind::kReadings) {
        Listen(series, heard, made.unnamed);
        continue;
      }
      const auto who = SpeakerOf(series, NodeOf(series));
      auto& instants =
          (one.kind == StoreQuery::Kind::kSampled ? sampled
                                                  : scraped)[{who.node, who.job, who.instance}];
      for (const auto& point : series.points) {
        if (IsInstant(point.value)) {
          instants[point.at] = InstantOf(point.value);
        }
      }
    }
  }
  // Who speaks for each node: sorted, ours come before stock ones of the same job and instance.
  std::map<std::string, std::vector<const Speaker*>> speakers;
  for (const auto& [speaker, its] : heard) {
    speakers[speaker.node].push_back(&speaker);
  }
  for (auto& [node, candidates] : speakers) {
    const auto known = nodes_.find(node);
    if (known == nodes_.end() && nodes_.size() == kMaxNodes) {
      continue;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Speaker* a, const Speaker* b) { return a->stock < b->stock; });
    const auto same = std::find_if(candidates.begin(), candidates.end(), [&](const Speaker* one) {
      return known != nodes_.end() && *one == known->second.speaker;
    });
    const auto& speaker = same == candidates.end() ? *candidates.front() : **same;
    auto& mine = nodes_[node];
    if (mine.speaker != speaker) {
      mine = {.speaker = speaker, .target = {}, .last_seen = {}, .last_reading = {}};
    }
    const auto& its = heard.at(speaker);
    mine.target = TargetOf(speaker, its);
    mine.last_seen = std::max(mine.last_seen, its.last_step);
    const Key key{speaker.node, speaker.job, speaker.instance};
    const auto own = speaker.stock ? sampled.end() : sampled.find(key);
    const auto stores = scraped.find(key);
    const auto* instants = own != sampled.end()      ? &own->second
                           : stores != scraped.end() ? &stores->second
                                                     : nullptr;
    made.pages.push_back({.target = mine.target,
                          .present = its.last_step == last,
                          .text = TextOf(its, instants, mine.last_reading)});
  }
  std::erase_if(nodes_, [&](const auto& node) { return last - node.second.last_seen > kRemember; });
  for (const auto& [node, its] : nodes_) {
    if (!speakers.contains(node)) {
      made.pages.push_back({.target = its.target, .present = false, .text = {}});
    }
  }
  std::sort(made.pages.begin(), made.pages.end(),
            [](const NodePage& a, const NodePage& b) { return a.target.node < b.target.node; });
  return made;
}

}  // namespace limpet
