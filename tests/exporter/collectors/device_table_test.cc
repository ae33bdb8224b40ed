#include "exporter/collectors/device_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace limpet::device_table_test {
namespace {

using Table = DeviceTable<int>;

std::vector<std::string> Names(const Table& table) {
  std::vector<std::string> names;
  for (const auto* entry : table.Present()) {
    names.push_back(entry->name);
  }
  return names;
}

void Pass(Table& table, const std::vector<std::string>& names, bool complete = true,
          std::size_t remember = 0) {
  table.Begin();
  for (const auto& name : names) {
    if (auto* entry = table.Visit(name, [] { return 0; })) {
      ++entry->state;
    }
  }
  table.End(complete, remember);
}

TEST(DeviceTable, KeepsStateFromPassToPass) {
  Table table;
  Pass(table, {"a", "b"});
  EXPECT_TRUE(table.Changed());
  EXPECT_FALSE(table.Present()[0]->continuous);
  Pass(table, {"a", "b"});
  EXPECT_FALSE(table.Changed());
  EXPECT_TRUE(table.Present()[0]->continuous);
  EXPECT_EQ(table.Present()[1]->state, 2);
}

TEST(DeviceTable, ForgetsWhoIsGoneUnlessToldToRemember) {
  Table table;
  Pass(table, {"a", "b"});
  Pass(table, {"b"});
  EXPECT_TRUE(table.Changed());
  Pass(table, {"a", "b"});
  EXPECT_EQ(table.Present()[0]->state, 1);
  EXPECT_EQ(table.Present()[1]->state, 3);
  Pass(table, {"b"}, true, 8);
  Pass(table, {"a", "b"}, true, 8);
  EXPECT_EQ(table.Present()[0]->state, 2);
  EXPECT_FALSE(table.Present()[0]->continuous) << "was away for a pass";
}

TEST(DeviceTable, ADamagedListMakesNobodyGone) {
  Table table;
  Pass(table, {"a", "b"});
  Pass(table, {"a"}, false);
  EXPECT_EQ(Names(table), (std::vector<std::string>{"a"}));
  Pass(table, {"a", "b"});
  EXPECT_TRUE(table.Present()[1]->continuous);
  EXPECT_EQ(table.Present()[1]->state, 2);
}

TEST(DeviceTable, TakesANameOncePerPass) {
  Table table;
  Pass(table, {"a", "b", "a"});
  EXPECT_EQ(Names(table), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.Present()[0]->state, 1);
}

// Against a plain map: lists that grow, shrink and change their order.
TEST(DeviceTable, AgreesWithAPlainMap) {
  std::mt19937 random(7);
  Table table;
  std::map<std::string, int> seen;
  std::vector<std::string> before;
  for (int pass = 0; pass < 500; ++pass) {
    std::vector<std::string> names;
    for (int i = 0; i < 12; ++i) {
      if (random() % 4 != 0) {
        names.push_back("d" + std::to_string(i));
      }
    }
    if (random() % 3 == 0) {
      std::shuffle(names.begin(), names.end(), random);
    }
    if (random() % 3 == 0) {
      names = before;
    }
    std::map<std::string, int> now;
    for (const auto& name : names) {
      now[name] = seen.contains(name) ? seen[name] + 1 : 1;
    }
    Pass(table, names);
    ASSERT_EQ(Names(table), names);
    ASSERT_EQ(table.Changed(), names != before);
    for (const auto* entry : table.Present()) {
      ASSERT_EQ(entry->state, now[entry->name]);
      ASSERT_EQ(entry->continuous, seen.contains(entry->name));
    }
    seen = now;
    before = names;
  }
}

}  // namespace
}  // namespace limpet::device_table_test
