#include "diagnoser/publish/explain.h"

#include <gmock/gmock.h>

namespace limpet::explain_test {
namespace {

using namespace std::chrono_literals;

Evidence Of(const std::string& metric, double mean, double peers) {
  return {.component = "io04/sdb", .metric = metric, .mean = mean, .peer_median = peers};
}

TEST(Explain, SaysHowManyTimesAndHowMuchInPlainUnits) {
  EXPECT_EQ(Explain(Of("await", 101.6, 37.6)), "await of io04/sdb 2.70\u00d7 its peers, +64.0 ms");
  EXPECT_EQ(Explain(Of("rd_sec", 40000, 4000)),
            "read_bytes of io04/sdb 10.0\u00d7 its peers, +18.4 MB/s");
  EXPECT_EQ(Explain(Of("rxbyt", 25e6, 1e5)),
            "receive_bytes of io04/sdb 250\u00d7 its peers, +24.9 MB/s");
  EXPECT_EQ(Explain(Of("cwnd_client", 2, 10)),
            "cwnd_client of io04/sdb 0.20\u00d7 its peers, -8.00 segments");
}

TEST(Explain, ARatioToNothingIsNotARatio) {
  EXPECT_EQ(Explain(Of("await", 64, 0)),
            "await of io04/sdb 64.0 ms against its peers' 0.00, "
            "+64.0 ms");
}

TEST(Explain, AHostMetricStandsAgainstItsPeers) {
  const auto of = [](const std::string& metric, double mean, double peers) {
    return Explain(Evidence{.component = "io04",
                            .group = kProfilesGroup,
                            .metric = metric,
                            .mean = mean,
                            .peer_median = peers});
  };
  EXPECT_EQ(of("user", 70, 12), "user CPU 70.0 % against 12.0 %");
  EXPECT_EQ(of("bwrtn", 6.1e7, 2e6), "written to disk 61.0 MB/s against 2.00 MB/s");
  EXPECT_EQ(of("ldavg-1", 3.2, 0.5), "load average 3.20 against 0.50");
  EXPECT_EQ(Explain(Evidence{.component = "io04",
                             .group = kProfilesGroup,
                             .metric = "profile",
                             .s = 0.62,
                             .threshold = 0.21}),
            "profile 0.62 from most peers', allowed 0.21");
}

TEST(Explain, SaysByWhichTimeADiskIsSlow) {
  auto await = Of("await", 87, 44);
  await.device_time = DeviceTime{.mean = 86, .peer_median = 43, .slowdown = 2, .decides = true};
  EXPECT_THAT(Explain(await),
              ::testing::HasSubstr(", at the device 86.0 ms against 43.0 ms, for the "
                                   "same work 2.00\u00d7 as long (device time)"));
  await.device_time->decides = false;
  EXPECT_THAT(Explain(await), ::testing::EndsWith("(busy time)"));
}

TEST(Explain, WithoutMeansTheDegreeMustDo) {
  EXPECT_EQ(Explain(Evidence{.component = "io04", .metric = "cwnd_server", .degree = 1.25}),
            "cwnd_server of io04 differs from its peers, degree 1.25");
}

TEST(Explain, AVerdictListsItsEvidence) {
  EXPECT_EQ(Explain(VerdictEvent{.node = "io04",
                                 .cause = Cause::kDiskHog,
                                 .evidence = {Of("rd_sec", 40000, 4000), Of("await", 20, 10)}}),
            "io04: disk-hog (read_bytes of io04/sdb 10.0\u00d7 its peers, +18.4 MB/s; "
            "await of io04/sdb 2.00\u00d7 its peers, +10.0 ms)");
}

TEST(Explain, TimesAreForPeople) {
  EXPECT_EQ(ForPeople(96s), "96 s");
  EXPECT_EQ(ForPeople(22min + 30s), "22 min");
  EXPECT_EQ(ForPeople(3h + 5min), "3 h 5 min");
  EXPECT_EQ(ForPeople(49h), "2 d 1 h");
}

}  // namespace
}  // namespace limpet::explain_test
