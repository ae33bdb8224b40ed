// members.h: the components of each peer group, by name, and the entities each is made of.
//
// A server has those of its interfaces and disks that touch hardware (stacks.h), so that bytes that
// pass through several layers are added up once.
// Threads: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/mapping/directory.h"

namespace limpet {

struct Member {
  std::string name;  // "node/device" or "node"
  std::string node;
  std::string device;                   // empty for servers
  std::vector<std::uint32_t> entities;  // disk: one; server: its interfaces
  bool flash = false;
  bool rotates = false;  // disks: the exporter says so; neither: nobody tells
  // Server: the disks of it that are in a storage group, for byte balances.
  std::vector<std::uint32_t> disks;
  // Those of `entities` and of `disks`, in their order, those whose names do not say that they are
  // hardware, and may be a layer over others of them (series/repeats.h).
  std::vector<std::uint32_t> doubtful;
  std::vector<std::uint32_t> doubtful_disks;
};

struct GroupMembers {
  std::vector<Member> members;  // by name
  std::size_t masked = 0;
};

// Members of rule number `group`, storage or network. `masked` holds "node" and "node/device";
// `only`: no other entities than these, in order (those of one kind of disks).
[[nodiscard]] GroupMembers FindMembers(
    const Directory& directory, std::uint32_t group, const std::vector<std::string>& masked,
    const std::optional<std::vector<std::uint32_t>>& only = std::nullopt);

// Returns of the disks or interfaces of one server those whose bytes count, in the same order.
[[nodiscard]] std::vector<std::uint32_t> FindCounted(const Directory& directory, EntityKind kind,
                                                     const std::vector<std::uint32_t>& numbers);
// The same for all that are in some group, by number: whether its bytes count.
[[nodiscard]] std::vector<bool> FindAllCounted(const Directory& directory, EntityKind kind);

// Returns whether an entity is the server's or the client's end of connections to the rule's ports.
// An aggregate says so itself.
[[nodiscard]] bool IsServerEnd(const Rule& rule, EntityKind kind, const Entity& entity);
[[nodiscard]] bool IsClientEnd(const Rule& rule, EntityKind kind, const Entity& entity);

}  // namespace limpet
