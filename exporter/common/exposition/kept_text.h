// kept_text.h: the lines of families that many pages show unchanged, printed once.
//
// A series that is read once a minute and scraped once a second is printed and copied sixty times
// from memory that has left the processor's caches meanwhile; its text is one block.
// Bound:   what no page keeps any more goes when the next family is printed.
// Threads: all functions may be called from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "exporter/common/exposition/format.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

class KeptText {
 public:
  using Text = std::shared_ptr<const std::string>;

  // Returns what `print` returns for these samples; it is called the first time only.
  [[nodiscard]] Text Get(const std::shared_ptr<const Samples>& kept, Format format,
                         bool is_described, const std::function<std::string()>& print);

 private:
  struct Entry {
    std::weak_ptr<const Samples> samples;
    Text text;
  };
  // While samples live, no others have their address; when they are gone, so is their entry's use.
  using Key = std::tuple<const Samples*, Format, bool>;

  std::mutex mutex_;
  std::map<Key, Entry> entries_;
};

}  // namespace limpet
