#include "diagnoser/detect/syscalls/training_text.h"

#include <gmock/gmock.h>

namespace limpet::training_text_test {
namespace {

using ::testing::HasSubstr;

SyscallTraining Example() {
  SyscallTraining training;
  training.errors["io"] = {"EDQUOT", "unknown:525"};
  auto& dread = training.service["io"][static_cast<std::size_t>(ServiceMetric::kDiskRead)];
  dread.deviations = {{"io01", 0.00123456789}, {"io 02: odd", 0}};
  dread.saturated = {"io01"};
  training.service[""][static_cast<std::size_t>(ServiceMetric::kClientRead)].deviations = {
      {"io01", 1.5}};
  return training;
}

TEST(SyscallTrainingText, ReadsBackAsItWas) {
  const auto text = SyscallTrainingText(Example());
  const auto read = ParseSyscallTraining("version: 1\npreset: x\n" + text, "t.yml");
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_EQ(*read, Example());
}

TEST(SyscallTrainingText, NothingLearnedIsNoText) {
  EXPECT_EQ(SyscallTrainingText({}), "");
  const auto read = ParseSyscallTraining("version: 1\npreset: x\n", "t.yml");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->Empty());
}

TEST(SyscallTrainingText, MistakesAreToldWithTheirPlace) {
  const auto read = ParseSyscallTraining(
      "syscalls:\n  - role: io\n    dread: {deviations: {a: -1}}\n    dreat: {}\n", "t.yml");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().Text(), HasSubstr("t.yml:3: syscalls[0].dread.deviations"));
  EXPECT_THAT(read.error().Text(), HasSubstr("dreat"));
}

}  // namespace
}  // namespace limpet::training_text_test
