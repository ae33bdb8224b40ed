#include "tests/support/case_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/verdict/root_cause.h"
#include "exporter/common/text.h"
#include "exporter/common/yaml.h"

namespace limpet::testing {
namespace {

constexpr std::int64_t kStart = 1'700'000'000 - 1'700'000'000 % 28800;  // on every preset's grid

using Series = std::vector<std::optional<double>>;

struct Expectation {
  std::size_t line = 0;
  std::vector<std::string> words;
};

struct CaseText {
  PipelineConfig config;
  std::map<std::string, std::vector<std::string>> members;    // by group
  std::map<std::string, std::map<std::string, Series>> load;  // by component, metric
  std::vector<Expectation> expectations;
  std::string problems;
};

std::vector<std::string> WordsOf(std::string_view line) {
  std::vector<std::string> words;
  Fields fields(line.substr(0, line.find('#')));
  for (auto word = fields.Next(); !word.empty(); word = fields.Next()) {
    words.emplace_back(word);
  }
  return words;
}

std::vector<std::string> Split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(by, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// "5x400", "5~2x400", "-x30"; false when it is not one.
bool Extend(Series& series, const std::string& text, std::mt19937& random) {
  const auto parts = Split(text, 'x');
  const auto count = parts.size() == 2 ? ParseU64(parts[1]) : std::nullopt;
  if (!count || *count > 1'000'000) {
    return false;
  }
  if (parts[0] == "-") {
    series.resize(series.size() + *count);
    return true;
  }
  const auto around = Split(parts[0], '~');
  const auto value = ParseDouble(around[0]);
  const auto spread = around.size() == 2 ? ParseDouble(around[1]) : std::optional(0.0);
  if (!value || !spread) {
    return false;
  }
  std::uniform_real_distribution<double> disturbance(-*spread, *spread);
  for (std::uint64_t i = 0; i < *count; ++i) {
    series.emplace_back(*value + (*spread > 0 ? disturbance(random) : 0));
  }
  return true;
}

bool ReadOption(CaseText& text, const std::vector<std::string>& words) {
  auto& preset = text.config.presets.front();
  if (words.size() == 3 && words[1] == "masked") {
    text.config.masked.push_back(words[2]);
    return true;
  }
  const auto value = words.size() == 4 ? ParseDouble(words[3]) : std::nullopt;
  if (!value) {
    return false;
  }
  if (words[1] == "noise_floor") {
    preset.noise_floor[words[2]] = *value;
    return true;
  }
  if (words[1] == "default_threshold") {
    preset.default_thresholds[words[2]] = *value;
    return true;
  }
  return false;
}

bool ReadGroup(CaseText& text, std::vector<std::string> words) {
  const auto colon = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return word.back() == ':'; });
  if (colon == words.end() || colon == words.begin()) {
    return false;
  }
  colon->pop_back();
  const bool network = colon - words.begin() == 2 && *colon == "network";
  PeerGroupRule rule;
  rule.name = words[1];
  rule.kind = network ? GroupKind::kNetwork : GroupKind::kStorage;
  text.config.groups.push_back(rule);
  text.members[rule.name] = {colon + 1, words.end()};
  return true;
}

bool ReadLoad(CaseText& text, const std::vector<std::string>& words) {
  if (words.size() < 5 || words[1] != "1s") {
    return false;
  }
  std::mt19937 random(7);
  std::vector<std::string> who;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const bool values =
        words[i].front() == '-' || (words[i].front() >= '0' && words[i].front() <= '9');
    if (!values) {
      who = Split(words[i], ',');
      continue;
    }
    for (const auto& one : who) {
      if (!Extend(text.load[one][words[2]], words[i], random)) {
        return false;
      }
    }
  }
  return !who.empty();
}

