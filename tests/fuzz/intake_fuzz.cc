// The same pages through an intake that predicts each line from the page before and through one
// that parses every line: both must read the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "diagnoser/intake/intake.h"
#include "tests/fuzz/number_mutator.h"

namespace {

using namespace limpet;

struct Side {
  explicit Side(LineReading reading)
      : directory({*Rule::Compile({.name = "disks"}),
                   *Rule::Compile({.name = "lan", .kind = GroupKind::kNetwork, .roles = {"r"}}),
                   *Rule::Compile({.name = "tcp", .kind = GroupKind::kCwnd, .ports = {1}})}),
        readings({GridSpec{.capacity = 16}}),
        intake({.max_series = 50}, reading) {}

  Directory directory;
  Readings readings;
  Intake intake;
  PipelineCounters counters;
};

void Expect(bool good) {
  if (!good) {
    std::abort();
  }
}

bool SameBits(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

void Compare(const Side& a, const Side& b) {
  Expect(a.counters.samples == b.counters.samples && a.counters.mapped == b.counters.mapped);
  Expect(a.counters.late == b.counters.late && a.counters.refused == b.counters.refused);
  Expect(a.counters.resets == b.counters.resets && a.counters.gaps == b.counters.gaps);
  Expect(a.counters.series == b.counters.series);
  Expect(a.counters.components == b.counters.components);
  for (const auto kind : {EntityKind::kDisk, EntityKind::kInterface}) {
    const auto count = a.directory.Entities(kind).size();
    Expect(count == b.directory.Entities(kind).size());
    for (std::uint32_t entity = 0; entity < count; ++entity) {
      Expect(a.readings.Last(kind, entity) == b.readings.Last(kind, entity));
      const auto mine = a.readings.Tracks(kind, entity);
      const auto theirs = b.readings.Tracks(kind, entity);
      Expect(mine.size() == theirs.size());
      const auto last = a.readings.Last(kind, entity);
      for (std::size_t counter = 0; last && counter < mine.size(); ++counter) {
        const auto bin = BinAt(*last, std::chrono::seconds(1));
        for (std::int64_t back = 0; back < 16; ++back) {
          Expect(SameBits(mine[counter].Column(0).At(bin - back),
                          theirs[counter].Column(0).At(bin - back)));
        }
      }
    }
  }
}

// In the input "%" ends a page. Its first byte says what the pages are; odd ones come twice.
void Play(std::string_view input) {
  if (input.empty()) {
    return;
  }
  const auto options = static_cast<unsigned char>(input[0]);
  input.remove_prefix(1);
  Side plain(LineReading::kPlain);
  Side predicted(LineReading::kPredicted);
  auto now = UnixFromSeconds(1'700'000'000);
  for (std::size_t page = 0; !input.empty() && page < 50; ++page) {
    const auto end = input.find('%');
    const auto text = input.substr(0, end);
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
    for (std::size_t again = 0; again < 1 + page % 2; ++again) {
      const limpet::Scrape scrape{
          .source = "n",
          .node = (options & 1U) != 0 ? "n" : "",
          .role = (options & 2U) != 0 ? "r" : "",
          .labels = {},
          .at = now,
          .format = (options & 4U) != 0 ? Format::kOpenMetrics : Format::kText,
          .recording = (options & 8U) != 0,
          .text = text};
      const auto a =
          plain.intake.Ingest(scrape, {}, plain.directory, plain.readings, plain.counters);
      const auto b = predicted.intake.Ingest(scrape, {}, predicted.directory, predicted.readings,
                                             predicted.counters);
      Expect(a.has_value() == b.has_value());
      if (a) {
        Expect(a->samples == b->samples && a->mapped == b->mapped && a->late == b->late);
        Expect(a->bad_lines == b->bad_lines && a->refused == b->refused);
        Expect(a->first == b->first && a->last == b->last);
      } else {
        Expect(a.error().Text() == b.error().Text());
      }
      Compare(plain, predicted);
      now += std::chrono::milliseconds(1001);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Play({reinterpret_cast<const char*>(data), size});
  return 0;
}
