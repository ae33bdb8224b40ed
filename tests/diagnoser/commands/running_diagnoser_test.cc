#include "diagnoser/commands/running_diagnoser.h"

#include <gmock/gmock.h>

#include "exporter/common/web/server.h"

namespace limpet::running_diagnoser_test {
namespace {

using ::testing::HasSubstr;

class RunningDiagnoserTest : public ::testing::Test {
 protected:
  RunningDiagnoserTest() {
    auto server = web::Server::Start(
        {.listen_addresses = {"127.0.0.1:0"}, .limits = {.allow_post = true}},
        [](const web::Request& request) {
          return request.path == "/good" ? web::Text(200, request.method + " " + request.body)
                                         : web::Text(403, "not you\n");
        },
        [](LogLevel, std::string_view) {});
    server_ = *std::move(server);
    diagnoser_.url = "http://127.0.0.1:" + std::to_string(server_->Port());
  }

  std::unique_ptr<web::Server> server_;
  RunningDiagnoser diagnoser_;
};

TEST_F(RunningDiagnoserTest, IsToldWithABody) {
  EXPECT_EQ(*TellDiagnoser(diagnoser_, "good", R"({"as":"fixed"})"), R"(POST {"as":"fixed"})");
}

TEST_F(RunningDiagnoserTest, ARefusalHasItsReason) {
  const auto refused = TellDiagnoser(diagnoser_, "bad", "{}");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().Text(), HasSubstr("got 403: not you"));
}

TEST_F(RunningDiagnoserTest, FlagsThatDoNotGoTogetherAreNamed) {
  EXPECT_EQ(diagnoser_.Problem(), "");
  diagnoser_.username = "ann";
  EXPECT_THAT(diagnoser_.Problem(), HasSubstr("--password-file together"));
  diagnoser_.url = "localhost";
  EXPECT_EQ(TellDiagnoser(diagnoser_, "good", "").error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace limpet::running_diagnoser_test