CaseText ReadCase(std::string_view content, const std::string& file) {
  CaseText text;
  text.config.presets.push_back(BarePreset());
  Lines lines(content);
  std::size_t number = 0;
  while (const auto line = lines.Next()) {
    ++number;
    const auto words = WordsOf(*line);
    if (words.empty()) {
      continue;
    }
    bool good = false;
    if (words[0] == "preset" && words.size() == 2) {
      const auto preset = PresetByName(words[1]);
      good = preset.has_value();
      text.config.presets.front() = preset.value_or(BarePreset());
    } else if (words[0] == "option") {
      good = ReadOption(text, words);
    } else if (words[0] == "group") {
      good = ReadGroup(text, words);
    } else if (words[0] == "load") {
      good = ReadLoad(text, words);
    } else if (words[0] == "expect" && words.size() > 1) {
      text.expectations.push_back({number, words});
      good = true;
    }
    if (!good) {
      text.problems += fmt::format("{}:{}: cannot read this line\n", file, number);
    }
  }
  return text;
}

// Counters of one component, raised second by second so that the samples come out as loaded.
class Counters {
 public:
  explicit Counters(const std::map<std::string, Series>& load) : load_(&load) {}

  // False when some loaded metric has no reading in this second.
  [[nodiscard]] bool Raise(std::size_t second) {
    bool there = true;
    const auto of = [&](const char* metric, double otherwise) {
      const auto found = load_->find(metric);
      if (found == load_->end() || found->second.empty()) {
        return otherwise;
      }
      const auto& value = found->second[std::min(second, found->second.size() - 1)];
      there = there && value.has_value();
      return value.value_or(otherwise);
    };
    const double requests = of("tps", 100);
    values_["disk_reads_completed_total"] += requests;
    values_["disk_read_time_seconds_total"] += of("await", 5) * requests / 1000;
    values_["disk_io_time_seconds_total"] += of("svctm", 2) * requests / 1000;
    values_["disk_io_time_weighted_seconds_total"] += of("await", 5) * requests / 1000;
    values_["disk_read_bytes_total"] += 512 * of("rd_sec", 0);
    values_["disk_written_bytes_total"] += 512 * of("wr_sec", 0);
    values_["disk_writes_completed_total"] += 0;
    values_["disk_write_time_seconds_total"] += 0;
    values_["network_receive_bytes_total"] += of("rxbyt", 0);
    values_["network_transmit_bytes_total"] += of("txbyt", 0);
    values_["network_receive_packets_total"] += 1;
    values_["network_transmit_packets_total"] += 1;
    return there;
  }

  [[nodiscard]] std::string Page() const {
    std::string page;
    for (const auto& [name, value] : values_) {
      page += fmt::format("limpet_{}{{device=\"sda\"}} {}\n", name, value);
    }
    return page;
  }

 private:
  const std::map<std::string, Series>* load_;
  std::map<std::string, double> values_;
};

struct Seen {
  std::vector<WindowEvent> windows;
  std::vector<VerdictEvent> verdicts;
};

void Sort(Seen& seen, const std::vector<Event>& events) {
  for (const auto& event : events) {
    if (const auto* window = std::get_if<WindowEvent>(&event)) {
      seen.windows.push_back(*window);
    } else if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      seen.verdicts.push_back(*verdict);
    }
  }
}

Seen Play(CaseText& text) {
  std::size_t seconds = 0;
  std::map<std::string, Counters> counters;
  for (auto& rule : text.config.groups) {
    // The role says which group a node belongs to.
    rule.roles = {rule.name};
    for (const auto& member : text.members[rule.name]) {
      counters.emplace(member, Counters(text.load[member]));
      for (const auto& [metric, series] : text.load[member]) {
        seconds = std::max(seconds, series.size());
      }
    }
  }
  Pipeline pipeline(text.config);
  Seen seen;
  for (std::size_t second = 0; second <= seconds; ++second) {
    const auto now = UnixFromSeconds(kStart + static_cast<std::int64_t>(second));
    for (const auto& [group, members] : text.members) {
      for (const auto& member : members) {
        auto& own = counters.at(member);
        if (second > 0 && !own.Raise(second - 1)) {
          continue;
        }
        const auto page = own.Page();
        const auto source = group + "/" + member;
        if (!pipeline.Ingest({.source = source,
                              .node = member,
                              .role = group,
                              .labels = {},
                              .at = now,
                              .text = page})) {
          text.problems += "a page was refused\n";
        }
      }
    }
    Sort(seen, pipeline.Advance(now));
  }
  Sort(seen, pipeline.Finish());
  return seen;
}

