#include "diagnoser/runtime/live_stream.h"

#include <gmock/gmock.h>

#include "tests/support/live_cluster.h"

namespace limpet::live_stream_test {
namespace {

using ::testing::HasSubstr;
using testing::LiveCluster;

class StreamOfFive : public ::testing::Test {
 protected:
  StreamOfFive() { cluster_.Steps(3, 10); }
  [[nodiscard]] web::Response Ask(std::uint64_t client, const std::string& method = "GET") {
    return handler_({.method = method, .path = "/api/v1/stream", .client = client});
  }

  LiveCluster cluster_;
  Viewers viewers_;
  web::Handler handler_ =
      StreamHandler({.latest = [this] { return cluster_.View(); }, .viewers = &viewers_});
};

TEST_F(StreamOfFive, GivesFramesAndCountsThem) {
  const auto response = Ask(1);
  EXPECT_EQ(response.content_type, "text/event-stream");
  ASSERT_TRUE(response.stream);
  EXPECT_THAT(*response.stream->Next(SteadyTime(std::chrono::hours(1))).bytes,
              HasSubstr("\"base\":true"));
  EXPECT_EQ(viewers_.frames, 1U);
  EXPECT_EQ(viewers_.watching, 1U);
}

TEST_F(StreamOfFive, OfPlacesOnTheScreenItHasTheirRowsAlone) {
  const auto version = std::to_string(cluster_.View()->cluster->version);
  const auto rows = [&](const std::string& places) {
    const auto response = handler_({.method = "GET",
                                    .path = "/api/v1/stream",
                                    .query = "columns=up&places=" + places,
                                    .client = 1});
    const auto text = *response.stream->Next(SteadyTime(std::chrono::hours(1))).bytes;
    return text.substr(text.find("\"rows\""));
  };
  EXPECT_THAT(rows(version + ":1-2,4"), HasSubstr("[[1,null],[2,null],[4,null]]"));
  EXPECT_THAT(rows("99:1"), HasSubstr("[[0,null],[1,null],[2,null],[3,null],[4,null]]"));
  const auto refused =
      handler_({.method = "GET", .path = "/api/v1/stream", .query = "places=1", .client = 1});
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(*refused.body, HasSubstr("expected places"));
}

TEST_F(StreamOfFive, HeadTakesNoPlace) {
  EXPECT_FALSE(Ask(1, "HEAD").stream);
  EXPECT_EQ(viewers_.watching, 0U);
}

TEST_F(StreamOfFive, OneAddressHasHalfOfThePlacesAndAllTogetherNoMoreThanThereAre) {
  std::vector<web::Response> held;
  for (std::size_t i = 0; i < Viewers::kMaxPerClient; ++i) {
    held.push_back(Ask(1));
    EXPECT_TRUE(held.back().stream);
  }
  const auto refused = Ask(1);
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(*refused.body, HasSubstr("too_many_viewers"));
  for (std::uint64_t client = 2; held.size() < Viewers::kMax; ++client) {
    held.push_back(Ask(client));
    EXPECT_TRUE(held.back().stream);
  }
  EXPECT_EQ(Ask(999).status, 503);
  EXPECT_EQ(viewers_.refused, 2U);
  held.clear();
  EXPECT_EQ(viewers_.watching, 0U);
  EXPECT_TRUE(Ask(1).stream);
}

}  // namespace
}  // namespace limpet::live_stream_test
