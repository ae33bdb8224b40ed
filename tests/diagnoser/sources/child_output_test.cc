#include "diagnoser/sources/child_output.h"

#include <gmock/gmock.h>

namespace limpet::child_output_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

ChildCommand Shell(const std::string& script) {
  return {.arguments = {"sh", "-c", script},
          .package = "dash",
          .subject = "x.sa",
          .environment = {"PATH=/bin:/usr/bin", "WORD=said"}};
}

// All of it, or the error's text.
std::string ReadAll(ByteSource& source) {
  std::string all;
  while (true) {
    const auto bytes = source.Read();
    if (!bytes) {
      return bytes.error().Text();
    }
    if (bytes->empty()) {
      return all;
    }
    all += *bytes;
  }
}

TEST(ChildOutput, IsWhatTheProgramPrints) {
  const auto source = RunChild(Shell("echo $WORD; echo ignored >&2"));
  EXPECT_EQ(ReadAll(*source), "said\n");
  EXPECT_EQ(ReadAll(*source), "");
  EXPECT_TRUE(source->Rewind());
  EXPECT_EQ(ReadAll(*source), "said\n");
}

TEST(ChildOutput, SaysHowTheProgramFailed) {
  EXPECT_EQ(ReadAll(*RunChild(Shell("echo 'no such day' >&2; exit 3"))),
            "x.sa: sh ended with exit code 3: no such day");
  auto missing = Shell("");
  missing.arguments = {"limpet-no-such-program"};
  EXPECT_EQ(ReadAll(*RunChild(missing)),
            "x.sa: limpet-no-such-program is missing; install the package dash");
}

TEST(ChildOutput, IsNotWaitedForWithoutEnd) {
  auto command = Shell("sleep 100");
  command.patience = 20ms;
  EXPECT_THAT(ReadAll(*RunChild(command)), HasSubstr("printed nothing for too long"));
  command = Shell("while :; do echo x; done");
  command.max_bytes = 100;
  EXPECT_THAT(ReadAll(*RunChild(command)), HasSubstr("printed more than expected"));
}

TEST(ChildOutput, ManyComplaintsHoldUpNobody) {
  const auto source = RunChild(Shell("head -c 300000 /dev/zero >&2; echo done"));
  EXPECT_EQ(ReadAll(*source), "done\n");
}

}  // namespace
}  // namespace limpet::child_output_test
