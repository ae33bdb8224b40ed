#include "exporter/common/web/password.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>

#include "tests/support/manual_clock.h"

namespace limpet::web::password_test {
namespace {

using Verdict = PasswordChecker::Verdict;

// Of "secret", at the least cost there is, from htpasswd -nbBC 4.
const std::string kHash = "$2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q";

constexpr ClientKey kClient = 1;
// Time passes with every look at it, and with it the brake: most tests are about other things.
class HurriedClock final : public Clock {
 public:
  UnixTime Now() const override { return {}; }
  SteadyTime Steady() const override { return SteadyTime(std::chrono::seconds(++looks_)); }

 private:
  mutable std::atomic<int> looks_ = 0;
};
const HurriedClock kClock;

// Waits for the verdict.
Verdict Ask(PasswordChecker& checker, const Credentials& credentials) {
  std::promise<Verdict> later;
  const auto now =
      checker.Check(credentials, kClient, [&](Verdict verdict) { later.set_value(verdict); });
  return now ? *now : later.get_future().get();
}

// What is known without bcrypt.
std::optional<Verdict> Known(PasswordChecker& checker, const Credentials& credentials) {
  return checker.Check(credentials, kClient, [](Verdict) {});
}

TEST(Bcrypt, KnowsAHashAndItsCost) {
  EXPECT_EQ(BcryptCost(kHash), 4);
  EXPECT_EQ(BcryptCost("$2b$10$" + kHash.substr(7)), 10);
  for (const auto& text : {std::string(), std::string("secret"), kHash.substr(1),
                           "$1$10$" + kHash.substr(6), "$2y$03$" + kHash.substr(7),
                           "$2y$32$" + kHash.substr(7), kHash.substr(0, 59) + "!", kHash + "."}) {
    EXPECT_EQ(BcryptCost(text), std::nullopt) << text;
  }
}

TEST(Bcrypt, MatchesThePasswordAlone) {
  EXPECT_TRUE(BcryptMatches("secret", kHash));
  EXPECT_FALSE(BcryptMatches("Secret", kHash));
  EXPECT_FALSE(BcryptMatches("", kHash));
  EXPECT_FALSE(BcryptMatches(std::string(5000, 'x'), kHash));
  EXPECT_FALSE(BcryptMatches("secret", "nonsense"));
}

TEST(SameText, ComparesWholeTexts) {
  EXPECT_TRUE(SameText("", ""));
  EXPECT_TRUE(SameText("abc", "abc"));
  EXPECT_FALSE(SameText("abc", "abd"));
  EXPECT_FALSE(SameText("abc", "abcd"));
  EXPECT_FALSE(SameText("", "a"));
}

TEST(PasswordChecker, LetsTheRightOneIn) {
  PasswordChecker checker({{"scraper", kHash}}, kClock);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Ask(checker, {"scraper", "Secret"}), Verdict::kWrong);
  EXPECT_EQ(Ask(checker, {"scraper", ""}), Verdict::kWrong);
  EXPECT_EQ(Ask(checker, {"nobody", "secret"}), Verdict::kWrong);
}

TEST(PasswordChecker, NoPasswordFitsTheHashOfUnknownUsers) {
  PasswordChecker checker({{"scraper", kHash}}, kClock);
  for (const auto* password : {"", "9", "secret", "password"}) {
    EXPECT_EQ(Ask(checker, {"nobody", password}), Verdict::kWrong);
  }
}

TEST(PasswordChecker, RemembersBothVerdicts) {
  PasswordChecker checker({{"scraper", kHash}}, kClock);
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), std::nullopt);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Ask(checker, {"scraper", "wrong"}), Verdict::kWrong);
  EXPECT_EQ(Known(checker, {"scraper", "wrong"}), Verdict::kWrong);
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
}

TEST(PasswordChecker, ManyWrongOnesDoNotPushOutTheRightOne) {
  PasswordChecker checker({{"scraper", kHash}}, kClock);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(Ask(checker, {"scraper", std::to_string(i)}), Verdict::kWrong);
  }
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Known(checker, {"scraper", "0"}), std::nullopt);  // forgotten: memory is bounded
}

TEST(PasswordChecker, AFullQueueIsBusyButNotForThoseItKnows) {
  std::promise<void> go_on;
  const auto released = go_on.get_future().share();
  PasswordChecker checker({{"scraper", kHash}}, kClock, 2);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  std::promise<void> held;
  // The worker is held in this callback, and its entry has left the queue by then.
  EXPECT_EQ(checker.Check({"scraper", "a"}, kClient,
                          [&](Verdict) {
                            held.set_value();
                            released.wait();
                          }),
            std::nullopt);
  held.get_future().wait();
  std::atomic<int> answers = 0;
  const auto count = [&](Verdict verdict) { answers += verdict == Verdict::kWrong ? 1 : 100; };
  EXPECT_EQ(checker.Check({"scraper", "b"}, kClient, count), std::nullopt);
  EXPECT_EQ(checker.Check({"scraper", "c"}, kClient, count), std::nullopt);
  EXPECT_EQ(checker.Check({"scraper", "d"}, kClient, count), Verdict::kBusy);
  EXPECT_EQ(checker.Check({"scraper", "b"}, kClient, count), std::nullopt);  // shares a place
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
  go_on.set_value();
  EXPECT_EQ(Ask(checker, {"scraper", "c"}), Verdict::kWrong);
  EXPECT_EQ(answers, 3);
}

