#include "diagnoser/federation/federated_viewer.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/federation/answers_said.h"

namespace limpet::federated_viewer_test {
namespace {

using namespace std::chrono_literals;

class FederatedViewerTest : public testing::Test {
 protected:
  std::string Next() {
    now_ += 1s;
    const auto text = viewer_.Next(now_, texts_).text;
    return text ? *text : "";
  }
  void Merge(UnixTime now) { view_ = merger_.Merge(states_, now); }

  Merger merger_{"0.1.0"};
  std::vector<MemberState> states_ = {StateOf("north")};
  std::shared_ptr<const MergedView> view_ = merger_.Merge(states_, UnixFromSeconds(1001));
  FrameTexts texts_;
  FederatedViewer viewer_{{.filter = {.columns = *ParseColumns(""), .groups = {}}},
                          [this] { return view_; }};
  SteadyTime now_{};
};

TEST_F(FederatedViewerTest, AWholeFrameThenWhatChanged) {
  EXPECT_NE(Next().find("\"base\":true"), std::string::npos);
  EXPECT_EQ(Next(), "");
  Merge(UnixFromSeconds(1002));
  EXPECT_NE(Next().find("\"base\":false,\"rows\":[]"), std::string::npos);
}

TEST_F(FederatedViewerTest, NewNodesAreToldBeforeTheirFrame) {
  (void)Next();
  ASSERT_TRUE(TakeCluster(ClusterSaid("io01 io03", 8), states_[0]));
  Merge(UnixFromSeconds(1002));
  const auto text = Next();
  EXPECT_LT(text.find("event: cluster"), text.find("\"base\":true"));
}

TEST_F(FederatedViewerTest, AVerdictThatChangesIsSent) {
  EXPECT_EQ(Next().find("event: verdict"), std::string::npos);  // what stands is read beside
  ASSERT_TRUE(TakeVerdicts(VerdictsSaid(950), states_[0]));
  Merge(UnixFromSeconds(1002));
  EXPECT_NE(Next().find("event: verdict"), std::string::npos);
}

}  // namespace
}  // namespace limpet::federated_viewer_test