std::string NodeOf(const std::string& component) {
  return component.substr(0, component.find('/'));
}

bool Flagged(const Seen& seen, const std::vector<std::string>& words) {
  std::string metric;
  std::string direction;
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "direction" && i + 1 < words.size()) {
      direction = words[++i];
    } else {
      metric = words[i];
    }
  }
  for (const auto& window : seen.windows) {
    for (const auto& one : window.components) {
      if (one.flagged && NodeOf(one.component) == words[2] &&
          (metric.empty() || metric == window.metric) &&
          (direction.empty() || direction == Name(one.direction))) {
        return true;
      }
    }
  }
  return false;
}

bool Never(const Seen& seen, const std::string& node) {
  for (const auto& window : seen.windows) {
    for (const auto& one : window.components) {
      if (one.flagged && IsOnChecklist(window.metric) && NodeOf(one.component) == node) {
        return false;
      }
    }
  }
  return std::none_of(seen.verdicts.begin(), seen.verdicts.end(),
                      [&](const VerdictEvent& verdict) { return verdict.node == node; });
}

bool Verdict(const Seen& seen, const std::vector<std::string>& words) {
  for (const auto& verdict : seen.verdicts) {
    if (verdict.node != words[2]) {
      continue;
    }
    if (words.size() > 3 && words[3] != Name(verdict.cause)) {
      return false;
    }
    if (words.size() > 5 && words[4] == "after") {
      return verdict.end - UnixFromSeconds(kStart) == yaml::ParseDuration(words[5]);
    }
    return true;
  }
  return false;
}

bool Holds(const Seen& seen, const std::vector<std::string>& words) {
  if (words[1] == "flagged" && words.size() > 2) {
    return Flagged(seen, words);
  }
  if (words[1] == "verdict" && words.size() > 2) {
    return Verdict(seen, words);
  }
  if (words[1] == "never" && words.size() > 2) {
    return std::all_of(words.begin() + 2, words.end(),
                       [&](const std::string& node) { return Never(seen, node); });
  }
  if (words[1] == "undetermined") {
    return !seen.windows.empty() &&
           std::all_of(seen.windows.begin(), seen.windows.end(),
                       [](const WindowEvent& window) { return window.undetermined; });
  }
  return false;
}

// The first verdict, for messages.
std::string Summary(const Seen& seen) {
  if (seen.verdicts.empty()) {
    return "; there is no verdict";
  }
  const auto& first = seen.verdicts.front();
  return fmt::format("; the first verdict is {} {} after {} s", first.node, Name(first.cause),
                     ToSeconds(first.end - UnixFromSeconds(kStart)));
}

}  // namespace

std::string RunCaseText(std::string_view content, const std::string& file) {
  auto text = ReadCase(content, file);
  for (const auto& problem : CheckPipelineConfig(text.config)) {
    text.problems += file + ": " + problem + "\n";
  }
  if (text.expectations.empty()) {
    text.problems += file + ": expects nothing\n";
  }
  if (!text.problems.empty()) {
    return text.problems;
  }
  const auto seen = Play(text);
  for (const auto& one : text.expectations) {
    if (!Holds(seen, one.words)) {
      text.problems += fmt::format("{}:{}: does not hold{}\n", file, one.line, Summary(seen));
    }
  }
  return text.problems;
}

}  // namespace limpet::testing
