#include "diagnoser/custom/node_names.h"

#include <algorithm>

namespace limpet {
namespace {

// IPv6 addresses stay whole: they have several colons.
std::string_view WithoutPort(std::string_view name) {
  const auto colon = name.find(':');
  return colon != std::string_view::npos && name.find(':', colon + 1) == std::string_view::npos
             ? name.substr(0, colon)
             : name;
}

bool IsAddress(std::string_view name) {
  return name.find_first_not_of("0123456789.") == std::string_view::npos ||
         name.find(':') != std::string_view::npos;
}

std::string_view FirstPart(std::string_view name) {
  const auto host = WithoutPort(name);
  return IsAddress(host) ? host : host.substr(0, host.find('.'));
}

}  // namespace

// A first part that two nodes share stands for neither.
void NodeNames::Add(std::string_view node) {
  if (!all_.emplace(node).second) {
    return;
  }
  const auto [known, is_new] = by_first_.emplace(FirstPart(node), node);
  if (!is_new) {
    known->second.clear();
  }
}

void NodeNames::AddAlias(std::string_view name, std::string_view node) {
  aliases_.emplace(name, node);
}

std::string NodeNames::CallAddress(std::string_view name) const {
  const auto alias = aliases_.find(name);
  return alias == aliases_.end() ? std::string(name) : alias->second;
}

std::string NodeNames::Find(std::string_view name) const {
  if (all_.contains(name)) {
    return std::string(name);
  }
  if (const auto alias = aliases_.find(WithoutPort(name)); alias != aliases_.end()) {
    return alias->second;
  }
  const auto found = by_first_.find(FirstPart(name));
  return found == by_first_.end() || found->second.empty() ? std::string(WithoutPort(name))
                                                           : found->second;
}

}  // namespace limpet
