#include "diagnoser/mapping/rules.h"

#include <algorithm>
#include <boost/regex.hpp>

#include "exporter/common/text.h"

namespace limpet {

struct Rule::Compiled {
  std::vector<boost::regex> labels;  // beside PeerGroupRule::labels
  boost::regex device;
};

namespace {

// Boost.Regex throws when an expression needs too many steps for a text: that is no match.
bool Matches(std::string_view text, const boost::regex& expression) {
  try {
    return boost::regex_match(text.begin(), text.end(), expression);
  } catch (const std::runtime_error&) {
    return false;
  }
}

// A device's expression is searched, as an operator writes "^sd"; a label's must match all of it.
bool Found(std::string_view text, const boost::regex& expression) {
  try {
    return boost::regex_search(text.begin(), text.end(), expression);
  } catch (const std::runtime_error&) {
    return false;
  }
}

Error BadExpression(const PeerGroupRule& rule, std::string_view what, std::string_view text,
                    const std::exception& why) {
  return Error{ErrorCode::kInvalid,
               "expected a regular expression, got \"" + std::string(text) + "\": " + why.what(),
               "groups." + rule.name + "." + std::string(what)};
}

}  // namespace

Result<Rule> Rule::Compile(const PeerGroupRule& rule) {
  auto compiled = std::make_shared<Compiled>();
  for (const auto& matcher : rule.labels) {
    try {
      compiled->labels.emplace_back(matcher.regex);
    } catch (const boost::regex_error& why) {
      return BadExpression(rule, "labels." + matcher.name, matcher.regex, why);
    }
  }
  try {
    compiled->device.assign(rule.device);
  } catch (const boost::regex_error& why) {
    return BadExpression(rule, "device", rule.device, why);
  }
  Rule result;
  result.source_ = rule;
  result.compiled_ = std::move(compiled);
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
    if (Matches(value, compiled_->labels[i]) == matcher.negate) {
      return false;
    }
  }
  return true;
}

bool Rule::TakesDevice(std::string_view device) const {
  return source_.device.empty() || Found(device, compiled_->device);
}

bool Rule::TakesPort(std::string_view port) const {
  const auto number = ParseU64(port);
  return number && std::any_of(source_.ports.begin(), source_.ports.end(),
                               [&](std::uint16_t one) { return one == *number; });
}

}  // namespace limpet
