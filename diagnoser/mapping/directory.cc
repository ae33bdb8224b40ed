#include "diagnoser/mapping/directory.h"

#include <algorithm>

#include "diagnoser/mapping/disk_kinds.h"
#include "diagnoser/mapping/disk_uses.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

std::string_view Label(const LabelPairs& labels, std::string_view name) {
  for (const auto& [key, value] : labels) {
    if (key == name) {
      return value;
    }
  }
  return {};
}

// The name that rules know a device by.
const std::string& Home(const Entity& entity) {
  const auto home = entity.labels.find(kHomeLabel);
  return home == entity.labels.end() ? entity.device : home->second;
}

bool IsMember(const Rule& rule, EntityKind kind, const Entity& entity) {
  if (!Takes(rule.Source().kind, kind)) {
    return false;
  }
  switch (KindRow(kind).matching) {
    case Matching::kDevice:
      if ((rule.Source().by_kind || !rule.Source().kind_of.empty()) && IsNoDisk(entity.device)) {
        return false;
      }
      return rule.TakesDevice(Home(entity)) && rule.TakesNode(entity.role, entity.labels);
    case Matching::kNode:
      return rule.TakesNode(entity.role, entity.labels);
    case Matching::kPorts:
      // Of a server or of one of its clients, whatever the client's role.
      return rule.TakesPort(entity.local_port) || rule.TakesPort(entity.remote_port);
    case Matching::kAlways:
      // Nobody knows whose connections those of a whole node are.
      return (entity.side != kWholeNode && entity.side != kRdmaPort) ||
             rule.TakesNode(entity.role, entity.labels);
  }
  return true;
}

// What an entity is, beside its name: bounded, since anybody may put labels on a series.
constexpr std::size_t kMaxLabels = 32;
constexpr std::size_t kMaxLowers = 64;  // of one device

void AddLabel(std::string_view name, std::string_view value, LabelMap& labels) {
  const bool is_name =
      name == "device" || name == "instance" || name == "role" || name == kHomeLabel;
  if (!is_name && !value.empty() && labels.size() < kMaxLabels) {
    labels.emplace(name, value);
  }
}

// Other labels of a disk stay; where it is mounted may end.
void ForgetMounts(const Entity& seen, LabelMap& labels) {
  for (const std::string_view name : {"mountpoint", "fstype"}) {
    if (const auto known = labels.find(name);
        known != labels.end() && !seen.labels.contains(name)) {
      labels.erase(known);
    }
  }
}

// Whether all labels came that tell it from other entities of its kind.
bool IsWhole(const EntityKindRow& kind, const Entity& entity) {
  const bool connected = !entity.local_address.empty() && !entity.remote_address.empty();
  return kind.kind != EntityKind::kExporter && !entity.node.empty() &&
         (!kind.needs_device || !entity.device.empty()) &&
         (kind.remote_label.empty() || connected) && (!kind.is_aggregate || !entity.side.empty());
}

// What the OpenTelemetry collector calls the label `device` by its semantic conventions.
std::string_view DeviceLabel(const EntityKindRow& kind, const LabelPairs& labels) {
  auto device = Label(labels, kind.device_label);
  if (device.empty() && kind.kind == EntityKind::kDisk) {
    device = Label(labels, "system_device");
  } else if (device.empty() && kind.kind == EntityKind::kInterface) {
    device = Label(labels, "network_interface_name");
  }
  return device;
}

