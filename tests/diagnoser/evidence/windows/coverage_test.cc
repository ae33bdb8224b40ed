#include "diagnoser/evidence/windows/coverage.h"

#include <gmock/gmock.h>

namespace limpet::coverage_test {
namespace {

using ::testing::IsEmpty;
using namespace std::chrono_literals;

UnixTime At(int seconds) { return UnixTime(std::chrono::seconds(seconds)); }

struct Windows {
  void Close(int end, bool a, bool b, bool resume = false, std::size_t remembered = 0) {
    coverage.Record(At(end), 10s,
                    {{.node = &kA, .compared = a, .remembered = remembered},
                     {.node = &kB, .compared = b, .remembered = remembered}},
                    resume);
  }
  [[nodiscard]] std::size_t Of(const std::string& node) const {
    return coverage.Servers().at(node).windows;
  }

  const std::string kA = "a";
  const std::string kB = "b";
  Coverage coverage;
};

TEST(Coverage, CountsTheWindowsInARowThatComparedAServer) {
  Windows windows;
  windows.Close(10, true, false);
  EXPECT_EQ(windows.Of("a"), 1U);
  EXPECT_EQ(windows.Of("b"), 0U);
  EXPECT_FALSE(windows.coverage.Servers().at("b").compared);
  windows.Close(20, true, true);
  EXPECT_EQ(windows.Of("a"), 2U);
  EXPECT_EQ(windows.coverage.Servers().at("a").compared, At(20));
}

TEST(Coverage, OneLostWindowBreaksNoRowTwoDo) {
  Windows windows;
  windows.Close(10, true, true);
  windows.Close(20, true, false);
  windows.Close(30, true, true);
  EXPECT_EQ(windows.Of("b"), 2U);
  windows.Close(40, true, false);
  windows.Close(50, true, false);
  windows.Close(60, true, true);
  EXPECT_EQ(windows.Of("b"), 1U);
}

TEST(Coverage, SeveralComponentsOfAServerAreOneWindow) {
  const std::string node = "a";
  Coverage coverage;
  coverage.Record(At(10), 10s, {{.node = &node}, {.node = &node, .compared = true}}, false);
  coverage.Record(At(10), 10s, {{.node = &node, .compared = true}}, false);
  EXPECT_EQ(coverage.Servers().at("a").windows, 1U);
}

TEST(Coverage, AfterARestartTheFiltersTellHowManyThereWere) {
  Windows windows;
  windows.Close(10, true, true, true, 3);
  EXPECT_EQ(windows.Of("a"), 3U);
  windows.Close(20, true, true);
  EXPECT_EQ(windows.Of("a"), 4U);
}

TEST(Coverage, WhoHasNoMemberIsForgotten) {
  Windows windows;
  windows.Close(10, true, true);
  windows.coverage.Record(At(20), 10s, {}, false);
  EXPECT_THAT(windows.coverage.Servers(), IsEmpty());
}

}  // namespace
}  // namespace limpet::coverage_test
