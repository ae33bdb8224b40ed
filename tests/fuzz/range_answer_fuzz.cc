// Any text as a store's answer: pages that the parser takes, or a reason; never a crash.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "diagnoser/sources/store_pages.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace std::chrono_literals;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto first = limpet::UnixFromSeconds(1'700'000'000);
  (void)limpet::ReadReason(text);
  auto answer = limpet::ParseRangeAnswer(text, first, first + 60s, 15s,
                                         {.max_series = 100, .max_points = 1000, .max_labels = 8});
  if (!answer) {
    return answer.error().Text().empty() ? (std::abort(), 0) : 0;
  }
  limpet::StorePages pages({});
  for (const auto& page : pages
                              .Make({{limpet::StoreQuery::Kind::kScraped, *answer},
                                     {limpet::StoreQuery::Kind::kReadings, *answer}},
                                    first + 60s)
                              .pages) {
    if (page.target.node.empty() || page.target.node.find('/') != std::string::npos) {
      std::abort();
    }
  }
  return 0;
}