// An entity as one series shows it, without its further labels.
Entity Named(const EntityKindRow& kind, const LabelPairs& labels, const SourceLabels& source) {
  Entity seen;
  seen.node = source.node.empty() ? Label(labels, "instance") : source.node;
  seen.role = source.role.empty() ? Label(labels, "role") : source.role;
  if (!kind.device_label.empty()) {
    seen.device = DeviceLabel(kind, labels);
    // As the rdma tool names the ports of an InfiniBand device.
    const auto port = Label(labels, "port");
    if (kind.kind == EntityKind::kInterface && !seen.device.empty() && ParseU64(port)) {
      seen.device.append("/").append(port);
    }
  }
  if (!kind.remote_label.empty()) {
    seen.local_address = Label(labels, "local_address");
    seen.local_port = Label(labels, "local_port");
    seen.remote_address = Label(labels, kind.remote_label);
    seen.remote_port = Label(labels, "remote_port");
    seen.side = Label(labels, "side");
  }
  if (kind.is_aggregate && seen.side.empty() && seen.remote_address.empty()) {
    const auto device = Label(labels, "device");
    seen.side = device.empty() ? kWholeNode : kRdmaPort;
    seen.local_address = seen.remote_address =
        device.empty() ? std::string(kWholeNode)
                       : std::string(device).append("/").append(Label(labels, "port"));
  }
  return seen;
}

// The kind of what device mapper has made, by the beginning of its uuid.
std::string_view MapperKind(std::string_view uuid) {
  return uuid.starts_with("mpath-") ? "multipath" : "dm";
}

// From limpet-exporter's series of layers, node_exporter's bonds and what it says of device mapper.
void ReadStack(const LabelPairs& labels, Entity& seen) {
  const auto master = Label(labels, "master");
  const auto uuid = Label(labels, "uuid");
  if (seen.device.empty() && !master.empty()) {
    seen.device = master;
    seen.stack_kind = "bond";
    return;
  }
  const auto kind = Label(labels, "kind");
  seen.stack_kind = kind.empty() && !uuid.empty() ? MapperKind(uuid) : kind;
  if (const auto name = Label(labels, "name"); !uuid.empty() && !name.empty()) {
    seen.labels.emplace(kMapperLabel, std::string(name));
  }
  if (const auto lower = Label(labels, "lower"); !lower.empty()) {
    seen.lowers.emplace_back(lower);
  }
}

// What rules may ask for; a label of the series comes before one of the source.
void AddWanted(const std::vector<std::string>& wanted, const LabelPairs& labels,
               const SourceLabels& source, LabelMap& known) {
  for (const auto& name : wanted) {
    auto value = Label(labels, name);
    for (const auto& [key, of_source] : source.labels) {
      if (value.empty() && key == name) {
        value = of_source;
      }
    }
    if (!value.empty()) {
      known.emplace(name, value);
    }
  }
}

}  // namespace

std::string DiskIdentity(const Entity& disk) {
  if (!disk.wwn.empty()) {
    return "wwn " + disk.wwn;
  }
  return disk.serial.empty() ? "" : "serial " + disk.serial;
}

Directory::Directory(std::vector<Rule> rules, const EntityLimits& limits)
    : rules_(std::move(rules)), limits_(limits) {
  for (const auto& rule : rules_) {
    for (const auto& matcher : rule.Source().labels) {
      if (std::find(wanted_labels_.begin(), wanted_labels_.end(), matcher.name) ==
          wanted_labels_.end()) {
        wanted_labels_.push_back(matcher.name);
      }
    }
  }
}

// No label value holds a NUL byte that matters here: at worst two odd names share an entity's key.
std::string Directory::MakeKey(const Entity& entity) {
  std::string key;
  for (const auto* part : {&entity.node, &entity.device, &entity.local_address, &entity.local_port,
                           &entity.remote_address, &entity.remote_port, &entity.side}) {
    key += *part;
    key += '\0';
  }
  return key;
}

void Directory::Place(EntityKind kind, Entity& entity) {
  std::vector<std::uint32_t> groups;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (IsMember(rules_[i], kind, entity)) {
      groups.push_back(static_cast<std::uint32_t>(i));
    }
  }
  // Whoever has made members from the directory looks again only when the version has changed.
  if (groups != entity.groups) {
    entity.groups = std::move(groups);
    ++version_;
  }
}

