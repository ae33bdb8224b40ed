#include "diagnoser/config/profiles.h"

#include <set>
#include <utility>

namespace limpet {
namespace {

std::set<std::string> ServerRoles(std::span<const Target> targets) {
  std::set<std::string> roles;
  for (const auto& target : targets) {
    if (target.role != "client") {  // clients do whatever their users do: nobody's peers
      roles.insert(target.role);
    }
  }
  return roles;
}

void ReadModel(yaml::MapReader& section, ProfileSettings& settings, const ReadTextFile& read_file) {
  const auto text = read_file(settings.model);
  auto model = text ? ParseProfileModel(*text, settings.model) : Result<ProfileModel>(text.error());
  if (model) {
    settings.plan.model = std::move(*model);
  } else {
    section.Refuse("model", model.error().Text());
  }
}

}  // namespace

ProfileSettings ReadProfiles(yaml::MapReader& top, std::span<const Target> targets, bool read_model,
                             const ReadTextFile& read_file) {
  const bool wanted = top.Has("profiles");
  auto section = top.Map("profiles");
  ProfileSettings settings;
  auto& plan = settings.plan;
  settings.model = section.Text("model").value_or("");
  plan.roles = section.Texts("roles");
  plan.disks = section.Regex("disks").value_or(plan.disks);
  plan.interfaces = section.Regex("interfaces").value_or(plan.interfaces);
  for (const auto& name : section.Texts("metrics")) {
    if (const auto metric = HostMetricByName(name)) {
      settings.metrics.push_back(*metric);
    } else {
      section.Refuse("metrics",
                     "there is no host metric \"" + name + "\"; see docs/formats/profiles.md");
    }
  }
  if (const auto rule = section.OneOf("rule", {"consecutive", "weighted"})) {
    plan.rule = *rule == "weighted" ? AlarmRule::kWeighted : AlarmRule::kConsecutive;
  }
  if (const auto gaps = section.OneOf("gaps", {"wait", "skip"})) {
    settings.wait = *gaps == "wait";
  }
  settings.events = section.Bool("events");
  section.RefuseUnknown();
  const auto roles = ServerRoles(targets);
  // With one role there is no choice to make.
  if (plan.roles.empty() && roles.size() == 1) {
    plan.roles = {*roles.begin()};
  }
  if (!wanted) {
    return settings;
  }
  if (plan.roles.empty() && roles.size() > 1) {
    section.Refuse("roles", "expected the roles that do the same work; the targets have several");
  }
  // Training writes the model, so there it need not be there yet.
  if (settings.model.empty()) {
    if (read_model) {
      section.Refuse("model",
                     "expected the file that limpet-diagnoser train --profiles has written");
    }
    return settings;
  }
  if (read_model) {
    ReadModel(section, settings, read_file);
  }
  return settings;
}

}  // namespace limpet
