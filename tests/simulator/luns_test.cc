#include "tests/simulator/luns.h"

#include <gmock/gmock.h>

#include <charconv>
#include <map>

namespace limpet::simulator::luns_test {
namespace {

using ::testing::StartsWith;

std::map<std::string, double> Values(const std::string& page) {
  std::map<std::string, double> values;
  for (std::size_t at = 0; at < page.size();) {
    const auto end = page.find('\n', at);
    const auto brace = page.find("} ", at);
    double value = 0;
    std::from_chars(page.data() + brace + 2, page.data() + end, value);
    values[page.substr(at, brace + 1 - at)] = value;
    at = end + 1;
  }
  return values;
}

std::string Second(LunServer& server) {
  std::string page;
  server.AppendSecond(page);
  return page;
}

TEST(LunServer, WritesWhatARecorderWould) {
  const LunsSpec spec{.faults = {}};
  LunServer server(spec, 7);
  const auto page = Second(server);
  EXPECT_THAT(page, StartsWith("limpet_disk_reads_completed_total{instance=\"ion007\",role="
                               "\"server\",device=\"lun00\"} "));
  EXPECT_TRUE(page.ends_with(" 1700006400.008\n")) << page.substr(page.size() - 40);
  EXPECT_EQ(Values(page).size(), 36 * kLunCounters);
}

TEST(LunServer, TheSameSpecificationGivesTheSameBytesAndCountersRise) {
  const LunsSpec spec{.servers = 2, .luns = 4, .faults = {}};
  LunServer one(spec, 1);
  LunServer other(spec, 1);
  auto before = Second(one);
  EXPECT_EQ(before, Second(other));
  for (int second = 0; second < 100; ++second) {
    const auto page = Second(one);
    EXPECT_EQ(page, Second(other));
    const auto was = Values(before);
    for (const auto& [series, value] : Values(page)) {
      ASSERT_GE(value, was.at(series)) << series;
    }
    before = page;
  }
}

// All attachments work alike; the faulty one takes longer for as much.
TEST(LunServer, AFaultLengthensRequestsAndNothingElse) {
  LunsSpec spec{.servers = 1, .luns = 6, .faults = {{.server = 0, .lun = 2, .factor = 3}}};
  LunServer server(spec, 0);
  const auto first = Values(Second(server));
  std::string page;
  for (int second = 0; second < 600; ++second) {
    page = Second(server);
  }
  const auto last = Values(page);
  const auto of = [&](const std::string& counter, int lun) {
    const auto series = "limpet_disk_" + counter + "_total{instance=\"ion000\",role=\"server\"," +
                        "device=\"lun0" + std::to_string(lun) + "\"}";
    return last.at(series) - first.at(series);
  };
  const auto await = [&](int lun) {
    return of("read_time_seconds", lun) / of("reads_completed", lun);
  };
  EXPECT_NEAR(of("reads_completed", 2) / of("reads_completed", 1), 1, 0.05);
  EXPECT_NEAR(await(1) / await(3), 1, 0.2);
  EXPECT_NEAR(await(2) / await(1), 3, 0.6);
}

TEST(SpreadFaults, AreWithinTheSystemAndTheTime) {
  const LunsSpec spec{.faults = {}};
  const auto faults = SpreadFaults(spec, 86400);
  EXPECT_EQ(faults.size(), 12U);
  for (const auto& fault : faults) {
    EXPECT_LT(fault.server, spec.servers);
    EXPECT_LT(fault.lun, spec.luns);
    EXPECT_GE(fault.factor, 2);
    EXPECT_LT(fault.from, 86400);
  }
}

}  // namespace
}  // namespace limpet::simulator::luns_test
