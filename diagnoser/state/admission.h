// admission.h: how many components a state file may bring, of one node and in all.
//
// Roughly the bounds of the directory, which decides in the end: the file of a program that had
// none must not fill the memory before. Threads: one at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "diagnoser/evidence/config.h"

namespace limpet {

class Admission {
 public:
  explicit Admission(const PipelineLimits& limits) : limits_(limits) {}

  // Returns whether there is room for one more, "node/device" or a node; if so, it is counted.
  [[nodiscard]] bool Admit(std::string_view component) {
    auto& of_node = nodes_[std::string(component.substr(0, component.find('/')))];
    if (of_node >= limits_.max_components_per_node ||
        total_ >= limits_.max_components + limits_.reserved_components) {
      return false;
    }
    ++of_node;
    ++total_;
    return true;
  }

 private:
  PipelineLimits limits_;
  std::map<std::string, std::size_t> nodes_;
  std::size_t total_ = 0;
};

}  // namespace limpet
