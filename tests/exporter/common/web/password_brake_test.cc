#include "exporter/common/web/password_brake.h"

#include <gtest/gtest.h>

namespace limpet::web::password_brake_test {
namespace {

constexpr SteadyTime kNow{std::chrono::hours(1)};

int AttemptsAt(PasswordBrake& brake, ClientKey client, SteadyTime now) {
  int attempts = 0;
  while (attempts < 100 && brake.TakeAttempt(client, now)) {
    ++attempts;
  }
  return attempts;
}

TEST(PasswordBrake, TenAtOnceThenFiveASecond) {
  PasswordBrake brake;
  EXPECT_EQ(AttemptsAt(brake, 1, kNow), 10);
  EXPECT_EQ(AttemptsAt(brake, 1, kNow + std::chrono::milliseconds(100)), 0);
  EXPECT_EQ(AttemptsAt(brake, 1, kNow + std::chrono::seconds(1)), 5);
  EXPECT_EQ(AttemptsAt(brake, 1, kNow + std::chrono::hours(1)), 10);
}

TEST(PasswordBrake, OneClientDoesNotBrakeAnother) {
  PasswordBrake brake;
  EXPECT_EQ(AttemptsAt(brake, 1, kNow), 10);
  EXPECT_TRUE(brake.TakeAttempt(2, kNow));
}

TEST(PasswordBrake, ARightPasswordTakesNone) {
  PasswordBrake brake;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(brake.TakeAttempt(1, kNow));
    brake.Forgive(1);
  }
  brake.Forgive(2);  // whom it does not know
}

TEST(PasswordBrake, RemembersThoseWhoGuessMost) {
  PasswordBrake brake;
  EXPECT_EQ(AttemptsAt(brake, 1, kNow), 10);
  for (ClientKey client = 2; client < 5000; ++client) {
    EXPECT_TRUE(brake.TakeAttempt(client, kNow));
  }
  EXPECT_EQ(brake.Clients(), PasswordBrake::kMaxClients);
  EXPECT_FALSE(brake.TakeAttempt(1, kNow));
}

}  // namespace
}  // namespace limpet::web::password_brake_test
