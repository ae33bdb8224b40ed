#include "exporter/probe_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/exporter/probe/fake_disk.h"

namespace limpet::probe_page_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class ProbePageTest : public ::testing::Test {
 protected:
  static web::Response Get(Prober& prober, const std::string& query,
                           const std::string& method = "GET") {
    web::Request request;
    request.method = method;
    request.path = "/probe/disk";
    request.query = query;
    return ProbePage(prober)(request);
  }
  static Json Wait(Prober& prober) {
    for (;;) {
      const auto response = Get(prober, "device=sdb");
      if (response.status != 429) {  // another disk is read still
        auto json = Json::parse(*response.body);
        if (json["state"] != "running") {
          return json;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  static Prober Make(OpenProbedDisk open, bool enabled = true) {
    return {{.enabled = enabled},
            std::move(open),
            std::make_shared<RealClock>(),
            [](LogLevel, std::string_view) {}};
  }
};

TEST_F(ProbePageTest, AnswersWithTheMedian) {
  auto prober = Make(testing::OpenFakes([](std::uint64_t) -> Result<void> { return {}; }));
  EXPECT_EQ(Get(prober, "device=sdb").content_type, "application/json");
  const auto json = Wait(prober);
  EXPECT_EQ(json["device"], "sdb");
  EXPECT_EQ(json["state"], "done");
  EXPECT_EQ(json["reads"], 30);
  EXPECT_EQ(json["block_bytes"], 4096);
  EXPECT_LT(json["median_seconds"].get<double>(), 1);
  EXPECT_LE(json["median_seconds"].get<double>(), json["max_seconds"].get<double>());
  EXPECT_LT(json["age_seconds"].get<double>(), 60);
}

TEST_F(ProbePageTest, TellsAnErrorOfTheDiskFromOneBeforeIt) {
  auto broken = Make(testing::OpenFakes([](std::uint64_t) -> Result<void> {
    return Error{ErrorCode::kUnavailable, "Input/output error", "/dev/sdb"};
  }));
  const auto of_disk = Wait(broken);
  EXPECT_EQ(of_disk["state"], "failed");
  EXPECT_EQ(of_disk["disk_error"], true);
  EXPECT_EQ(of_disk["error"], "/dev/sdb: Input/output error");
  auto closed = Make([](const std::string&) -> Result<std::unique_ptr<ProbedDisk>> {
    return Error{ErrorCode::kPermission, "permission denied", "/dev/sdb"};
  });
  EXPECT_EQ(Wait(closed)["disk_error"], false);
}

TEST_F(ProbePageTest, RefusesWhatItShouldNotDo) {
  auto off = Make(testing::OpenFakes([](std::uint64_t) -> Result<void> { return {}; }), false);
  EXPECT_EQ(Get(off, "device=sdb").status, 403);
  EXPECT_THAT(*Get(off, "device=sdb").body, HasSubstr("probe.enabled"));
  auto on = Make(testing::OpenFakes([](std::uint64_t) -> Result<void> {
    ADD_FAILURE() << "nothing may be read";
    return {};
  }));
  EXPECT_EQ(Get(on, "device=../sda").status, 400);
  EXPECT_EQ(Get(on, "").status, 400);
  EXPECT_EQ(Get(on, "device=sdb", "HEAD").status, 405);
}

TEST_F(ProbePageTest, AsksForPatienceWhileAnotherDiskIsRead) {
  testing::Gate gate;
  auto prober = Make(testing::OpenFakes([&](std::uint64_t) -> Result<void> {
    gate.Wait();
    return {};
  }));
  EXPECT_EQ(Get(prober, "device=sda").status, 200);
  EXPECT_EQ(Get(prober, "device=sdb").status, 429);
  gate.Open();
  EXPECT_EQ(Wait(prober)["state"], "done");
}

}  // namespace
}  // namespace limpet::probe_page_test
