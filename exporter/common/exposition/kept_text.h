// kept_text.h: the lines of families that many pages show unchanged, printed once.
//
// A series that is read once a minute and scraped once a second is printed and copied sixty times
// from memory that has left the processor's caches meanwhile; its text is one block.
// Bound:   what no page keeps any more goes when the next family is printed.
// Threads: all functions may be called from any thread.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "exporter/common/exposition/format.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

// Text that each page prints alike of a row of the catalogue.
struct FamilyHeads {
  struct Line {
    std::string bare;  // of a line without labels
    std::string head;  // what stands before the labels
  };
  std::string description;    // HELP, TYPE and UNIT lines
  std::array<Line, 4> lines;  // by SamplePart
};

class KeptText {
 public:
  using Text = std::shared_ptr<const std::string>;

  // Returns what `print` returns for these samples; it is called the first time only.
  [[nodiscard]] Text Get(const std::shared_ptr<const Samples>& kept, Format format,
                         bool is_described, const std::function<std::string()>& print);

  // Returns what `make` returns for each row of `families`; it is called the first time only. The
  // heads live as long as this object, and so must the rows.
  [[nodiscard]] std::vector<const FamilyHeads*> Heads(
      std::span<const Family* const> families, Format format,
      const std::function<FamilyHeads(const MetricInfo&)>& make);

 private:
  struct Entry {
    std::weak_ptr<const Samples> samples;
    Text text;
  };
  // While samples live, no others have their address; when they are gone, so is their entry's use.
  using Key = std::tuple<const Samples*, Format, bool>;

  std::mutex mutex_;
  std::map<Key, Entry> entries_;
  std::array<std::unordered_map<const MetricInfo*, FamilyHeads>, 2> heads_;  // by format
};

}  // namespace limpet
