#include "diagnoser/federation/member_watch.h"

#include <gmock/gmock.h>

#include "exporter/common/exposition/rendered_page.h"

namespace limpet::member_watch_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kStart = 1000;
UnixTime At(int seconds) { return UnixFromSeconds(kStart + seconds); }

MemberState State(const std::string& name, std::optional<UnixTime> answered) {
  MemberState state;
  state.name = name;
  state.answered = answered;
  state.data_time = answered;
  state.problem = "connection refused";
  return state;
}

TEST(MemberWatch, EachChangeIsALine) {
  std::vector<std::string> lines;
  MemberWatch watch([&](LogLevel, std::string_view line) { lines.emplace_back(line); }, At(0));
  const auto see = [&](std::optional<UnixTime> north, int now) {
    lines.clear();
    watch.See(std::vector{State("north", north)}, At(now));
    return lines;
  };
  EXPECT_THAT(see(std::nullopt, 4), IsEmpty());
  EXPECT_THAT(see(std::nullopt, 6), ElementsAre("north: does not answer: connection refused"));
  EXPECT_THAT(see(std::nullopt, 7), IsEmpty());
  EXPECT_THAT(see(At(10), 10), ElementsAre("north: answers again after 10 s"));
  EXPECT_THAT(see(At(10), 15), IsEmpty());
  EXPECT_THAT(see(At(10), 16), ElementsAre("north: does not answer: connection refused"));
  EXPECT_THAT(see(At(40), 41), ElementsAre("north: answers again after 31 s"));
}

TEST(MemberWatch, OneThatIsNoLongerAskedIsForgotten) {
  std::vector<std::string> lines;
  MemberWatch watch([&](LogLevel, std::string_view line) { lines.emplace_back(line); }, At(0));
  watch.See(std::vector{State("north", std::nullopt)}, At(6));
  watch.See({}, At(7));
  lines.clear();
  watch.See(std::vector{State("north", At(8))}, At(8));
  EXPECT_THAT(lines, IsEmpty());
}

TEST(MemberFamilies, TellWhoIsUpAndHowOldReadingsAre) {
  auto ahead = State("south", At(20));
  ahead.data_time = At(80);
  ahead.clock_ahead = 61s;
  const auto standings =
      StandingsOf(std::vector{State("north", At(0)), ahead, State("west", At(19))}, At(20));
  auto families = MemberFamilies(standings, false);
  const RenderedPage rendered({std::make_shared<const Families>(std::move(families))});
  const auto page = *rendered.Get(Format::kText, false);
  EXPECT_THAT(page, HasSubstr("limpet_federation_member_up{member=\"north\"} 0\n"));
  EXPECT_THAT(page, HasSubstr("limpet_federation_member_up{member=\"south\"} 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("lag_seconds{member=\"north\"}")));
  EXPECT_THAT(page, HasSubstr("limpet_federation_member_lag_seconds{member=\"south\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("limpet_federation_member_lag_seconds{member=\"west\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("limpet_diagnoser_config_last_reload_successful 0\n"));
}

}  // namespace
}  // namespace limpet::member_watch_test
