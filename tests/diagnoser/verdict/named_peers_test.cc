#include <gmock/gmock.h>

#include "diagnoser/verdict/evidence.h"

namespace limpet::named_peers_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Eight components, of which "h" took ten times as long as the others.
Evidence EvidenceOfH(const PresetSettings& preset) {
  const PeerDistances distances{.to = {90, 90, 90, 90, 90, 90, 90, 0}, .far = 50};
  return WithPeers({.component = "h"}, distances, {"a", "b", "c", "d", "e", "f", "g", "h"}, 7,
                   preset.max_named_peers);
}

TEST(WithPeers, NamesFivePeersUnlessToldOtherwise) {
  const auto evidence = EvidenceOfH(DefaultPreset());
  EXPECT_EQ(evidence.far, 7U);
  EXPECT_THAT(evidence.far_peers, ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(evidence.near_peers, IsEmpty());
}

TEST(WithPeers, NamesAsManyAsThePresetSays) {
  auto preset = DefaultPreset();
  preset.max_named_peers = 2;
  EXPECT_THAT(EvidenceOfH(preset).far_peers, ElementsAre("a", "b"));
  preset.max_named_peers = 100;
  EXPECT_THAT(EvidenceOfH(preset).far_peers, SizeIs(7));
  preset.max_named_peers = 0;
  EXPECT_THAT(EvidenceOfH(preset).far_peers, IsEmpty());
  EXPECT_EQ(EvidenceOfH(preset).far, 7U);
}

}  // namespace
}  // namespace limpet::named_peers_test
