// kernel_arrays.h: BPF programs that a test plays itself: it writes what the kernel would count.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/bpf/programs.h"

namespace limpet::testing {

class KernelArrays {
 public:
  explicit KernelArrays(bpf::Request request) : programs_(std::make_shared<bpf::Programs>()) {
    programs_->request = std::move(request);
  }

  template <class Element>
  void Add(const std::string& name, std::size_t elements) {
    programs_->arrays.push_back(
        {name, bpf::MappedArray::Of(std::vector<std::byte>(elements * sizeof(Element)))});
  }
  // For writing, as the kernel does while others read.
  template <class Element>
  [[nodiscard]] Element& At(std::string_view name, std::size_t index) {
    return const_cast<Element&>(programs_->Array<Element>(name)[index]);  // NOLINT: of our own
  }
  [[nodiscard]] bpf::ProgramsPtr Programs() const { return programs_; }

 private:
  std::shared_ptr<bpf::Programs> programs_;
};

}  // namespace limpet::testing
