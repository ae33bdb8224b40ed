#include "diagnoser/federation/federation_config.h"

#include <algorithm>

#include "diagnoser/sources/address.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxAnswer = std::size_t{16} << 20U;  // bytes: 10,000 nodes take about 4 MB

FederationMember ReadMember(yaml::MapReader& entry, const ReadTextFile& read_file) {
  FederationMember member;
  member.name = entry.Text("name").value_or("");
  if (!IsNodeName(member.name)) {
    entry.Refuse("name", "expected a name without spaces and slashes, such as north");
  }
  const auto url = entry.Text("url").value_or("");
  const auto endpoint = ParseResourceUrl(url);
  if (endpoint) {
    member.endpoint = *endpoint;
  } else {
    entry.Refuse("url", "expected a diagnoser's address, such as http://north:9837: " +
                            endpoint.error().message);
  }
  ReadAccess(entry, read_file, member.endpoint);
  member.endpoint.accept = "application/json";
  member.endpoint.compressed = true;
  member.endpoint.max_body = std::min(member.endpoint.max_body, kMaxAnswer);
  while (member.endpoint.path.ends_with('/')) {
    member.endpoint.path.pop_back();
  }
  entry.RefuseUnknown();
  return member;
}

}  // namespace

Result<FederationConfig> ParseFederation(std::string_view text, const std::string& file,
                                         const ReadTextFile& read_file) {
  const auto root = yaml::Parse(text, file);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  FederationConfig config;
  for (auto& entry : top.Maps("federate")) {
    config.members.push_back(ReadMember(entry, read_file));
  }
  if (config.members.empty() || config.members.size() > kMaxMembers) {
    top.Refuse("federate", "expected 1 to " + std::to_string(kMaxMembers) +
                               " diagnosers, such as - {name: north, url: \"http://north:9837\"}");
  }
  std::ranges::sort(config.members, {}, &FederationMember::name);
  const auto same = std::ranges::adjacent_find(config.members, {}, &FederationMember::name);
  if (same != config.members.end()) {
    top.Refuse("federate", "two diagnosers are named \"" + same->name + "\"; expected other names");
  }
  auto web = top.Map("web");
  config.allowed_hosts = web.Texts("allowed_hosts");
  web.RefuseUnknown();
  top.RefuseUnknown();
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return config;
}

}  // namespace limpet
