#include "diagnoser/runtime/incident_keeper.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/support/fake_fetcher.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_folder.h"

namespace limpet::incident_keeper_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = IncidentChange::Kind;

class IncidentKeeperTest : public ::testing::Test {
 protected:
  IncidentKeeper& Start(bool own_thread = false) {
    keeper_.reset();
    keeper_.emplace(
        IncidentKeeper::Options{
            .folder = folder_.Path(), .fetcher = &fetcher_, .own_thread = own_thread},
        settings_, clock_, [this](LogLevel, std::string_view line) { log_.emplace_back(line); });
    return *keeper_;
  }
  IncidentChange Change(int number, Kind kind = Kind::kBegan) const {
    IncidentRecord record;
    record.node = "io" + std::to_string(number);
    record.id = IncidentId("", record.node, "disk", clock_.Now());
    record.family = "disk";
    record.cause = "disk-busy";
    record.metric = "await";
    record.since = record.named = record.last = clock_.Now();
    record.indicted = true;
    record.text = record.node + ": disk-busy";
    record.document = "{}";
    if (kind == Kind::kEnded) {
      record.ended = clock_.Now();
      record.ending = "like its peers";
    }
    return {.kind = kind, .record = record, .named = kind == Kind::kBegan};
  }
  std::vector<IncidentRecord> All() {
    std::vector<IncidentRecord> all;
    EXPECT_TRUE(keeper_->Ask([&](IncidentStore& store) -> std::optional<Error> {
      all = *store.List({.to = UnixTime::max()});
      return std::nullopt;
    }));
    keeper_->Step();
    return all;
  }
  void Answer(const std::string& id, AnswerKind kind, std::optional<UnixTime> until = {}) {
    // As `limpet-diagnoser answer` does beside us.
    auto store = *IncidentStore::Open(folder_.Path("history.db"), Database::Access::kReadWrite);
    ASSERT_TRUE(store.Add({.incident = id, .at = clock_.Now(), .kind = kind, .until = until}));
  }

  const testing::TempFolder folder_;
  testing::ManualClock clock_;
  testing::FakeFetcher fetcher_{clock_};
  IncidentSettings settings_;
  std::vector<std::string> log_;
  std::optional<IncidentKeeper> keeper_;
};

TEST_F(IncidentKeeperTest, WhatWasPutIsKnownAfterTheNextStart) {
  auto& keeper = Start();
  keeper.Put({Change(1), Change(2)});
  EXPECT_TRUE(keeper.WaitWritten(1s));
  keeper.Put({Change(2, Kind::kEnded)});
  EXPECT_TRUE(Start().Status().on_disk);
  EXPECT_THAT(keeper_->Recent(), SizeIs(2));
  EXPECT_THAT(All(), SizeIs(2));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(IncidentKeeperTest, WithoutAFolderNobodyWaitsForADisk) {
  IncidentKeeper keeper({.own_thread = false}, settings_, clock_,
                        [](LogLevel, std::string_view) {});
  keeper.Put({Change(1)});
  EXPECT_TRUE(keeper.WaitWritten(1s));
}

TEST_F(IncidentKeeperTest, ItsThreadWritesWhileOthersGoOn) {
  auto& keeper = Start(true);
  for (int i = 0; i < 100; ++i) {
    keeper.Put({Change(i)});
  }
  EXPECT_TRUE(keeper.WaitWritten(10s));
  EXPECT_EQ(keeper.Status().dropped, 0U);
  keeper_.reset();
  EXPECT_THAT(Start().Recent(), SizeIs(100));
}

// A year's list took 0.3 s, and the diagnosis waited for it with each new incident.
TEST_F(IncidentKeeperTest, AQuestionThatTakesLongKeepsNothingFromBeingWritten) {
  auto& keeper = Start(true);
  std::promise<void> asked;
  std::promise<void> enough;
  ASSERT_TRUE(keeper.Read([&](IncidentStore& store) -> std::optional<Error> {
    EXPECT_THAT(*store.List({.to = UnixTime::max()}), IsEmpty());
    asked.set_value();
    enough.get_future().wait();
    return std::nullopt;
  }));
  asked.get_future().wait();
  keeper.Put({Change(1)});
  EXPECT_TRUE(keeper.WaitWritten(10s));
  enough.set_value();
}

TEST_F(IncidentKeeperTest, AQuestionFindsWhatHasJustBeenWritten) {
  auto& keeper = Start(true);
  for (std::size_t i = 1; i <= 20; ++i) {
    keeper.Put({Change(static_cast<int>(i))});
    ASSERT_TRUE(keeper.WaitWritten(10s));
    std::promise<std::size_t> found;
    ASSERT_TRUE(keeper.Read([&](IncidentStore& store) -> std::optional<Error> {
      found.set_value(store.List({.to = UnixTime::max()})->size());
      return std::nullopt;
    }));
    EXPECT_EQ(found.get_future().get(), i);
  }
}

TEST_F(IncidentKeeperTest, AFileThatAQuestionFindsDamagedIsReplaced) {
  auto& keeper = Start(true);
  keeper.Put({Change(1)});
  ASSERT_TRUE(keeper.WaitWritten(10s));
  ASSERT_TRUE(keeper.Read([](IncidentStore&) -> std::optional<Error> {
    return Error{ErrorCode::kInvalid, "database disk image is malformed", ""};
  }));
  for (int i = 0; i < 1000 && !std::filesystem::exists(folder_.Path("history.db.refused")); ++i) {
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_.Path("history.db.refused")));
  EXPECT_THAT(Start().Recent(), SizeIs(1));
}

