// huge_array.h: a large scratch array, not initialised, in huge pages where the kernel has them.
//
// 42 MB of distances are 10,000 page faults, a quarter of the time it takes to fill them; in pages
// of 2 MiB they are 20.
// Threads: a value.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace limpet {

template <class T>
class HugeArray {
  static_assert(std::is_trivial_v<T>);

 public:
  // Throws std::bad_alloc.
  explicit HugeArray(std::size_t size) {
    constexpr std::size_t kPage = std::size_t{2} << 20U;
    const std::size_t bytes = (size * sizeof(T) + kPage - 1) / kPage * kPage;
    data_.reset(static_cast<T*>(std::aligned_alloc(kPage, bytes)));
    if (!data_) {
      throw std::bad_alloc();
    }
    madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish: small pages do as well
  }
  [[nodiscard]] T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace limpet
