// directory.h: the entities that series are about, and which peer groups each belongs to.
//
// An entity is one disk, interface, connection or peer of one node, however many sources tell of
// it. Entities are numbered per kind from 0 and stay until Forget; a forgotten number is given out
// again.
//
// Bounds: whoever comes first may take the `shared` places, up to so many a node; of the `reserved`
// ones each node has its equal part, so that none can displace the entities of another.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnoser/mapping/builtin.h"
#include "diagnoser/mapping/rules.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {

// Side and addresses of an entity that stands for all connections of its node.
inline constexpr std::string_view kWholeNode = "node";
// Side of an entity that stands for all that a port does by RDMA; its addresses name the port.
inline constexpr std::string_view kRdmaPort = "rdma";

struct Entity {
  std::string node;
  std::string role;
  // Disks and interfaces, InfiniBand's ports as "mlx5_0/1"; of a host the processor, or empty.
  std::string device;
  LabelMap labels;  // those that some rule asks for; of disks and interfaces also those of the
                    // source and of disk_info
  std::vector<std::uint32_t> groups;  // numbers of the rules that take it
  bool flash = false;                 // disks: disk_info says rotational="0"
  std::string wwn;                    // disks: the same for all servers of a LUN; may be empty
  std::string serial;                 // disks: as disk_info says
  std::string model;
  // Disks and interfaces: what exporters say of the layers (stacks.h); not kept over a restart.
  std::string stack_kind;
  std::vector<std::string> lowers;
  // Connections and peers:
  std::string local_address;
  std::string remote_address;
  std::string local_port;
  std::string remote_port;
  std::string side;   // peers: "server" or "client"
  bool live = false;  // false: the number is free
};

// The label that keeps the name under which a disk first came, where it has another one now. Rules
// go by it: the disk stays in its groups whatever the kernel calls it after a reboot.
inline constexpr std::string_view kHomeLabel = "first_device";
// The label of a disk that rotates ("1") or does not ("0").
inline constexpr std::string_view kRotationalLabel = "rotational";
// Returns what tells a disk from the others of its node, whatever its name: its world-wide name or
// serial number; empty: nothing is known.
[[nodiscard]] std::string DiskIdentity(const Entity& disk);

// Labels of the source a series was read from; empty node and role: take `instance` and `role`.
struct SourceLabels {
  std::string_view node;
  std::string_view role;
  std::span<const std::pair<std::string, std::string>> labels;
};

struct EntityLimits {
  std::size_t shared = 400'000;    // of all nodes and kinds
  std::size_t reserved = 200'000;  // beyond those
  std::size_t per_node = 8'000;    // of all kinds
  // The most devices of one kind with a name of its own (disks, interfaces, processors): comparing
  // the peers of a group takes time with the square of their number.
  std::size_t devices_per_node = 2'000;
};

class Directory {
 public:
  explicit Directory(std::vector<Rule> rules, const EntityLimits& limits = {});
  // Sets how many nodes to reserve places for, at least: those that are configured may come later.
  void ExpectNodes(std::size_t count) { expected_nodes_ = count; }

  // The entity a series is about, created when it is new and some group wants it; nullopt when none
  // does, or when there is no room for it. Labels that changed (disk_info) place it anew.
  [[nodiscard]] std::optional<std::uint32_t> Resolve(Field field, const LabelPairs& labels,
                                                     const SourceLabels& source);

  // An entity that an earlier run knew; its groups are found anew. nullopt when no group wants it,
  // it is known already, or there is no room for it.
  [[nodiscard]] std::optional<std::uint32_t> Restore(EntityKind kind, Entity entity);
  // The number of the entity with the same node, device and addresses.
  [[nodiscard]] std::optional<std::uint32_t> Find(EntityKind kind, const Entity& entity) const;

  [[nodiscard]] const std::vector<Rule>& Rules() const { return rules_; }
  [[nodiscard]] std::span<const Entity> Entities(EntityKind kind) const {
    return entities_[Index(kind)];
  }
  // The name under which the node's disk with this identity first came.
  [[nodiscard]] std::optional<std::string> FindHome(const Entity& disk) const;
  // Another disk has the name of a known one, which rules shall call `home` from now on; forgets
  // what was known of it.
  void Renew(std::uint32_t disk, const std::string& home);
  // Sets what was found out of a disk; an empty value: nothing any more.
  void Describe(std::uint32_t disk, const std::string& label, const std::string& value);
  // The world-wide name of a disk, from its disk_info; empty when it is not known.
  [[nodiscard]] std::string_view FindWwn(std::string_view node, std::string_view device) const;
  [[nodiscard]] std::size_t Count() const { return count_; }  // live entities of all kinds
  // Returns how many Resolve and Restore have refused so far for want of room.
  [[nodiscard]] std::uint64_t Refused() const { return refused_; }
  // Grows with every change of membership, so that others can tell when to look again.
  [[nodiscard]] std::uint64_t Version() const { return version_; }
  void Forget(EntityKind kind, std::uint32_t entity);

 private:
  // Live entities of one node.
  struct Population {
    std::size_t all = 0;
    std::array<std::size_t, kEntityKinds> by_kind{};
  };

  [[nodiscard]] bool HasRoom(EntityKind kind, const std::string& node) const;
  void Place(EntityKind kind, Entity& entity);
  // Updates it from what another series says about it.
  void Update(EntityKind kind, Entity& entity, const Entity& seen);
  void UpdateStack(Entity& entity, const Entity& seen);
  // nullopt when no group wants it or there is no room.
  [[nodiscard]] std::optional<std::uint32_t> Insert(EntityKind kind, std::string key,
                                                    Entity entity);
  [[nodiscard]] static std::string MakeKey(const Entity& entity);
  void RememberHome(EntityKind kind, const Entity& entity);

  std::vector<Rule> rules_;
  EntityLimits limits_;
  std::vector<std::string> wanted_labels_;
  std::array<std::vector<Entity>, kEntityKinds> entities_;
  std::array<std::unordered_map<std::string, std::uint32_t>, kEntityKinds> index_;
  std::array<std::vector<std::uint32_t>, kEntityKinds> free_;
  std::map<std::string, Population> nodes_;  // those with live entities
  // Homes of their disks: identity → home. At most as many a node as it may have disks.
  std::map<std::string, std::map<std::string, std::string>> homes_;
  std::size_t expected_nodes_ = 0;
  std::size_t count_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace limpet