TEST(PasswordChecker, GuessesOfOneClientAreBrakedOthersAndTheRightOneAreNot) {
  const limpet::testing::ManualClock clock;
  PasswordChecker checker({{"scraper", kHash}}, clock);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  int wrong = 0;
  for (int i = 0; i < 200; ++i) {
    const auto verdict = Ask(checker, {"scraper", std::to_string(i)});
    wrong += verdict == Verdict::kWrong ? 1 : 0;
    EXPECT_TRUE(verdict == Verdict::kWrong || verdict == Verdict::kTooMany);
  }
  EXPECT_EQ(wrong, 10);
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(checker.Check({"scraper", "guess"}, kClient + 1, [](Verdict) {}), std::nullopt);
}

TEST(PasswordChecker, AFirstAttemptGoesBeforeTheGuessesOfAnother) {
  const limpet::testing::ManualClock clock;
  std::promise<void> go_on;
  const auto released = go_on.get_future().share();
  PasswordChecker checker({{"scraper", kHash}}, clock);
  std::atomic<int> guesses = 0;
  std::atomic<int> guesses_before = -1;
  std::promise<void> over;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(checker.Check({"scraper", std::to_string(i)}, kClient,
                            [&](Verdict) {
                              released.wait();
                              ++guesses;
                            }),
              std::nullopt);
  }
  EXPECT_EQ(checker.Check({"scraper", "secret"}, kClient + 1,
                          [&](Verdict verdict) {
                            EXPECT_EQ(verdict, Verdict::kRight);
                            guesses_before = guesses.load();
                            over.set_value();
                          }),
            std::nullopt);
  go_on.set_value();
  over.get_future().wait();
  EXPECT_LE(guesses_before, 2);  // one that was being checked, and perhaps the one after it
}

TEST(PasswordChecker, AFullQueueMakesRoomForAFirstAttempt) {
  const limpet::testing::ManualClock clock;
  std::promise<void> go_on;
  const auto released = go_on.get_future().share();
  std::vector<Verdict> guesses;
  std::promise<Verdict> first;
  {
    PasswordChecker checker({{"scraper", kHash}}, clock, 3);
    std::promise<void> held;
    EXPECT_EQ(checker.Check({"scraper", "held"}, kClient + 2,
                            [&](Verdict) {
                              held.set_value();
                              released.wait();
                            }),
              std::nullopt);
    held.get_future().wait();
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(checker.Check({"scraper", std::to_string(i)}, kClient,
                              [&](Verdict verdict) { guesses.push_back(verdict); }),
                std::nullopt);
    }
    EXPECT_EQ(checker.Check({"scraper", "secret"}, kClient + 1,
                            [&](Verdict verdict) { first.set_value(verdict); }),
              std::nullopt);
    ASSERT_EQ(guesses.size(), 1U);  // and the worker is held, so it is this one that had to go
    EXPECT_EQ(guesses.front(), Verdict::kBusy);
    go_on.set_value();
    EXPECT_EQ(first.get_future().get(), Verdict::kRight);
  }
}

TEST(PasswordChecker, FourOfAClientWaitAtOnce) {
  const limpet::testing::ManualClock clock;
  std::promise<void> go_on;
  const auto released = go_on.get_future().share();
  PasswordChecker checker({{"scraper", kHash}}, clock);
  std::promise<void> held;
  EXPECT_EQ(checker.Check({"scraper", "held"}, kClient + 1,
                          [&](Verdict) {
                            held.set_value();
                            released.wait();
                          }),
            std::nullopt);
  held.get_future().wait();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(Known(checker, {"scraper", std::to_string(i)}), std::nullopt);
  }
  EXPECT_EQ(Known(checker, {"scraper", "4"}), Verdict::kTooMany);
  go_on.set_value();
}

TEST(PasswordChecker, AReloadKeepsTheRightOnesOfUsersThatHaveNotChanged) {
  PasswordChecker checker({{"scraper", kHash}, {"other", kHash}}, kClock);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Ask(checker, {"other", "secret"}), Verdict::kRight);
  auto another = kHash;
  another.back() = another.back() == 'q' ? 'a' : 'q';
  PasswordChecker reloaded({{"scraper", kHash}, {"other", another}}, kClock);
  reloaded.Inherit(checker);
  EXPECT_EQ(Known(reloaded, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Ask(reloaded, {"other", "secret"}), Verdict::kWrong);
}

// Of a thread of this process, by its name; nullopt when there is none.
std::optional<int> Niceness(std::string_view name) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string found;
    std::ifstream(task.path() / "comm") >> found;
    if (found == name) {
      return ::getpriority(PRIO_PROCESS,
                           static_cast<id_t>(std::stoi(task.path().filename().string())));
    }
  }
  return std::nullopt;
}

TEST(PasswordChecker, ComputesAtOrdinaryPriority) {
  PasswordChecker checker({{"scraper", kHash}}, kClock);
  EXPECT_EQ(Ask(checker, {"scraper", "wrong"}), Verdict::kWrong);  // so the thread has begun
  EXPECT_EQ(Niceness("password"), std::max(0, ::getpriority(PRIO_PROCESS, 0)));
}

TEST(PasswordChecker, ThoseStillWaitingAtTheEndHearBusy) {
  std::atomic<int> busy = 0;
  std::promise<void> held;
  std::promise<void> go_on;
  const auto released = go_on.get_future().share();
  {
    PasswordChecker checker({{"scraper", kHash}}, kClock);
    static_cast<void>(checker.Check({"scraper", "a"}, kClient, [&](Verdict) {
      held.set_value();
      released.wait();
    }));
    held.get_future().wait();
    static_cast<void>(checker.Check({"scraper", "b"}, kClient, [&](Verdict verdict) {
      busy += verdict == Verdict::kBusy ? 1 : 0;
    }));
    go_on.set_value();
  }
  EXPECT_LE(busy, 1);  // 0 when the worker was quicker than the destructor
}

}  // namespace
}  // namespace limpet::web::password_test
