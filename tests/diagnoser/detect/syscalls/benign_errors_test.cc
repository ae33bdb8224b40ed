#include "diagnoser/detect/syscalls/benign_errors.h"

#include <gtest/gtest.h>

namespace limpet::benign_errors_test {
namespace {

TEST(BenignErrors, WhatProgramsMeetEveryDayIsBenignWithoutTraining) {
  for (const auto* error : {"EAGAIN", "ENOENT", "EINTR", "EINPROGRESS", "EEXIST", "ERESTARTSYS"}) {
    EXPECT_TRUE(IsAlwaysBenign(error)) << error;
  }
}

TEST(BenignErrors, WhatMeansThatAServerIsIllIsNot) {
  for (const auto* error : {"EMFILE", "ENFILE", "ENOSPC", "EDQUOT", "EROFS", "EIO", "EFBIG",
                            "ENOMEM", "ESTALE", "unknown:117"}) {
    EXPECT_FALSE(IsAlwaysBenign(error)) << error;
  }
}

TEST(BenignErrors, ErrorsOfConnectionsAreForTheRulesOfCrashes) {
  EXPECT_TRUE(IsConnectionError("ECONNREFUSED"));
  EXPECT_TRUE(IsAlwaysBenign("ECONNRESET"));
  EXPECT_FALSE(IsConnectionError("EIO"));
}

TEST(BenignErrors, TrainingAddsThoseOfARole) {
  const LearnedErrors learned = {{"io", {"EDQUOT"}}};
  EXPECT_TRUE(IsBenign(learned, "io", "EDQUOT"));
  EXPECT_FALSE(IsBenign(learned, "meta", "EDQUOT"));
  EXPECT_FALSE(IsBenign(learned, "io", "EROFS"));
  EXPECT_TRUE(IsBenign(learned, "meta", "ENOENT"));
}

}  // namespace
}  // namespace limpet::benign_errors_test
