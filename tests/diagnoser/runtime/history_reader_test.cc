#include "diagnoser/runtime/history_reader.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <future>

#include "diagnoser/runtime/mailbox.h"
#include "tests/support/temp_folder.h"

namespace limpet::history_reader_test {
namespace {

using namespace std::chrono_literals;
using ::testing::Optional;

class HistoryReaderTest : public ::testing::Test {
 protected:
  void Write(const std::string& node) {
    auto store = *IncidentStore::Open(path_, Database::Access::kReadWrite);
    IncidentRecord record;
    record.node = node;
    record.id = IncidentId("", node, "disk", UnixTime());
    ASSERT_TRUE(store.Put(std::vector{record}));
  }
  // How many incidents the reader sees; nullopt: the question was refused or went elsewhere.
  std::optional<std::size_t> Count(std::optional<Error> error = {}) {
    auto answer = std::make_shared<std::promise<std::size_t>>();
    auto count = answer->get_future();
    if (!reader_.Ask([answer, error](IncidentStore& store) {
          answer->set_value(store.List({.to = UnixTime::max()})->size());
          return error;
        })) {
      return std::nullopt;
    }
    answer.reset();
    return count.wait_for(10s) == std::future_status::ready ? std::optional(count.get())
                                                            : std::nullopt;
  }
  // What went elsewhere, as the store's writer would be asked; waits for it.
  std::optional<Error> Elsewhere() {
    auto messages = elsewhere_.Receive();
    auto store = *IncidentStore::Open(":memory:", Database::Access::kReadWrite);
    return std::get<HistoryReader::Question>(messages.at(0))(store);
  }

  const testing::TempFolder folder_;
  const std::string path_ = folder_.Path("history.db");
  Mailbox<std::variant<HistoryReader::Question>> elsewhere_{0};
  HistoryReader reader_{
      [this](HistoryReader::Question question) { elsewhere_.Replace(std::move(question)); }};
};

TEST_F(HistoryReaderTest, WithoutAFileItRefuses) {
  EXPECT_EQ(Count(), std::nullopt);
  Write("io1");
  reader_.Follow(path_);
  EXPECT_THAT(Count(), Optional(1U));
  reader_.Follow("");
  EXPECT_EQ(Count(), std::nullopt);
}

TEST_F(HistoryReaderTest, ItReadsWhatIsWrittenMeanwhile) {
  Write("io1");
  reader_.Follow(path_);
  ASSERT_THAT(Count(), Optional(1U));
  Write("io2");
  EXPECT_THAT(Count(), Optional(2U));
}

TEST_F(HistoryReaderTest, ANewFileInTheSamePlaceIsReadInsteadOfTheOldOne) {
  Write("io1");
  Write("io2");
  reader_.Follow(path_);
  ASSERT_THAT(Count(), Optional(2U));
  std::filesystem::rename(path_, path_ + ".refused");
  Write("io3");
  reader_.Follow(path_);
  EXPECT_THAT(Count(), Optional(1U));
}

TEST_F(HistoryReaderTest, WhatItCannotOpenIsAskedOfTheWriter) {
  reader_.Follow(folder_.Path("absent.db"));
  ASSERT_TRUE(reader_.Ask([](IncidentStore&) { return std::optional<Error>(); }));
  EXPECT_EQ(Elsewhere(), std::nullopt);
}

TEST_F(HistoryReaderTest, WhatIsWrongWithTheFileIsToldToTheWriter) {
  Write("io1");
  reader_.Follow(path_);
  ASSERT_THAT(Count(Error{ErrorCode::kInvalid, "malformed", ""}), Optional(1U));
  const auto told = Elsewhere();
  ASSERT_TRUE(told);
  EXPECT_EQ(told->message, "malformed");
  EXPECT_THAT(Count(), Optional(1U));  // until the writer has another file
}

}  // namespace
}  // namespace limpet::history_reader_test