TEST_F(IncidentKeeperTest, WhatIsNoHistoryIsSetAsideAndSaid) {
  std::ofstream(folder_.Path("history.db")) << std::string(10'000, 'x');
  auto& keeper = Start();
  ASSERT_THAT(log_, SizeIs(1));
  EXPECT_THAT(log_[0], HasSubstr("history.db.refused"));
  EXPECT_TRUE(std::filesystem::exists(folder_.Path("history.db.refused")));
  keeper.Put({Change(1)});
  EXPECT_TRUE(keeper.WaitWritten(1s));
}

TEST_F(IncidentKeeperTest, AFileOfTenGibibytesIsSetAsideUnread) {
  std::ofstream(folder_.Path("history.db")) << "";
  std::filesystem::resize_file(folder_.Path("history.db"), std::uintmax_t{10} << 30U);
  (void)Start();
  ASSERT_THAT(log_, SizeIs(1));
  EXPECT_THAT(log_[0], HasSubstr("has 10737418240 bytes, expected at most"));
}

TEST_F(IncidentKeeperTest, WithoutADiskItIsKeptInMemoryAndWrittenLater) {
  const auto path = folder_.Path("history.db");
  std::filesystem::create_directory(path);  // nothing can be written there
  auto& keeper = Start();
  EXPECT_FALSE(keeper.Status().on_disk);
  EXPECT_THAT(log_, SizeIs(1));
  keeper.Put({Change(1)});
  EXPECT_FALSE(keeper.WaitWritten(0s));
  EXPECT_THAT(All(), SizeIs(1));
  std::filesystem::remove(path);
  clock_.Advance(HistoryFile::kRetry + 1s);
  keeper.Step();
  keeper.Step();
  EXPECT_TRUE(keeper.Status().on_disk);
  EXPECT_THAT(All(), SizeIs(1));
  EXPECT_THAT(log_, SizeIs(2));
  EXPECT_THAT(Start().Recent(), SizeIs(1));
}

TEST_F(IncidentKeeperTest, AFileThatIsDamagedWhileWeRunIsReplaced) {
  auto& keeper = Start();
  keeper.Put({Change(1)});
  (void)keeper.WaitWritten(1s);
  const auto gone = keeper.Ask([](IncidentStore&) -> std::optional<Error> {
    return Error{ErrorCode::kInvalid, "database disk image is malformed", ""};
  });
  EXPECT_TRUE(gone);
  keeper.Step();
  EXPECT_TRUE(keeper.Status().on_disk);
  EXPECT_THAT(All(), SizeIs(1));  // those that are open go on
  EXPECT_TRUE(std::filesystem::exists(folder_.Path("history.db.refused")));
}

TEST_F(IncidentKeeperTest, AnswersOfAnotherProcessCount) {
  auto& keeper = Start();
  const auto change = Change(1);
  keeper.Put({change, Change(2)});
  keeper.Step();
  Answer(change.record.id, AnswerKind::kKnown);
  keeper.Step();
  EXPECT_EQ(keeper.Book()->answers.at(change.record.id), "known");
  EXPECT_EQ(keeper.Book()->precision.at(0).right, 1U);
  Answer(Change(2).record.id, AnswerKind::kMaintenance, clock_.Now() + 2h);
  keeper.Step();
  EXPECT_THAT(keeper.Book()->masks,
              ElementsAre(IncidentBook::Mask{.node = "io2", .until = clock_.Now() + 2h}));
  clock_.Advance(3h);
  keeper.Step();
  EXPECT_THAT(keeper.Book()->masks, IsEmpty());
}

TEST_F(IncidentKeeperTest, ASinkThatFailsIsToldLaterAndInOrder) {
  settings_.sinks = {{.name = "hook", .endpoint = {.host = "sink", .port = 80}}};
  bool works = false;
  fetcher_.answers["sink"] = [&] {
    return works ? FetchResult{.status = 200}
                 : FetchResult{.failure = FetchFailure::kStatus, .error = "got 500"};
  };
  auto& keeper = Start();
  const auto change = Change(1);
  keeper.Put({change});
  keeper.Put({Change(1, Kind::kEnded)});
  for (int i = 0; i < 600; ++i) {  // ten minutes
    keeper.Step();
    fetcher_.Run(1s);
  }
  EXPECT_EQ(keeper.Status().sinks.at("hook").waiting, 2);
  EXPECT_GE(keeper.Status().sinks.at("hook").failed, 5U);
  EXPECT_LE(keeper.Status().sinks.at("hook").failed, 10U);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("hook: got 500")));
  works = true;
  fetcher_.sent.clear();
  for (int i = 0; i < 620; ++i) {
    keeper.Step();
    fetcher_.Run(1s);
  }
  ASSERT_THAT(fetcher_.sent, SizeIs(2));
  EXPECT_THAT(fetcher_.sent[0], HasSubstr("limpet.verdict.began"));
  EXPECT_THAT(fetcher_.sent[1], HasSubstr("limpet.verdict.ended"));
  EXPECT_EQ(keeper.Status().sinks.at("hook").waiting, 0);
  EXPECT_EQ(keeper.Status().sinks.at("hook").sent, 2U);
}

