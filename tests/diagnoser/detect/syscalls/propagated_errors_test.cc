#include "diagnoser/detect/syscalls/propagated_errors.h"

#include <gmock/gmock.h>

namespace limpet::propagated_errors_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kStart = UnixFromSeconds(1'700'000'000);

ErrorSighting OnServer(const std::string& node, const std::string& error, int second) {
  return {.node = node,
          .role = "io",
          .client = false,
          .path = "storage",
          .call = "open",
          .error = error,
          .from = kStart + seconds(second - 1),
          .to = kStart + seconds(second),
          .count = 1};
}

ErrorSighting OnClient(const std::string& error, int second) {
  auto sighting = OnServer("c01", error, second);
  sighting.client = true;
  sighting.role = "client";
  sighting.call = "write";
  return sighting;
}

TEST(PropagatedErrors, AnErrorOnBothSidesIndictsTheServer) {
  PropagatedErrors errors({}, minutes(1));
  errors.Observe(OnServer("io02", "EMFILE", 10));
  EXPECT_THAT(errors.At(kStart + seconds(10)), IsEmpty());
  errors.Observe(OnClient("EMFILE", 12));
  const auto found = errors.At(kStart + seconds(12));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].server.node, "io02");
  EXPECT_EQ(found[0].server.call, "open");
  EXPECT_EQ(found[0].client_node, "c01");
  EXPECT_EQ(found[0].client_call, "write");
}

TEST(PropagatedErrors, TheClientMaySeeItFirst) {
  PropagatedErrors errors({}, minutes(1));
  errors.Observe(OnClient("EROFS", 10));
  errors.Observe(OnServer("io02", "EROFS", 11));
  EXPECT_THAT(errors.At(kStart + seconds(11)), SizeIs(1));
}

TEST(PropagatedErrors, ThreeSecondsApartBelongTogetherAndMoreDoNot) {
  PropagatedErrors errors({}, minutes(1));
  errors.Observe(OnServer("io02", "EROFS", 10));  // in (9, 10]
  errors.Observe(OnClient("EROFS", 14));          // in (13, 14]
  EXPECT_THAT(errors.At(kStart + seconds(14)), SizeIs(1));
  PropagatedErrors others({}, minutes(1));
  others.Observe(OnServer("io02", "EROFS", 10));
  others.Observe(OnClient("EROFS", 15));
  EXPECT_THAT(others.At(kStart + seconds(15)), IsEmpty());
}

TEST(PropagatedErrors, AnotherErrorIsNotTheSame) {
  PropagatedErrors errors({}, minutes(1));
  errors.Observe(OnServer("io02", "EROFS", 10));
  errors.Observe(OnClient("ENOSPC", 10));
  EXPECT_THAT(errors.At(kStart + seconds(10)), IsEmpty());
}

TEST(PropagatedErrors, FileSystemsTranslateToEio) {
  PropagatedErrors errors({}, minutes(1));
  errors.Observe(OnServer("io02", "EMFILE", 10));
  errors.Observe(OnClient("EIO", 10));
  const auto found = errors.At(kStart + seconds(10));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].client_error, "EIO");
}

TEST(PropagatedErrors, WhatIsNormalIndictsNobody) {
  PropagatedErrors errors({{"io", {"EDQUOT"}}}, minutes(1));
  for (const auto* error : {"ENOENT", "EAGAIN", "EACCES", "EDQUOT", "ECONNRESET"}) {
    errors.Observe(OnServer("io02", error, 10));
    errors.Observe(OnClient(error, 10));
  }
  EXPECT_THAT(errors.At(kStart + seconds(10)), IsEmpty());
}

TEST(PropagatedErrors, OccurrencesAreCountedOnce) {
  PropagatedErrors errors({}, minutes(1));
  for (int second = 10; second < 15; ++second) {
    errors.Observe(OnServer("io02", "ENOSPC", second));
    errors.Observe(OnClient("ENOSPC", second));
  }
  const auto found = errors.At(kStart + seconds(15));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].server.count, 5U);
}

TEST(PropagatedErrors, EndWhenTheyHaveNotBeenSeenForLong) {
  PropagatedErrors errors({}, minutes(1));
  errors.Observe(OnServer("io02", "ENOSPC", 10));
  errors.Observe(OnClient("ENOSPC", 10));
  EXPECT_THAT(errors.At(kStart + seconds(70)), SizeIs(1));
  EXPECT_THAT(errors.At(kStart + seconds(70) + milliseconds(1)), IsEmpty());
}

TEST(PropagatedErrors, TheOrderOfPagesDoesNotMatter) {
  std::vector<ErrorSighting> sightings = {OnServer("io02", "ENOSPC", 10), OnClient("ENOSPC", 10),
                                          OnServer("io03", "EIO", 11), OnClient("EIO", 11)};
  const auto run = [](const std::vector<ErrorSighting>& given) {
    PropagatedErrors errors({}, minutes(1));
    for (const auto& one : given) {
      errors.Observe(one);
    }
    std::string text;
    for (const auto& one : errors.At(kStart + seconds(12))) {
      text += one.server.node + one.server.error + one.client_error + ";";
    }
    return text;
  };
  const auto expected = run(sightings);
  for (int turn = 0; turn < 4; ++turn) {
    std::rotate(sightings.begin(), sightings.begin() + 1, sightings.end());
    EXPECT_EQ(run(sightings), expected);
  }
}

}  // namespace
}  // namespace limpet::propagated_errors_test
