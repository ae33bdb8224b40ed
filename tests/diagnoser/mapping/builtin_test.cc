#include "diagnoser/mapping/builtin.h"

#include <gmock/gmock.h>

#include "exporter/catalog.h"

namespace limpet {
namespace {

TEST(Builtin, BothExportersMeanTheSame) {
  const auto ours = FieldOf("limpet_disk_read_bytes_total");
  const auto theirs = FieldOf("node_disk_read_bytes_total");
  ASSERT_TRUE(ours && theirs);
  EXPECT_EQ(ours->kind, EntityKind::kDisk);
  EXPECT_EQ(ours->index, 2);
  EXPECT_EQ(theirs->index, 2);
}

TEST(Builtin, OtherSeriesAreNotRead) {
  EXPECT_FALSE(FieldOf("limpet_disk_await_seconds"));
  EXPECT_FALSE(FieldOf("disk_read_bytes_total"));
  EXPECT_FALSE(FieldOf("limpet_"));
  EXPECT_FALSE(FieldOf(""));
  EXPECT_FALSE(FieldOf("limpet_disk_read_bytes_total_x"));
}

// A counter that is renamed in the catalogue would silently be read no more.
TEST(Builtin, EveryNameIsOneThatTheExporterHas) {
  std::size_t found = 0;
  for (const auto* metric : AllMetrics()) {
    found += FieldOf("limpet_" + std::string(metric->name)).has_value() ? 1U : 0U;
  }
  EXPECT_EQ(found, 26U);
}

}  // namespace
}  // namespace limpet
