#include "exporter/sampler/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "exporter/collectors/catalog/host.h"
#include "exporter/common/exposition/codec.h"

namespace limpet::snapshot_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

Snapshot MakeSnapshot(double load, const RenderOptions& how = {}) {
  return {UnixFromSeconds(1'700'000'000), {{&catalog::kLoad1, {{nullptr, load}}}}, how};
}

TEST(Snapshot, RendersAPageOnceAndSharesIt) {
  const auto snapshot = MakeSnapshot(0.5);
  const auto page = snapshot.Page(Format::kText, false);
  EXPECT_THAT(*page, HasSubstr("limpet_load1 0.5\n"));
  EXPECT_EQ(snapshot.Page(Format::kText, false), page);
}

TEST(Snapshot, HasEachFormatPlainAndCompressed) {
  const auto snapshot = MakeSnapshot(0.5);
  EXPECT_THAT(*snapshot.Page(Format::kOpenMetrics, false), EndsWith("# EOF\n"));
  for (const auto format : {Format::kText, Format::kOpenMetrics}) {
    const auto plain = Decode(Encoding::kGzip, *snapshot.Page(format, true));
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->text, *snapshot.Page(format, false));
  }
}

TEST(Snapshot, SpeaksNodeExportersNamesWhenTold) {
  const auto snapshot = MakeSnapshot(0.5, {.prefix = "node_", .node_exporter_names = true});
  EXPECT_THAT(*snapshot.Page(Format::kText, false), HasSubstr("node_load1 0.5\n"));
}

TEST(Snapshot, KnowsTheSizeOfItsPageForTheNextOne) {
  const auto snapshot = MakeSnapshot(0.5);
  EXPECT_EQ(snapshot.PageSize(), 0U);
  const auto page = snapshot.Page(Format::kText, false);
  EXPECT_EQ(snapshot.PageSize(), page->size());
}

TEST(Snapshot, ManyThreadsGetTheSameBytes) {
  const auto snapshot = MakeSnapshot(0.5);
  std::vector<Snapshot::Bytes> pages(8);
  {
    std::vector<std::thread> threads;
    for (auto& page : pages) {
      threads.emplace_back([&] { page = snapshot.Page(Format::kText, true); });
    }
    for (auto& thread : threads) {
      thread.join();
    }
  }
  for (const auto& page : pages) {
    EXPECT_EQ(page, pages.front());
  }
}

TEST(SnapshotSlot, IsEmptyAtFirstAndThenHasTheLatest) {
  SnapshotSlot slot;
  EXPECT_EQ(slot.Latest(), nullptr);
  const auto first =
      std::make_shared<const Snapshot>(MakeSnapshot(1).At(), Families{}, RenderOptions{});
  const auto second =
      std::make_shared<const Snapshot>(MakeSnapshot(2).At(), Families{}, RenderOptions{});
  slot.Put(first);
  EXPECT_EQ(slot.Latest(), first);
  slot.Put(second);
  EXPECT_EQ(slot.Latest(), second);
}

}  // namespace
}  // namespace limpet::snapshot_test
