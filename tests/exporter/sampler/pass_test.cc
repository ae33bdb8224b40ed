#include "exporter/sampler/pass.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/collectors/catalog/facts.h"
#include "exporter/collectors/catalog/host.h"
#include "exporter/common/exposition/writer.h"

namespace limpet::pass_test {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

class Named final : public Collector {
 public:
  explicit Named(std::string name, int number = 0) : name_(std::move(name)), number_(number) {}
  std::string_view Name() const override { return name_; }
  Result<Families> Collect(const Tick&) override { return Families{}; }
  void Inherit(Collector& before) override { inherited_ = dynamic_cast<Named&>(before).number_; }
  int Inherited() const { return inherited_; }

 private:
  std::string name_;
  int number_;
  int inherited_ = -1;
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
  EXPECT_EQ(passes.StartNext(kStart)->Name(), "disk");
  passes.Finish(Families{}, kStart);
  EXPECT_EQ(passes.StartNext(kStart)->Name(), "net");
  passes.Finish(Families{}, kStart);
  EXPECT_EQ(passes.StartNext(kStart), nullptr);
}

// As a double of nanoseconds it would be 1769817605.2000003.
TEST(Passes, TellTheInstantThatARecordingOfTheSampleHas) {
  auto passes = MakePasses({});
  passes.Begin({UnixFromNanoseconds(1'769'817'605'200'000'000), kStart});
  EXPECT_EQ(PageOf(passes.End()),
            "sample_timestamp_seconds 1769817605.2\n"
            "sampler_ticks_missed_total 0\n");
}

TEST(Passes, WhatIsLeftOutOnPurposeIsNotMissed) {
  auto passes = MakePasses({});
  passes.Begin(At(0s));
  (void)passes.End();
  passes.Begin(At(5s + 3ms), 4s);
  EXPECT_EQ(PageOf(passes.End()),
            "sample_timestamp_seconds 1700000005.003\n"
            "sampler_ticks_missed_total 0\n"
            "sample_interval_seconds 5\n");
  passes.Begin(At(12s), 4s);
  EXPECT_EQ(PageOf(passes.End()),
            "sample_timestamp_seconds 1700000012\n"
            "sampler_ticks_missed_total 2\n"
            "sample_interval_seconds 7\n");
}

TEST(Passes, EndWithTimeAndSuccessOfEachCollector) {
  auto passes = MakePasses({"host", "net"});
  passes.Begin(At(0s));
  ASSERT_NE(passes.StartNext(kStart), nullptr);
  passes.Finish(Load(0.5), kStart + 250ms);
  ASSERT_NE(passes.StartNext(kStart + 250ms), nullptr);
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

TEST(Passes, ACollectorThatIsIncompleteIsShownAndNoSuccess) {
  auto passes = MakePasses({"host"});
  passes.Begin(At(0s));
  ASSERT_NE(passes.StartNext(kStart), nullptr);
  passes.Finish(Load(0.5), kStart, false);
  const auto page = PageOf(passes.End());
  EXPECT_TRUE(page.starts_with("load1 0.5\n")) << page;
  EXPECT_NE(page.find("success{collector=\"host\"} 0"), std::string::npos);
}

TEST(Passes, FilesThatSeveralCollectorsCannotReadAreOneFamily) {
  auto passes = MakePasses({"disk", "facts"});
  const auto unreadable = [](const std::vector<std::string>& files) {
    Family family{.info = &catalog::kFactsUnreadable, .samples = {}};
    for (const auto& file : files) {
      family.samples.push_back({MakeLabels({{"file", file}}), 1});
    }
    return Families{family};
  };
  const auto tick = [&] {
    passes.Begin(At(0s));
    (void)passes.StartNext(kStart);
    passes.Finish(unreadable({"sda/model", "sda/size"}), kStart);
    (void)passes.StartNext(kStart);
    passes.Finish(Keep(unreadable({"sda/size", "md0/level"})), kStart);
    return passes.End();
  };
  const auto page = tick();
  EXPECT_TRUE(
      PageOf(page).starts_with("facts_unreadable{file=\"md0/level\"} 1\n"
                               "facts_unreadable{file=\"sda/model\"} 1\n"
                               "facts_unreadable{file=\"sda/size\"} 1\n"
                               "scrape_"))
      << PageOf(page);
  EXPECT_EQ(tick()[0].kept, page[0].kept) << "printed once";
}

TEST(Passes, ACollectorLeftBehindIsSkippedUntilItReturns) {
  auto passes = MakePasses({"host", "net"});
  passes.Begin(At(0s));
  ASSERT_NE(passes.StartNext(kStart), nullptr);
  const auto number = passes.Abandon(kStart + 500ms);
  EXPECT_EQ(passes.Name(number), "host");
  EXPECT_EQ(passes.BusySince(), std::nullopt);
  EXPECT_EQ(passes.StartNext(kStart)->Name(), "net");
  passes.Finish(Families{}, kStart);
  EXPECT_NE(PageOf(passes.End()).find("success{collector=\"host\"} 0"), std::string::npos);

  passes.Begin(At(1s));
  EXPECT_EQ(passes.StartNext(kStart + 1s)->Name(), "net");
  passes.Finish(Families{}, kStart + 1s);
  const auto page = PageOf(passes.End());
  EXPECT_NE(page.find("success{collector=\"host\"} 0"), std::string::npos);
  EXPECT_NE(page.find("duration_seconds{collector=\"host\"} 1\n"), std::string::npos);

  passes.Return(number);
  passes.Begin(At(2s));
  EXPECT_EQ(passes.StartNext(kStart + 2s)->Name(), "host");
}

// The number of the collector that the next one to run has inherited from; -1: none.
int Inherited(Passes& passes, SteadyTime now) {
  return dynamic_cast<Named&>(*passes.StartNext(now)).Inherited();
}

Passes MakeHosts(int number) {
  std::vector<std::unique_ptr<Collector>> collectors;
  collectors.push_back(std::make_unique<Named>("host", number));
  return Passes(std::move(collectors), 1s);
}

TEST(Passes, CollectorsInheritFromThoseOfTheirNameOnce) {
  auto before = MakeHosts(7);
  before.Begin(At(0s));
  before.Begin(At(3s));
  std::vector<std::unique_ptr<Collector>> collectors;
  collectors.push_back(std::make_unique<Named>("net"));
  collectors.push_back(std::make_unique<Named>("host"));
  Passes passes(std::move(collectors), 1s);
  passes.Inherit(before);
  passes.Begin(At(10s));
  EXPECT_EQ(Inherited(passes, kStart), -1);
  passes.Finish(Families{}, kStart);
  EXPECT_EQ(Inherited(passes, kStart), 7);
  passes.Finish(Families{}, kStart);
  EXPECT_NE(PageOf(passes.End()).find("ticks_missed_total 2"), std::string::npos)
      << "those of before, none for the reload";
}

TEST(Passes, ACollectorThatHangsKeepsItsSuccessorWaiting) {
  auto before = MakeHosts(7);
  before.Begin(At(0s));
  ASSERT_NE(before.StartNext(kStart), nullptr);
  const auto number = before.Abandon(kStart + 500ms);
  auto second = MakeHosts(8);
  second.Inherit(before);
  second.Begin(At(1s));
  EXPECT_EQ(second.StartNext(kStart + 1s), nullptr);
  EXPECT_NE(PageOf(second.End()).find("duration_seconds{collector=\"host\"} 1\n"),
            std::string::npos);
  auto third = MakeHosts(9);  // another reload before it is back
  third.Inherit(second);
  third.Begin(At(2s));
  EXPECT_EQ(third.StartNext(kStart + 2s), nullptr);
  before.Return(number);
  third.Begin(At(3s));
  EXPECT_EQ(Inherited(third, kStart + 3s), 7) << "the second has never run and knows nothing";
  third.Finish(Families{}, kStart + 3s);
  EXPECT_NE(PageOf(third.End()).find("success{collector=\"host\"} 1"), std::string::npos);
}

TEST(Passes, AFailedCollectorShowsNothingOfItsLastSuccess) {
  auto passes = MakePasses({"host"});
  passes.Begin(At(0s));
  ASSERT_NE(passes.StartNext(kStart), nullptr);
  passes.Finish(Load(1), kStart);
  EXPECT_NE(PageOf(passes.End()).find("load1"), std::string::npos);
  passes.Begin(At(1s));
  ASSERT_NE(passes.StartNext(kStart), nullptr);
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
  ASSERT_NE(passes.StartNext(kStart + 3ms), nullptr);
  EXPECT_EQ(passes.BusySince(), kStart + 3ms);
  passes.Finish(Families{}, kStart + 4ms);
  EXPECT_EQ(passes.BusySince(), std::nullopt);
}

}  // namespace
}  // namespace limpet::pass_test
