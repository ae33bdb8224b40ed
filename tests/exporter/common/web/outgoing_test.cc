#include "exporter/common/web/outgoing.h"

namespace limpet::web {
namespace {

using ::testing::ElementsAre;

const auto kBody = std::make_shared<const std::string>("0123456789");

TEST(Outgoing, HeadThenBodyFromWhereItLies) {
  Outgoing out("head", kBody);
  EXPECT_THAT(out.Pieces(), ElementsAre("head", "0123456789"));
  EXPECT_EQ(out.Pieces()[1].data(), kBody->data());
}

TEST(Outgoing, GoesOnWhereItWasCutOff) {
  Outgoing out("head", kBody);
  out.Sent(3);
  EXPECT_THAT(out.Pieces(), ElementsAre("d", "0123456789"));
  out.Sent(3);
  EXPECT_THAT(out.Pieces(), ElementsAre("", "23456789"));
  EXPECT_FALSE(out.IsDone());
  out.Sent(8);
  EXPECT_TRUE(out.IsDone());
}

TEST(Outgoing, MaySendTheStartOfTheBodyWithTheHead) {
  Outgoing out("head", kBody, 4);
  EXPECT_THAT(out.Pieces(), ElementsAre("head0123", "456789"));
  Outgoing all("head", kBody, 100);
  EXPECT_THAT(all.Pieces(), ElementsAre("head0123456789", ""));
}

TEST(Outgoing, MayHaveNoBody) {
  Outgoing out("head", nullptr, 4);
  EXPECT_THAT(out.Pieces(), ElementsAre("head", ""));
  out.Sent(4);
  EXPECT_TRUE(out.IsDone());
  EXPECT_TRUE(Outgoing().IsDone());
}

}  // namespace
}  // namespace limpet::web
