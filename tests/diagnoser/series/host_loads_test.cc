#include "diagnoser/series/host_loads.h"

#include <gtest/gtest.h>

#include <vector>

namespace limpet::host_loads_test {
namespace {

UnixTime At(int second) { return UnixFromSeconds(1'700'000'000 + second); }

class HostLoadsTest : public ::testing::Test {
 protected:
  // A page: the idle seconds of each processor.
  void Page(int second, const std::vector<double>& idle) {
    for (const double seconds : idle) {
      loads_.AddIdle(node_, At(second), seconds);
    }
  }
  HostLoad Load() { return loads_.Latest().at("io1"); }

  HostLoads loads_;
  std::uint32_t node_ = loads_.Number("io1").value();
};

TEST_F(HostLoadsTest, IsTheShareOfTimeThatProcessorsWereNotIdle) {
  Page(0, {100, 200});
  Page(10, {109, 206});
  Page(20, {119, 216});
  EXPECT_DOUBLE_EQ(Load().cpu, 0.25);
  Page(30, {119, 216});
  EXPECT_DOUBLE_EQ(Load().cpu, 0) << "the page before is the newest whole one";
  Page(40, {119, 216});
  EXPECT_DOUBLE_EQ(Load().cpu, 1);
}

TEST_F(HostLoadsTest, NothingIsKnownOfOnePage) {
  Page(0, {100, 200});
  Page(10, {109, 206});
  EXPECT_TRUE(loads_.Latest().empty());
}

TEST_F(HostLoadsTest, ABootAndAnotherNumberOfProcessorsAreHoles) {
  Page(0, {100, 200});
  Page(10, {109, 206});
  Page(20, {1, 2});
  Page(30, {9, 10});
  EXPECT_TRUE(loads_.Latest().empty()) << "booted";
  Page(40, {19, 20, 50});
  EXPECT_DOUBLE_EQ(Load().cpu, 0.2);
  Page(50, {29, 30, 60});
  EXPECT_TRUE(loads_.Latest().empty()) << "a processor more";
}

TEST_F(HostLoadsTest, MoreIdleThanTimeIsNotLessThanNothing) {
  Page(0, {100});
  Page(10, {111});
  Page(20, {112});
  EXPECT_DOUBLE_EQ(Load().cpu, 0);
}

TEST_F(HostLoadsTest, LateReadingsAreLeftOut) {
  loads_.AddLoad(node_, At(10), 3.5);
  loads_.AddLoad(node_, At(5), 9);
  EXPECT_DOUBLE_EQ(Load().load1, 3.5);
  Page(20, {100});
  Page(10, {1});
  Page(30, {105});
  Page(40, {105});
  EXPECT_DOUBLE_EQ(Load().cpu, 0.5);
  EXPECT_EQ(Load().at, At(40));
}

TEST_F(HostLoadsTest, AForgottenNodeSaysNothingAndKeepsItsNumber) {
  loads_.AddLoad(node_, At(10), 3.5);
  loads_.Forget("io1");
  loads_.Forget("nobody");
  EXPECT_TRUE(loads_.Latest().empty());
  EXPECT_EQ(loads_.Number("io1"), node_);
}

}  // namespace
}  // namespace limpet::host_loads_test
