// node_names.h: from what a storage calls a machine to what the diagnosis calls it.
//
// Threads: values.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace limpet {

class NodeNames {
 public:
  // A node that targets or components have.
  void Add(std::string_view node);
  // Another name of a node, such as an address of it.
  void AddAlias(std::string_view name, std::string_view node);
  // The known node that `name` stands for: itself, or the only one with the same first part before
  // a dot or a port ("io04" for "io04.cluster:9100"). No such node: `name` without its port.
  [[nodiscard]] std::string Find(std::string_view name) const;
  // The node that has this address or other name; anything else as it is.
  [[nodiscard]] std::string CallAddress(std::string_view name) const;

 private:
  std::set<std::string, std::less<>> all_;
  std::map<std::string, std::string, std::less<>> aliases_;
  std::map<std::string, std::string, std::less<>> by_first_;  // empty: several have it
};

}  // namespace limpet
