#include "diagnoser/publish/top.h"

#include <gmock/gmock.h>

namespace limpet::top_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ComponentStatus Disk(const std::string& node, std::uint32_t accumulator,
                     const std::string& metric = "await") {
  return {.preset = "default",
          .group = "io",
          .node = node,
          .device = "sdb",
          .metric = metric,
          .flagged = accumulator > 5,
          .degree = accumulator / 4.0,
          .accumulator = accumulator};
}

PipelineView View() {
  PipelineView view;
  view.groups = {{.preset = "default",
                  .group = "io",
                  .window_end = UnixFromSeconds(1'700'000'032),
                  .taking_part = 4}};
  view.components = {Disk("io01", 3), Disk("io02", 41), Disk("io03", 0), Disk("io04", 3),
                     Disk("io02", 9, "tps")};
  view.nodes = {{.preset = "default",
                 .node = "io02",
                 .cause = Cause::kDiskBusy,
                 .indicted = true,
                 .rank = 1,
                 .degree = 10,
                 .luns = {{"io02/sdb", LunKind::kComponent}}}};
  return view;
}

auto IsComponent(const std::string& name) { return Field(&TopEntry::component, name); }

TEST(Top, ListsByDecreasingAccumulatorThenByName) {
  const auto list = MakeTopList(View(), "await", 10);
  EXPECT_THAT(list.entries, ElementsAre(IsComponent("io02/sdb"), IsComponent("io01/sdb"),
                                        IsComponent("io04/sdb")));
  EXPECT_EQ(list.entries[0].cause, "disk-busy");
  EXPECT_EQ(list.entries[0].kind, "component");
  EXPECT_EQ(list.entries[1].cause, "");
  EXPECT_EQ(list.window_ends.at("default"), UnixFromSeconds(1'700'000'032));
}

TEST(Top, TheLimitIsOfEachMetric) {
  EXPECT_THAT(MakeTopList(View(), "await", 1).entries, ElementsAre(IsComponent("io02/sdb")));
  const auto all = MakeTopList(View(), "", 1);
  EXPECT_THAT(all.entries,
              ElementsAre(Field(&TopEntry::metric, "await"), Field(&TopEntry::metric, "requests")));
}

TEST(Top, ServersHaveNoDevice) {
  PipelineView view;
  view.components = {Disk("io01", 1, "rxbyt")};
  view.components[0].device.clear();
  EXPECT_THAT(MakeTopList(view, "rxbyt", 10).entries, ElementsAre(IsComponent("io01")));
  EXPECT_EQ(MakeTopList(view, "receive_bytes", 10).entries, MakeTopList(view, "rxbyt", 10).entries);
  EXPECT_EQ(MakeTopList(view, "", 10).entries[0].metric, "receive_bytes");
}

TEST(Top, ComesBackThroughItsJson) {
  const auto list = MakeTopList(View(), "", 10);
  const auto back = ParseTopJson(TopJson(list));
  ASSERT_TRUE(back) << back.error().Text();
  EXPECT_EQ(back->entries, list.entries);
  EXPECT_EQ(back->window_ends, list.window_ends);
}

TEST(Top, AnAnswerThatIsNoListSaysSo) {
  for (const auto* text : {"", "{", "[]", "{\"persistent\": 3}", "{\"persistent\": [1]}", "null"}) {
    EXPECT_FALSE(ParseTopJson(text)) << text;
  }
  const auto odd = ParseTopJson(
      R"({"persistent": [{"accumulator": -3, "degree": "x", "component": 7}], "window_ends": [1]})");
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->entries.at(0).accumulator, 0U);
  EXPECT_THAT(odd->window_ends, IsEmpty());
}

TEST(Top, TheTableIsPlainText) {
  EXPECT_EQ(TopTable(MakeTopList(View(), "await", 10), "await"),
            "await by preset default, window of 2023-11-14T22:13:52Z\n"
            "VALUE  COMPONENT         PEER GROUP  DEGREE  FLAGGED  CAUSE      KIND\n"
            "   41  disk sdb of io02  io           10.25  yes      disk-busy  component\n"
            "    3  disk sdb of io01  io            0.75  -        -          -\n"
            "    3  disk sdb of io04  io            0.75  -        -          -\n");
  EXPECT_THAT(
      TopTable(MakeTopList(View(), "await", 10), "await", true),
      ::testing::AllOf(::testing::HasSubstr("\n\033[1mVALUE"), ::testing::HasSubstr("\033[31m"),
                       ::testing::HasSubstr("\033[0m\n")));
  EXPECT_EQ(TopTable({}, "await"), "no persistent anomalies of await\n");
}

TEST(Top, WhatAServerAnswersCannotDriveTheTerminal) {
  const auto list = ParseTopJson(
      "{\"persistent\": [{\"preset\": \"p\", \"metric\": \"await\", \"accumulator\": 1, "
      "\"peer_group\": \"\\u001b[2J\", \"component\": \"a\\nb\"}]}");
  ASSERT_TRUE(list);
  const auto table = TopTable(*list, "await");
  EXPECT_EQ(table.find('\x1b'), std::string::npos);
  EXPECT_THAT(table, HasSubstr("a\\x0ab     \\x1b[2J "));
}

}  // namespace
}  // namespace limpet::top_test
