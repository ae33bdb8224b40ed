#include "exporter/sampler/pass.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/exposition/catalog/host.h"
#include "exporter/common/exposition/writer.h"

namespace limpet {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

class Named final : public Collector {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  std::string_view Name() const override { return name_; }
  Result<Families> Collect(const Tick&) override { return Families{}; }

 private:
  std::string name_;
};

constexpr SteadyTime kStart{std::chrono::hours(1)};

Tick At(Duration since_start) {
  return {UnixFromSeconds(1'700'000'000) + since_start, kStart + since_start};
}

Passes MakePasses(const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Collector>> collectors;
  for (const auto& name : names) {
    collectors.push_back(std::make_unique<Named>(name));
  }
  return Passes(std::move(collectors), 1s);
}

Families Load(double value) { return {{&catalog::kLoad1, {{nullptr, value}}}}; }

// The page, names and values only.
std::string PageOf(const Families& families) {
  return Render(families, Format::kText, {.prefix = "", .describe = false});
}

TEST(Passes, RunCollectorsInTheirOrder) {
  auto passes = MakePasses({"disk", "net"});
  passes.Begin(At(0s));
  EXPECT_EQ(passes.Take(kStart)->Name(), "disk");
  passes.Finish(Families{}, kStart);
  EXPECT_EQ(passes.Take(kStart)->Name(), "net");
  passes.Finish(Families{}, kStart);
  EXPECT_EQ(passes.Take(kStart), nullptr);
}

TEST(Passes, EndWithTimeAndSuccessOfEachCollector) {
  auto passes = MakePasses({"host", "net"});
  passes.Begin(At(0s));
  ASSERT_NE(passes.Take(kStart), nullptr);
  passes.Finish(Load(0.5), kStart + 250ms);
  ASSERT_NE(passes.Take(kStart + 250ms), nullptr);
  passes.Finish(std::nullopt, kStart + 750ms);
  EXPECT_EQ(PageOf(passes.End()),
            "load1 0.5\n"
            "scrape_collector_duration_seconds{collector=\"host\"} 0.25\n"
            "scrape_collector_duration_seconds{collector=\"net\"} 0.5\n"
            "scrape_collector_success{collector=\"host\"} 1\n"
            "scrape_collector_success{collector=\"net\"} 0\n"
            "sample_timestamp_seconds 1700000000\n"
            "sampler_ticks_missed_total 0\n");
  EXPECT_FALSE(passes.IsOpen());
}

TEST(Passes, ACollectorLeftBehindIsSkippedUntilItReturns) {
  auto passes = MakePasses({"host", "net"});
  passes.Begin(At(0s));
  ASSERT_NE(passes.Take(kStart), nullptr);
  const auto number = passes.Abandon(kStart + 500ms);
  EXPECT_EQ(passes.Name(number), "host");
  EXPECT_EQ(passes.BusySince(), std::nullopt);
  EXPECT_EQ(passes.Take(kStart)->Name(), "net");
  passes.Finish(Families{}, kStart);
  EXPECT_NE(PageOf(passes.End()).find("success{collector=\"host\"} 0"), std::string::npos);

  passes.Begin(At(1s));
  EXPECT_EQ(passes.Take(kStart + 1s)->Name(), "net");
  passes.Finish(Families{}, kStart + 1s);
  const auto page = PageOf(passes.End());
  EXPECT_NE(page.find("success{collector=\"host\"} 0"), std::string::npos);
  EXPECT_NE(page.find("duration_seconds{collector=\"host\"} 1\n"), std::string::npos);

  passes.Return(number);
  passes.Begin(At(2s));
  EXPECT_EQ(passes.Take(kStart + 2s)->Name(), "host");
}

TEST(Passes, AFailedCollectorShowsNothingOfItsLastSuccess) {
  auto passes = MakePasses({"host"});
  passes.Begin(At(0s));
  ASSERT_NE(passes.Take(kStart), nullptr);
  passes.Finish(Load(1), kStart);
  EXPECT_NE(PageOf(passes.End()).find("load1"), std::string::npos);
  passes.Begin(At(1s));
  ASSERT_NE(passes.Take(kStart), nullptr);
  passes.Finish(std::nullopt, kStart);
  EXPECT_EQ(PageOf(passes.End()).find("load1"), std::string::npos);
}

TEST(Passes, CountTicksMissedByMonotonicTime) {
  auto passes = MakePasses({});
  passes.Begin(At(0s));
  static_cast<void>(passes.End());
  passes.Begin(At(4s));
  EXPECT_NE(PageOf(passes.End()).find("ticks_missed_total 3"), std::string::npos);
  // A day's step of the wall clock within one second of real time misses nothing.
  passes.Begin({UnixFromSeconds(1'700'086'400), kStart + 5s});
  EXPECT_NE(PageOf(passes.End()).find("ticks_missed_total 3"), std::string::npos);
}

TEST(Passes, KnowSinceWhenACollectorIsAtWork) {
  auto passes = MakePasses({"host"});
  passes.Begin(At(0s));
  EXPECT_EQ(passes.BusySince(), std::nullopt);
  ASSERT_NE(passes.Take(kStart + 3ms), nullptr);
  EXPECT_EQ(passes.BusySince(), kStart + 3ms);
  passes.Finish(Families{}, kStart + 4ms);
  EXPECT_EQ(passes.BusySince(), std::nullopt);
}

}  // namespace
}  // namespace limpet