std::optional<std::uint32_t> Directory::Resolve(Field field, const LabelPairs& labels,
                                                const SourceLabels& source) {
  const auto& kind = KindRow(field.kind);
  // Facts, system calls and activity are of no peer group, and have no place here.
  if (Index(field.kind) >= kEntityKinds) {
    return std::nullopt;
  }
  auto seen = Named(kind, labels, source);
  if (field.index == kStackField) {
    ReadStack(labels, seen);
  }
  if (!IsWhole(kind, seen)) {
    return std::nullopt;
  }
  AddWanted(wanted_labels_, labels, source, seen.labels);
  if (kind.is_described) {
    for (const auto& [key, value] : source.labels) {
      AddLabel(key, value, seen.labels);
    }
  }
  if (field.index == kInfoField) {
    for (const auto& [key, value] : labels) {
      AddLabel(key, value, seen.labels);
    }
    seen.flash = Label(labels, kRotationalLabel) == "0";
    seen.wwn = Label(labels, "wwn");
    seen.serial = Label(labels, "serial");
    seen.model = Label(labels, "model");
  }
  const auto key = MakeKey(seen);
  const auto& index = index_[Index(field.kind)];
  const auto found = index.find(key);
  if (found == index.end()) {
    return Insert(field.kind, key, std::move(seen));
  }
  auto& known = entities_[Index(field.kind)][found->second];
  if (field.index == kInfoField) {
    ForgetMounts(seen, known.labels);
  }
  Update(field.kind, known, seen);
  RememberHome(field.kind, known);
  return found->second;
}

void Directory::Update(EntityKind kind, Entity& entity, const Entity& seen) {
  // Other series of the disk say nothing of it.
  entity.flash = entity.flash || seen.flash;
  for (const auto part : {&Entity::wwn, &Entity::serial, &Entity::model}) {
    if (!(seen.*part).empty()) {
      entity.*part = seen.*part;
    }
  }
  bool changed = false;
  for (const auto& [name, value] : seen.labels) {
    auto& mine = entity.labels[name];
    changed = changed || mine != value;
    mine = value;
  }
  if (changed) {
    Place(kind, entity);
  }
  UpdateStack(entity, seen);
}

// A lower one that is not told any more stays: what stood on it has no bytes of its own either way.
void Directory::UpdateStack(Entity& entity, const Entity& seen) {
  bool changed = false;
  if (!seen.stack_kind.empty() && entity.stack_kind != seen.stack_kind) {
    entity.stack_kind = seen.stack_kind;
    changed = true;
  }
  for (const auto& lower : seen.lowers) {
    if (entity.lowers.size() < kMaxLowers &&
        std::ranges::find(entity.lowers, lower) == entity.lowers.end()) {
      entity.lowers.push_back(lower);
      changed = true;
    }
  }
  version_ += changed ? 1 : 0;
}

bool Directory::HasRoom(EntityKind kind, const std::string& node) const {
  const auto found = nodes_.find(node);
  const auto population = found == nodes_.end() ? Population() : found->second;
  // Both ends of a connection have names, so their number is no node's own doing.
  const bool is_device = KindRow(kind).remote_label.empty();
  if (population.all >= limits_.per_node ||
      (is_device && population.by_kind[Index(kind)] >= limits_.devices_per_node)) {
    return false;
  }
  const auto nodes = std::max({expected_nodes_, nodes_.size(), std::size_t{1}});
  return count_ < limits_.shared ||
         (count_ < limits_.shared + limits_.reserved && population.all < limits_.reserved / nodes);
}

std::optional<std::uint32_t> Directory::Insert(EntityKind of, std::string key, Entity entity) {
  const auto kind = Index(of);
  Place(of, entity);
  // One that only its labels could bring into a group waits for its info series.
  if (entity.groups.empty() && (KindRow(of).info_series.empty() || wanted_labels_.empty())) {
    return std::nullopt;
  }
  if (!HasRoom(of, entity.node)) {
    ++refused_;
    return std::nullopt;
  }
  entity.live = true;
  ++count_;
  auto& population = nodes_[entity.node];
  ++population.all;
  ++population.by_kind[kind];
  std::uint32_t number = 0;
  // Numbers are places in tables of readings: they are used again, or those would grow for ever.
  if (free_[kind].empty()) {
    number = static_cast<std::uint32_t>(entities_[kind].size());
    entities_[kind].push_back(std::move(entity));
  } else {
    number = free_[kind].back();
    free_[kind].pop_back();
    entities_[kind][number] = std::move(entity);
  }
  index_[kind].emplace(std::move(key), number);
  RememberHome(of, entities_[kind][number]);
  ++version_;
  return number;
}

