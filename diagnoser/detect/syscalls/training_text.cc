#include "diagnoser/detect/syscalls/training_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>

#include "diagnoser/detect/thresholds.h"
#include "diagnoser/detect/thresholds_text.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

template <class Names>
std::string List(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + YamlText(name);
  }
  return "[" + text + "]";
}

void WriteMetric(ServiceMetric metric, const ServiceThresholds& thresholds, std::string& out) {
  if (thresholds.deviations.empty()) {
    return;
  }
  fmt::format_to(std::back_inserter(out), "    {}:\n", Name(metric));
  if (!thresholds.saturated.empty()) {
    fmt::format_to(std::back_inserter(out), "      saturated: {}\n", List(thresholds.saturated));
  }
  out += "      deviations:\n";
  for (const auto& [server, deviation] : thresholds.deviations) {
    // The shortest text that reads back as the same number.
    fmt::format_to(std::back_inserter(out), "        {}: {}\n", YamlText(server), deviation);
  }
}

ServiceThresholds ReadMetric(yaml::MapReader reader) {
  ServiceThresholds thresholds;
  for (auto& name : reader.Texts("saturated")) {
    thresholds.saturated.insert(std::move(name));
  }
  for (const auto& [server, deviation] : reader.NumberMap("deviations")) {
    if (deviation < 0 || !std::isfinite(deviation)) {
      reader.Refuse("deviations", "expected numbers from 0 on");
    }
    thresholds.deviations.emplace(server, deviation);
  }
  reader.RefuseUnknown();
  return thresholds;
}

}  // namespace

std::string SyscallTrainingText(const SyscallTraining& training) {
  if (training.Empty()) {
    return {};
  }
  std::set<std::string> roles;
  for (const auto& [role, service] : training.service) {
    roles.insert(role);
  }
  for (const auto& [role, errors] : training.errors) {
    roles.insert(role);
  }
  std::string out = "syscalls:  # of system calls, by role of the servers\n";
  for (const auto& role : roles) {
    fmt::format_to(std::back_inserter(out), "  - role: {}\n", YamlText(role));
    const auto errors = training.errors.find(role);
    fmt::format_to(std::back_inserter(out),
                   "    errors: {}  # that are returned when nothing is wrong\n",
                   errors == training.errors.end() ? "[]" : List(errors->second));
    for (std::size_t i = 0; i < kServiceMetrics; ++i) {
      const auto metric = static_cast<ServiceMetric>(i);
      WriteMetric(metric, training.Find(role, metric), out);
    }
  }
  return out;
}

Result<SyscallTraining> ParseSyscallTraining(std::string_view text, const std::string& file) {
  const auto root = yaml::Parse(text, file, kMaxThresholdBytes);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  SyscallTraining training;
  for (auto& reader : top.Maps("syscalls")) {
    const auto role = reader.Text("role");
    if (!role) {
      reader.Refuse("role", "expected the role of the servers");
      continue;
    }
    for (auto& error : reader.Texts("errors")) {
      training.errors[*role].insert(std::move(error));
    }
    auto& service = training.service[*role];
    for (std::size_t i = 0; i < kServiceMetrics; ++i) {
      service[i] = ReadMetric(reader.Map(Name(static_cast<ServiceMetric>(i))));
    }
    reader.RefuseUnknown();
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return training;
}

}  // namespace limpet
