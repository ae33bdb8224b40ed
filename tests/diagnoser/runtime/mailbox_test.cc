#include "diagnoser/runtime/mailbox.h"

#include <gmock/gmock.h>

#include <string>
#include <thread>

namespace limpet::mailbox_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Reload {
  int number = 0;
  bool operator==(const Reload&) const = default;
};
struct Targets {
  int number = 0;
  bool operator==(const Targets&) const = default;
};
using Message = std::variant<std::string, Reload, Targets>;

// Room for some messages of `bytes`.
constexpr std::size_t Room(std::size_t messages, std::size_t bytes) {
  return messages * (sizeof(Message) + bytes);
}

SteadyTime In(Duration wait) { return RealClock().Steady() + wait; }

TEST(Mailbox, HandsOutAllThatIsThereInTheOrderItCame) {
  Mailbox<Message> mailbox(Room(2, 1));
  EXPECT_TRUE(mailbox.Offer("a", 1));
  mailbox.Replace(Reload{1});
  EXPECT_TRUE(mailbox.Offer("b", 1));
  EXPECT_THAT(mailbox.Receive(In(1h)), ElementsAre(Message("a"), Message(Reload{1}), Message("b")));
  EXPECT_THAT(mailbox.Receive(In(0s)), IsEmpty());
}

TEST(Mailbox, RefusesWhatDoesNotFitAndCountsIt) {
  Mailbox<Message> mailbox(Room(1, 100));
  EXPECT_TRUE(mailbox.Offer("large", 1000));  // the first is always let in
  EXPECT_FALSE(mailbox.Offer("small", 1));
  EXPECT_EQ(mailbox.Refused(), 1U);
  mailbox.Replace(Reload{1});  // never refused
  EXPECT_EQ(mailbox.Receive(In(0s)).size(), 2U);
  EXPECT_TRUE(mailbox.Offer("a", 60));
  EXPECT_FALSE(mailbox.Offer("b", 60));
  EXPECT_EQ(mailbox.Refused(), 2U);
}

// Ten thousand targets that refuse connections have no bytes to count.
TEST(Mailbox, MessagesWithoutBytesAreBoundedToo) {
  Mailbox<Message> mailbox(Room(3, 0));
  int taken = 0;
  for (int i = 0; i < 10; ++i) {
    taken += mailbox.Offer("", 0) ? 1 : 0;
  }
  EXPECT_EQ(taken, 3);
}

TEST(Mailbox, OnlyTheLatestOfATypeIsKeptBehindWhatCameBefore) {
  Mailbox<Message> mailbox(100);
  mailbox.Replace(Targets{1});
  (void)mailbox.Offer("page", 1);
  mailbox.Replace(Targets{2});
  EXPECT_THAT(mailbox.Receive(In(0s)), ElementsAre(Message("page"), Message(Targets{2})));
}

TEST(Mailbox, AMessageMaySupersedeThoseOfOtherTypes) {
  Mailbox<Message> mailbox(100);
  mailbox.Replace(Targets{1});
  mailbox.Replace<Targets>(Reload{1});
  mailbox.Replace(Targets{2});
  EXPECT_THAT(mailbox.Receive(In(0s)), ElementsAre(Message(Reload{1}), Message(Targets{2})));
}

TEST(Mailbox, AWaitingReceiveEndsWithAMessageOrWithClose) {
  Mailbox<Message> mailbox(100);
  std::thread sender([&] { (void)mailbox.Offer("a", 1); });
  EXPECT_THAT(mailbox.Receive(In(1h)), ElementsAre(Message("a")));
  sender.join();
  std::thread closer([&] { mailbox.Close(); });
  EXPECT_THAT(mailbox.Receive(), IsEmpty());
  closer.join();
  EXPECT_TRUE(mailbox.Closed());
}

TEST(Mailbox, AReceiveThatLingersTakesWhatComesMeanwhileAndEndsWithClose) {
  Mailbox<Message> mailbox(Room(2, 1));
  (void)mailbox.Offer("first", 1);
  std::thread sender([&] {
    (void)mailbox.Offer("second", 1);
    mailbox.Close();
  });
  EXPECT_THAT(mailbox.Receive(In(1h), 1h), ElementsAre(Message("first"), Message("second")));
  sender.join();
}

// The reader of a store waits until its batch is done before it asks for the next.
TEST(Mailbox, WhatReplacesIsNotKeptWaiting) {
  Mailbox<Message> mailbox(Room(1, 1));
  mailbox.Replace(Reload{1});
  EXPECT_THAT(mailbox.Receive(In(1h), 1h), ElementsAre(Message(Reload{1})));
  (void)mailbox.Offer("a", 1);
  std::thread sender([&] { mailbox.Replace(Reload{2}); });
  EXPECT_THAT(mailbox.Receive(In(1h), 1h), ElementsAre(Message("a"), Message(Reload{2})));
  sender.join();
}

TEST(Mailbox, NobodyLingersBeyondTheDeadline) {
  Mailbox<Message> mailbox(Room(1, 1));
  (void)mailbox.Offer("a", 1);
  EXPECT_THAT(mailbox.Receive(In(1ms), 1h), ElementsAre(Message("a")));
}

TEST(Mailbox, WhatIsThereWhenItIsClosedIsStillReceived) {
  Mailbox<Message> mailbox(100);
  mailbox.Replace(Reload{1});
  mailbox.Close();
  EXPECT_THAT(mailbox.Receive(), ElementsAre(Message(Reload{1})));
  EXPECT_THAT(mailbox.Receive(), IsEmpty());
}

TEST(Mailbox, FromManyThreadsNothingIsLost) {
  Mailbox<Message> mailbox(1'000'000);
  std::vector<std::thread> senders;
  for (int i = 0; i < 4; ++i) {
    senders.emplace_back([&] {
      for (int j = 0; j < 500; ++j) {
        (void)mailbox.Offer("x", 1);
        mailbox.Replace(Reload{j});
      }
    });
  }
  std::size_t pages = 0;
  while (pages < 2000) {
    for (const auto& message : mailbox.Receive()) {
      pages += std::holds_alternative<std::string>(message) ? 1U : 0U;
    }
  }
  for (auto& sender : senders) {
    sender.join();
  }
  EXPECT_EQ(mailbox.Refused(), 0U);
}

}  // namespace
}  // namespace limpet::mailbox_test