TEST_F(IncidentKeeperTest, ASinkThatFailsForADayIsAskedRarelyAndThenToldAll) {
  settings_.sinks = {{.name = "hook", .endpoint = {.host = "sink", .port = 80}}};
  bool works = false;
  fetcher_.answers["sink"] = [&] {
    return works ? FetchResult{.status = 200}
                 : FetchResult{.failure = FetchFailure::kStatus, .error = "got 500"};
  };
  auto& keeper = Start();
  for (int quarter = 0; quarter < 24 * 4; ++quarter) {
    keeper.Put({Change(quarter)});
    for (int i = 0; i < 45; ++i) {
      keeper.Step();
      fetcher_.Run(20s);
    }
  }
  EXPECT_LE(keeper.Status().sinks.at("hook").failed, 24U * 6 + 8);
  EXPECT_EQ(keeper.Status().sinks.at("hook").waiting, 24 * 4);
  works = true;
  for (int i = 0; i < 1000; ++i) {
    keeper.Step();
    fetcher_.Run(1s);
  }
  EXPECT_EQ(keeper.Status().sinks.at("hook").sent, 24U * 4);
  EXPECT_EQ(keeper.Status().dropped, 0U);
}

TEST_F(IncidentKeeperTest, ASinkThatWantsToBeLeftAloneIsLeftAlone) {
  settings_.sinks = {{.name = "hook", .endpoint = {.host = "sink", .port = 80}}};
  fetcher_.answers["sink"] = [&] {
    return FetchResult{.failure = FetchFailure::kStatus, .error = "got 429", .retry_after = 3h};
  };
  auto& keeper = Start();
  keeper.Put({Change(1)});
  for (int i = 0; i < 600; ++i) {
    keeper.Step();
    fetcher_.Run(5s);
  }
  EXPECT_EQ(keeper.Status().sinks.at("hook").failed, 2U);  // every half hour at least
}

// A receiver leaves out what it has had, which it knows by the id of the event.
TEST_F(IncidentKeeperTest, TwoAnswersAtOnceAreTwoEvents) {
  settings_.sinks = {{.name = "hook", .endpoint = {.host = "sink", .port = 80}}};
  fetcher_.answers["sink"] = [] { return FetchResult{.status = 200}; };
  auto& keeper = Start();
  const auto change = Change(1);
  keeper.Put({change});
  keeper.Step();
  Answer(change.record.id, AnswerKind::kKnown);
  Answer(change.record.id, AnswerKind::kScrub);
  std::set<std::string> ids;
  for (int i = 0; i < 10; ++i) {
    keeper.Step();
    fetcher_.Run(1s);
  }
  for (const auto& body : fetcher_.sent) {
    ids.insert(nlohmann::json::parse(body)["id"]);
  }
  EXPECT_THAT(ids, SizeIs(3));
  EXPECT_THAT(fetcher_.sent, SizeIs(3));
}

