#include "diagnoser/mapping/rules.h"

#include <algorithm>

#include "exporter/common/expression.h"
#include "exporter/common/text.h"

namespace limpet {

struct Rule::Compiled {
  std::vector<Expression> labels;  // beside PeerGroupRule::labels; match all of a value
  Expression device;               // searched, as an operator writes "^sd"
};

namespace {

Error BadExpression(const PeerGroupRule& rule, std::string_view what, std::string_view text,
                    const Error& why) {
  return Error{ErrorCode::kInvalid,
               "expected a regular expression, got \"" + std::string(text) + "\": " + why.message,
               "groups." + rule.name + "." + std::string(what)};
}

}  // namespace

Result<Rule> Rule::Compile(const PeerGroupRule& rule) {
  std::vector<Expression> labels;
  for (const auto& matcher : rule.labels) {
    auto label = Expression::Compile(matcher.regex);
    if (!label) {
      return BadExpression(rule, "labels." + matcher.name, matcher.regex, label.error());
    }
    labels.push_back(*std::move(label));
  }
  auto device = Expression::Compile(rule.device);
  if (!device) {
    return BadExpression(rule, "device", rule.device, device.error());
  }
  Rule result;
  result.source_ = rule;
  result.compiled_ =
      std::make_shared<const Compiled>(Compiled{std::move(labels), *std::move(device)});
  return result;
}

std::vector<PeerGroupRule> WithKinds(std::vector<PeerGroupRule> groups) {
  const auto count = groups.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!groups[i].by_kind) {
      continue;
    }
    for (const auto suffix : kKindSuffixes) {
      auto kind = groups[i];
      kind.name += "-" + std::string(suffix);
      kind.by_kind = false;
      kind.kind_of = groups[i].name;
      kind.suffix = suffix;
      groups.push_back(std::move(kind));
    }
  }
  return groups;
}

PeerGroupRule RecentRule(const PeerGroupRule& rule) {
  // The rule itself stays: which of the two a component belongs to depends on the time alone.
  auto recent = rule;
  recent.name = rule.name + "-recent";
  recent.recent_of = rule.name;
  return recent;
}

bool Rule::TakesNode(std::string_view role, const LabelMap& labels) const {
  if (!source_.roles.empty() &&
      std::find(source_.roles.begin(), source_.roles.end(), role) == source_.roles.end()) {
    return false;
  }
  for (std::size_t i = 0; i < source_.labels.size(); ++i) {
    const auto& matcher = source_.labels[i];
    // As in Prometheus a label that is absent has the value "", which "negate" matches too.
    const auto found = labels.find(matcher.name);
    const std::string_view value = found == labels.end() ? std::string_view() : found->second;
    if (compiled_->labels[i].Matches(value) == matcher.negate) {
      return false;
    }
  }
  return true;
}

bool Rule::TakesDevice(std::string_view device) const {
  return source_.device.empty() || compiled_->device.Finds(device);
}

bool Rule::TakesPort(std::string_view port) const {
  const auto number = ParseU64(port);
  return number && std::any_of(source_.ports.begin(), source_.ports.end(),
                               [&](std::uint16_t one) { return one == *number; });
}

}  // namespace limpet
