#include "diagnoser/sources/recording_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

#include "diagnoser/sources/line_times.h"
#include "exporter/common/exposition/numbers.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

struct Line {
  std::string_view name;
  std::string_view labels;  // without braces
  std::string_view value;
  UnixTime at;
};

bool IsName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':';
  });
}

std::optional<Line> Split(std::string_view text, Format format) {
  Line line;
  // The labels end at the last brace: a label's value may hold one, a number cannot.
  const auto open = text.find('{');
  const auto close = text.rfind('}');
  std::string_view rest;
  if (open != std::string_view::npos && close != std::string_view::npos && open < close) {
    line.name = text.substr(0, open);
    line.labels = text.substr(open + 1, close - open - 1);
    rest = text.substr(close + 1);
  } else {
    const auto space = std::min(text.find(' '), text.size());
    line.name = text.substr(0, space);
    rest = text.substr(space);
  }
  Fields fields(rest);
  line.value = fields.Next();
  const auto at = ParseStamp(fields.Next(), format);
  if (!IsName(line.name) || !ParseDouble(line.value) || !at || !fields.Next().empty()) {
    return std::nullopt;
  }
  line.at = *at;
  return line;
}

// The value of a label as it is written, escapes and all; nullopt when there is no such label.
std::optional<std::string_view> Find(std::string_view labels, std::string_view label) {
  for (std::size_t at = 0; at < labels.size();) {
    const auto equals = labels.find("=\"", at);
    if (equals == std::string_view::npos) {
      return std::nullopt;
    }
    auto end = equals + 2;
    while (end < labels.size() && labels[end] != '"') {
      end += labels[end] == '\\' ? std::size_t{2} : std::size_t{1};
    }
    end = std::min(end, labels.size());
    if (Trim(labels.substr(at, equals - at)) == label) {
      return labels.substr(equals + 2, end - equals - 2);
    }
    at = end + 1;
    if (at < labels.size() && labels[at] == ',') {
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace

void RecordingExport::BeginFile() {
  for (auto& [name, node] : nodes_) {
    node.earlier = node.newest;
  }
}

std::string_view RecordingExport::Convert(std::string_view lines, Format format) {
  text_.clear();
  Lines each(lines);
  while (const auto line = each.Next()) {
    if (line->starts_with('#')) {
      Comment(*line);
    } else if (!line->empty()) {
      Sample(*line, format);
    }
  }
  return text_;
}

void RecordingExport::Comment(std::string_view line) {
  Fields fields(line);
  fields.Next();  // "#"
  const auto word = fields.Next();
  const auto name = fields.Next();
  // Once for each metric, not once a file. "# EOF" may stand at the end alone.
  if ((word == "HELP" || word == "TYPE" || word == "UNIT") &&
      described_.insert(fmt::format("{} {}", word, name)).second) {
    text_.append(line).append("\n");
  }
}

void RecordingExport::Sample(std::string_view text, Format format) {
  const auto line = Split(text, format);
  if (!line) {
    ++total_.bad;
    return;
  }
  const auto instance = Find(line->labels, "instance");
  if (IsRepeated(instance.value_or(""), line->at)) {
    ++total_.repeated;
    return;
  }
  ++total_.samples;
  const auto out = std::back_inserter(text_);
  const char* between = "";
  text_.append(line->name).append("{");
  const auto add = [&](std::string_view label, std::string_view value) {
    fmt::format_to(out, "{}{}=\"{}\"", between, label, value);
    between = ",";
  };
  if (!job_.empty() && !Find(line->labels, "job")) {
    add("job", job_);
  }
  if (instance && !Find(line->labels, "node")) {
    add("node", *instance);
  }
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(line->at.time_since_epoch());
  fmt::format_to(out, "{}{}}} {} {}.{:03}\n", line->labels.empty() ? "" : between, line->labels,
                 line->value, WholeSeconds(line->at), (ms % std::chrono::seconds(1)).count());
}

bool RecordingExport::IsRepeated(std::string_view name, UnixTime at) {
  auto found = nodes_.find(name);
  if (found == nodes_.end()) {
    found = nodes_.emplace(name, Node()).first;
  }
  auto& node = found->second;
  if (at <= node.earlier) {
    return true;
  }
  node.newest = std::max(node.newest, at);
  return false;
}

}  // namespace limpet
