#include "tests/accuracy/report.h"

#include <gmock/gmock.h>

namespace limpet::accuracy::report_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string> kPresets = {"default"};

std::vector<RunResult> OneHog(bool found) {
  RunResult run{.key = {.servers = 10, .fault = simulator::Fault::kDiskHog},
                .faulty = "io04",
                .indictments = {}};
  if (found) {
    run.indictments = {
        {.preset = "default", .at = 231, .node = "io04", .cause = Cause::kDiskHog, .degree = 3}};
  }
  return {run};
}

TEST(Tables, HaveARowAFaultOrARowAFaultAndWorkload) {
  const auto text = ByFault(OneHog(true), kPresets);
  EXPECT_THAT(text, HasSubstr("### 10 servers: 1 runs with a fault, 0 without"));
  EXPECT_THAT(text, HasSubstr("| disk-hog | 100/0/100/0, 0, 96 s |\n"));
  EXPECT_THAT(ByWorkload(OneHog(true), kPresets),
              HasSubstr("| disk-hog | ddr | 100/0/100/0, 0, 96 s |\n"));
}

TEST(Csv, KeepsWhatWasSaidOfOtherSizes) {
  const auto text = Csv(OneHog(true), kPresets,
                        "servers,workload,fault,preset,runs,itp,ifp,dtp,dfp\n"
                        "10,ddr,disk-hog,default,10,0.100,0.000,0.100,0.000\n"
                        "100,ddr,disk-hog,default,10,0.900,0.000,0.900,0.000\n");
  EXPECT_EQ(text,
            "servers,workload,fault,preset,runs,itp,ifp,dtp,dfp\n"
            "100,ddr,disk-hog,default,10,0.900,0.000,0.900,0.000\n"
            "10,ddr,disk-hog,default,1,1.000,0.000,1.000,0.000\n");
}

TEST(WorseThan, NamesWhatIsNotFoundAnyMore) {
  const auto recorded = Csv(OneHog(true), kPresets, "");
  EXPECT_THAT(WorseThan(recorded, OneHog(true), "default"), IsEmpty());
  EXPECT_THAT(WorseThan(recorded, OneHog(false), "default"),
              ElementsAre("10 servers, ddr, disk-hog, seed 1: not indicted any more",
                          "10 servers, ddr, disk-hog, seed 1: another cause now"));
  EXPECT_THAT(WorseThan("", OneHog(true), "default"), ElementsAre(HasSubstr("no recorded rates")));
}

TEST(Mistakes, AreALineEach) {
  EXPECT_EQ(Mistakes(OneHog(false), "default"),
            "10 servers, ddr, disk-hog, seed 1: io04 not indicted\n");
  EXPECT_EQ(Mistakes(OneHog(true), "default"), "");
}

}  // namespace
}  // namespace limpet::accuracy::report_test
