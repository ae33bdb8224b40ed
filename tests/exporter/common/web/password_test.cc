#include "exporter/common/web/password.h"

#include <atomic>
#include <future>

namespace limpet::web {
namespace {

using Verdict = PasswordChecker::Verdict;

// Of "secret", at the least cost there is, from htpasswd -nbBC 4.
const std::string kHash = "$2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q";

// Waits for the verdict.
Verdict Ask(PasswordChecker& checker, const Credentials& credentials) {
  std::promise<Verdict> later;
  const auto now = checker.Check(credentials, [&](Verdict verdict) { later.set_value(verdict); });
  return now ? *now : later.get_future().get();
}

// What is known without bcrypt.
std::optional<Verdict> Known(PasswordChecker& checker, const Credentials& credentials) {
  return checker.Check(credentials, [](Verdict) {});
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
  PasswordChecker checker({{"scraper", kHash}});
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Ask(checker, {"scraper", "Secret"}), Verdict::kWrong);
  EXPECT_EQ(Ask(checker, {"scraper", ""}), Verdict::kWrong);
  EXPECT_EQ(Ask(checker, {"nobody", "secret"}), Verdict::kWrong);
}

TEST(PasswordChecker, NoPasswordFitsTheHashOfUnknownUsers) {
  PasswordChecker checker({{"scraper", kHash}});
  for (const auto* password : {"", "9", "secret", "password"}) {
    EXPECT_EQ(Ask(checker, {"nobody", password}), Verdict::kWrong);
  }
}

TEST(PasswordChecker, RemembersBothVerdicts) {
  PasswordChecker checker({{"scraper", kHash}});
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), std::nullopt);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
  EXPECT_EQ(Ask(checker, {"scraper", "wrong"}), Verdict::kWrong);
  EXPECT_EQ(Known(checker, {"scraper", "wrong"}), Verdict::kWrong);
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
}

TEST(PasswordChecker, ManyWrongOnesDoNotPushOutTheRightOne) {
  PasswordChecker checker({{"scraper", kHash}});
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
  PasswordChecker checker({{"scraper", kHash}}, 2);
  EXPECT_EQ(Ask(checker, {"scraper", "secret"}), Verdict::kRight);
  std::promise<void> held;
  // The worker is held in this callback, and its entry has left the queue by then.
  EXPECT_EQ(checker.Check({"scraper", "a"},
                          [&](Verdict) {
                            held.set_value();
                            released.wait();
                          }),
            std::nullopt);
  held.get_future().wait();
  std::atomic<int> answers = 0;
  const auto count = [&](Verdict verdict) { answers += verdict == Verdict::kWrong ? 1 : 100; };
  EXPECT_EQ(checker.Check({"scraper", "b"}, count), std::nullopt);
  EXPECT_EQ(checker.Check({"scraper", "c"}, count), std::nullopt);
  EXPECT_EQ(checker.Check({"scraper", "d"}, count), Verdict::kBusy);
  EXPECT_EQ(checker.Check({"scraper", "b"}, count), std::nullopt);  // shares a place
  EXPECT_EQ(Known(checker, {"scraper", "secret"}), Verdict::kRight);
  go_on.set_value();
  EXPECT_EQ(Ask(checker, {"scraper", "c"}), Verdict::kWrong);
  EXPECT_EQ(answers, 3);
}

TEST(PasswordChecker, ThoseStillWaitingAtTheEndHearBusy) {
  std::atomic<int> busy = 0;
  std::promise<void> held;
  std::promise<void> go_on;
  const auto released = go_on.get_future().share();
  {
    PasswordChecker checker({{"scraper", kHash}});
    static_cast<void>(checker.Check({"scraper", "a"}, [&](Verdict) {
      held.set_value();
      released.wait();
    }));
    held.get_future().wait();
    static_cast<void>(checker.Check(
        {"scraper", "b"}, [&](Verdict verdict) { busy += verdict == Verdict::kBusy ? 1 : 0; }));
    go_on.set_value();
  }
  EXPECT_LE(busy, 1);  // 0 when the worker was quicker than the destructor
}

}  // namespace
}  // namespace limpet::web
