#include "diagnoser/intake/identities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::identities_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

UnixTime At(int second) { return UnixFromSeconds(1000 + second); }

PageReader::Claim Claim(ExporterField field, double value, int second) {
  return {.node = "a", .field = field, .value = value, .hostname = {}, .at = At(second)};
}
PageReader::Claim Start(double value, int second) {
  return Claim(ExporterField::kStartTime, value, second);
}
PageReader::Claim Host(const std::string& name, int second) {
  return {.node = "a", .field = {}, .value = 0, .hostname = name, .at = At(second)};
}

Identities::Changes Update(Identities& identities, std::vector<PageReader::Claim> claims) {
  return identities.Update(claims);
}

TEST(Identities, AStartAfterTheLastPageIsARestart) {
  Identities identities(9);
  EXPECT_THAT(Update(identities, {Start(900, 0)}).restarted, IsEmpty()) << "who came before?";
  EXPECT_THAT(Update(identities, {Start(900, 1)}).restarted, IsEmpty());
  const auto changes = Update(identities, {Start(1001.5, 2)});
  EXPECT_THAT(changes.restarted, ElementsAre("a"));
  EXPECT_THAT(changes.replaced, IsEmpty());
}

TEST(Identities, AStartBeforeTheLastPageIsAnotherExporter) {
  Identities identities(9);
  (void)Update(identities, {Start(900, 0)});
  EXPECT_THAT(Update(identities, {Start(950, 1)}).replaced,
              ElementsAre(Pair("a", IdentityChange::kStartTime)));
  EXPECT_THAT(Update(identities, {Start(900, 2)}).replaced,
              ElementsAre(Pair("a", IdentityChange::kStartTime)));
}

TEST(Identities, AnotherBootOrHostNameIsAnotherMachine) {
  Identities identities(9);
  (void)Update(identities, {Claim(ExporterField::kBootTime, 500, 0), Host("h", 0)});
  EXPECT_THAT(Update(identities, {Claim(ExporterField::kBootTime, 502, 1)}).replaced, IsEmpty())
      << "the clock is slewed";
  EXPECT_THAT(Update(identities, {Claim(ExporterField::kBootTime, 505, 2)}).replaced,
              ElementsAre(Pair("a", IdentityChange::kBootTime)));
  EXPECT_THAT(Update(identities, {Host("i", 3)}).replaced,
              ElementsAre(Pair("a", IdentityChange::kHostname)));
}

TEST(Identities, TheExportersOwnStartComesBeforeThatOfItsProcess) {
  Identities identities(9);
  const auto process = Claim(ExporterField::kProcessStartTime, 899.1, 0);
  (void)Update(identities, {process, Start(900, 0)});
  EXPECT_EQ(identities.All().at("a"), 900);
  (void)Update(identities, {Start(900, 1), process});
  EXPECT_EQ(identities.All().at("a"), 900);
}

TEST(Identities, WhatIsKeptOverARestartIsComparedAfterIt) {
  Identities identities(9);
  identities.Resume({{"a", 900}}, At(10));
  EXPECT_THAT(Update(identities, {Start(950, 11)}).replaced,
              ElementsAre(Pair("a", IdentityChange::kStartTime)));
}

TEST(Identities, OfMoreNodesThanThereIsRoomForNothingIsKnown) {
  Identities identities(0);
  (void)Update(identities, {Start(900, 0)});
  EXPECT_THAT(Update(identities, {Start(950, 1)}).restarted, IsEmpty());
  Identities forgetful(9);
  (void)Update(forgetful, {Start(900, 0)});
  forgetful.Forget("a");
  EXPECT_THAT(Update(forgetful, {Start(950, 1)}).restarted, IsEmpty());
}

}  // namespace
}  // namespace limpet::identities_test