void Directory::RememberHome(EntityKind kind, const Entity& entity) {
  if (kind != EntityKind::kDisk) {
    return;
  }
  auto identity = DiskIdentity(entity);
  if (identity.empty()) {
    return;
  }
  auto& homes = homes_[entity.node];
  if (homes.size() < limits_.devices_per_node) {
    homes.emplace(std::move(identity), Home(entity));  // the first name stays
  }
}

std::optional<std::string> Directory::FindHome(const Entity& disk) const {
  const auto node = homes_.find(disk.node);
  if (node == homes_.end()) {
    return std::nullopt;
  }
  const auto home = node->second.find(DiskIdentity(disk));
  return home == node->second.end() ? std::nullopt : std::optional(home->second);
}

void Directory::Describe(std::uint32_t disk, const std::string& label, const std::string& value) {
  auto& entity = entities_[Index(EntityKind::kDisk)][disk];
  const auto known = entity.labels.find(label);
  if (value.empty() ? known == entity.labels.end()
                    : known != entity.labels.end() && known->second == value) {
    return;
  }
  if (value.empty()) {
    entity.labels.erase(known);
  } else {
    entity.labels.insert_or_assign(label, value);
  }
  Place(EntityKind::kDisk, entity);
  ++version_;
}

void Directory::Renew(std::uint32_t disk, const std::string& home) {
  auto& entity = entities_[Index(EntityKind::kDisk)][disk];
  entity.labels.clear();  // of the new one its own series tell
  entity.flash = false;
  entity.wwn.clear();
  entity.serial.clear();
  entity.model.clear();
  if (home != entity.device) {
    entity.labels.emplace(kHomeLabel, home);
  }
  Place(EntityKind::kDisk, entity);
  ++version_;
}

std::optional<std::uint32_t> Directory::Restore(EntityKind kind, Entity entity) {
  auto key = MakeKey(entity);
  if (!IsWhole(KindRow(kind), entity) || index_[Index(kind)].contains(key)) {
    return std::nullopt;
  }
  entity.groups.clear();  // the rules may be others than when it was written
  for (const auto& [name, part] :
       {std::pair("serial", &Entity::serial), {"model", &Entity::model}}) {
    if (const auto label = entity.labels.find(name); label != entity.labels.end()) {
      entity.*part = label->second;
    }
  }
  return Insert(kind, std::move(key), std::move(entity));
}

std::optional<std::uint32_t> Directory::Find(EntityKind kind, const Entity& entity) const {
  const auto& index = index_[Index(kind)];
  const auto found = index.find(MakeKey(entity));
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::string_view Directory::FindWwn(std::string_view node, std::string_view device) const {
  constexpr auto kDisks = Index(EntityKind::kDisk);
  Entity wanted;
  wanted.node = node;
  wanted.device = device;
  const auto found = index_[kDisks].find(MakeKey(wanted));
  return found == index_[kDisks].end() ? std::string_view()
                                       : std::string_view(entities_[kDisks][found->second].wwn);
}

void Directory::Forget(EntityKind kind, std::uint32_t entity) {
  const auto at = Index(kind);
  index_[at].erase(MakeKey(entities_[at][entity]));
  const auto node = nodes_.find(entities_[at][entity].node);
  --node->second.by_kind[at];
  if (--node->second.all == 0) {
    homes_.erase(node->first);
    nodes_.erase(node);
  }
  entities_[at][entity] = Entity();
  free_[at].push_back(entity);
  --count_;
  ++version_;
}

}  // namespace limpet
