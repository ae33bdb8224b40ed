// One run of each kind on ten servers against the recorded rates (scripts/evidence simulated-10
// writes them).
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/accuracy/matrix.h"
#include "tests/accuracy/report.h"

namespace limpet::accuracy::quick_test {
namespace {

using ::testing::IsEmpty;

TEST(Accuracy, OfTheUntrainedDefaultIsAtLeastTheRecordedOne) {
  const MatrixSpec spec{.servers = {10}, .seeds = 1, .trained = {}, .like = {}};
  const auto runs = RunMatrix(spec, [](const std::string&, std::size_t, std::size_t) {});
  ASSERT_EQ(runs.size(), 35U);
  for (const auto& run : runs) {
    if (!run.key.fault) {
      EXPECT_THAT(run.indictments, IsEmpty()) << Describe(run.key);
    }
  }
  std::ostringstream recorded;
  recorded << std::ifstream("tests/accuracy/recorded.csv").rdbuf();
  EXPECT_THAT(WorseThan(recorded.str(), runs, PresetNames(spec).front()), IsEmpty());
}

}  // namespace
}  // namespace limpet::accuracy::quick_test