TEST_F(IncidentKeeperTest, AnAnswerToAnIncidentThatGoesOnHoldsForYears) {
  auto& keeper = Start();
  const auto change = Change(1);
  keeper.Put({change});
  keeper.Step();
  Answer(change.record.id, AnswerKind::kKnown);
  clock_.Advance(24h * 300);
  keeper.Step();
  EXPECT_EQ(keeper.Book()->answers.at(change.record.id), "known");
  EXPECT_THAT(keeper.Book()->precision, IsEmpty());  // of 90 days
}

TEST_F(IncidentKeeperTest, AnAnswerToAnIncidentThatIsOverCountsForPrecisionAlone) {
  auto& keeper = Start();
  const auto change = Change(1);
  keeper.Put({change});
  keeper.Put({Change(1, Kind::kEnded)});
  keeper.Step();
  Answer(change.record.id, AnswerKind::kFalseAlarm);
  keeper.Step();
  EXPECT_THAT(keeper.Book()->answers, IsEmpty());
  EXPECT_EQ(keeper.Book()->precision.at(0).wrong, 1U);
}

TEST_F(IncidentKeeperTest, AClockSetBackADayForgetsNothing) {
  clock_.Advance(24h * 3);
  auto& keeper = Start();
  keeper.Put({Change(1), Change(2)});
  keeper.Put({Change(2, Kind::kEnded)});
  keeper.Step();
  clock_.StepWall(-24h);
  keeper.Put({Change(3)});
  keeper.Step();
  EXPECT_THAT(All(), SizeIs(3));
  EXPECT_THAT(Start().Recent(), SizeIs(3));
  clock_.Advance(HistoryFile::kRetry + 10min);  // it is trimmed
  keeper_->Step();
  EXPECT_THAT(All(), SizeIs(3));
}

// The other of a pair has said that it ended: to repeat it would fire its alert anew.
TEST_F(IncidentKeeperTest, AnAlertIsRepeatedOnlyWhileItsServerHasAVerdict) {
  settings_.sinks = {
      {.name = "am", .kind = SinkKind::kAlertmanager, .endpoint = {.host = "sink", .port = 80}}};
  fetcher_.answers["sink"] = [] { return FetchResult{.status = 200}; };
  const auto sent_in = [&](int seconds) {
    fetcher_.sent.clear();
    for (int i = 0; i < seconds; ++i) {
      keeper_->Step();
      fetcher_.Run(1s);
    }
    return fetcher_.sent.size();
  };
  Start().Put({Change(1)});
  EXPECT_GE(sent_in(150), 3U);
  Start();
  EXPECT_EQ(sent_in(120), 0U);  // not before it has been seen again
  auto change = Change(1, Kind::kWentOn);
  change.record = keeper_->Recent()[0];
  keeper_->Put({change});
  EXPECT_GE(sent_in(120), 1U);
  change.present = false;
  keeper_->Put({change});
  EXPECT_EQ(sent_in(120), 0U);
  EXPECT_GE(sent_in(180), 1U);  // a filter that takes long to decide must not let it expire
}

TEST_F(IncidentKeeperTest, AQueueThatIsFullLosesItsOldest) {
  settings_.sinks = {{.name = "hook", .endpoint = {.host = "silent"}, .max_queue = 3}};
  auto& keeper = Start();
  for (int i = 0; i < 10; ++i) {
    keeper.Put({Change(i)});
  }
  keeper.Step();
  EXPECT_EQ(keeper.Status().sinks.at("hook").dropped, 7U);
  EXPECT_EQ(keeper.Status().sinks.at("hook").waiting, 3);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("(max_queue)")));
}

TEST_F(IncidentKeeperTest, AServerThatIsNoNodeOfKubernetesHoldsUpNoOther) {
  settings_.sinks = {
      {.name = "k8s", .kind = SinkKind::kKubernetesCondition, .endpoint = {.host = "sink"}}};
  bool known = false;
  fetcher_.answers["sink"] = [&] {
    return std::exchange(known, true)
               ? FetchResult{.status = 200}
               : FetchResult{.failure = FetchFailure::kStatus, .error = "got 404", .status = 404};
  };
  auto& keeper = Start();
  keeper.Put({Change(1), Change(2)});
  for (int i = 0; i < 4; ++i) {
    keeper.Step();
    fetcher_.Run(1s);
  }
  EXPECT_EQ(keeper.Status().sinks.at("k8s").dropped, 1U);
  EXPECT_EQ(keeper.Status().sinks.at("k8s").sent, 1U);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("got 404")));
}

}  // namespace
}  // namespace limpet::incident_keeper_test
