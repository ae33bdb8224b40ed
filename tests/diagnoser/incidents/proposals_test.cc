#include "diagnoser/incidents/proposals.h"

#include <gmock/gmock.h>

namespace limpet::proposals_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

LabelledIncident Alarm(double await) { return {.differences = {{"await", await}}}; }
LabelledIncident Fault(double await) { return {.fault = true, .differences = {{"await", await}}}; }

TEST(Proposals, TheLowestFloorOverTheFalseAlarmsThatKeepsAllFaults) {
  const std::vector<LabelledIncident> site = {Alarm(5.5), Alarm(7.9), Alarm(40), Fault(31),
                                              Fault(80)};
  EXPECT_THAT(ProposeFloors(site), ElementsAre(FloorProposal{"await", 8, 2, 3, 2}));
}

TEST(Proposals, NoneWhereAFaultLooksLikeTheFalseAlarm) {
  EXPECT_THAT(ProposeFloors(std::vector{Alarm(9), Fault(8)}), IsEmpty());
  EXPECT_THAT(ProposeFloors({}), IsEmpty());
}

TEST(Proposals, OtherEvidenceKeepsAnIncident) {
  auto lossy = Alarm(6);
  lossy.other_evidence = true;
  LabelledIncident two = {.differences = {{"await", 6}, {"svctm", 6}}};
  EXPECT_THAT(ProposeFloors(std::vector{lossy, two}), IsEmpty());
}

TEST(Proposals, AFloorIsOverTheDifferenceThatItHides) {
  EXPECT_EQ(ProposeFloors(std::vector{Alarm(8)}).front().floor, 8.1);
  EXPECT_EQ(ProposeFloors(std::vector{Alarm(1'048'576)}).front().floor, 1'100'000);
  EXPECT_THAT(ProposeFloors(std::vector{Alarm(0)}), IsEmpty());
}

}  // namespace
}  // namespace limpet::proposals_test
