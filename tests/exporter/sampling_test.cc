#include "tests/exporter/running_command.h"

namespace limpet::sampling_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class OnceTest : public testing::RunningCommand {};

TEST_F(OnceTest, PrintsASampleWithItsGauges) {
  const auto config = folder_.Write("e.yml", "sampling: {interval: 100ms}\n");
  EXPECT_EQ(Run({"once", "--config", config}), kExitOk);
  // A machine that stands still misses some.
  EXPECT_THAT(printed_, HasSubstr("limpet_sampler_ticks_missed_total "));
  EXPECT_THAT(printed_, HasSubstr("limpet_load1 "));
}

TEST_F(OnceTest, SwitchedOffCollectorsPrintNothing) {
  const auto config =
      folder_.Write("e.yml", "sampling: {interval: 100ms}\ncollectors: {host: {enabled: false}}\n");
  EXPECT_EQ(Run({"once", "--config", config}), kExitOk);
  EXPECT_THAT(printed_, HasSubstr("limpet_sampler_ticks_missed_total "));
  EXPECT_THAT(printed_, Not(HasSubstr("limpet_load1 ")));
}

}  // namespace
}  // namespace limpet::sampling_test
