#include "exporter/collectors/device_reader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/families.h"
#include "tests/support/ticking_collector.h"

namespace limpet::device_reader_test {
namespace {

using std::chrono::seconds;
using testing::FileTree;
using testing::Value;

std::string ReadModel(FileReader& sys, FileReader& /*proc*/, const std::string& device) {
  const auto text = sys.ReadOnce(device + "/model");
  return text ? std::string(*text) : "";
}

struct Entry {
  std::string name;
};

class Reader : public ::testing::Test {
 protected:
  Reader() {
    for (const auto* device : {"a", "b", "c", "d", "e", "f"}) {
      SetModel(device, "OLD");
      entries_.push_back(std::make_unique<Entry>(Entry{device}));
    }
  }
  ~Reader() override { sys_->Release(); }
  void SetModel(const std::string& device, std::string model) {
    const std::scoped_lock lock(sys_->mutex);
    sys_->files[device + "/model"] = std::move(model);
  }
  void Hang(const std::string& device) { sys_->hangs.insert(device + "/model"); }

  // One second later, all are asked; what is known then.
  void Second() {
    now_ += seconds(1);
    std::vector<const Entry*> shown;
    for (const auto& entry : entries_) {
      shown.push_back(entry.get());
    }
    reader_.AskShown(shown, true, now_);
    Take();
  }
  void Take() {
    missing_.clear();
    reader_.Take(
        now_,
        [&](const std::string& device, std::string model) { models_[device] = std::move(model); },
        [&](const std::string& device) { missing_ += device; });
  }
  std::optional<double> Unreadable(const std::string& labels) {
    Families families;
    reader_.Unreadable().AddTo(families);
    return Value(families, "facts_unreadable", labels);
  }

  std::shared_ptr<FileTree> sys_ = std::make_shared<FileTree>();
  std::vector<std::unique_ptr<Entry>> entries_;
  DeviceReader<std::string> reader_{"disk", testing::kHastyReader,
                                    testing::InputsOf(nullptr, sys_, [](LogLevel, auto) {}),
                                    ReadModel};
  SteadyTime now_{std::chrono::hours(1)};
  std::map<std::string, std::string> models_;
  std::string missing_;
};

TEST_F(Reader, HasAnswersOnTheFirstPage) {
  Second();
  EXPECT_EQ(models_.size(), 6U);
  EXPECT_EQ(models_["f"], "OLD");
}

TEST_F(Reader, LeavesBehindUpToFourThatHangAndGoesOn) {
  for (const auto* device : {"a", "b", "d", "e"}) {
    Hang(device);
  }
  Second();
  EXPECT_EQ(models_, (std::map<std::string, std::string>{{"c", "OLD"}}))
      << "a page waits for four answers at most";
  Second();
  EXPECT_EQ(models_.size(), 1U) << "no thread is left";
  for (int i = 0; i < 4; ++i) {
    Second();
  }
  EXPECT_EQ(missing_, "abdef");
  EXPECT_EQ(Unreadable(R"(file="e/model",reason="hangs")"), 1);
  EXPECT_EQ(Unreadable(R"(file="f",reason="waits")"), 1);
}

TEST_F(Reader, TakesAnAnswerWheneverItComes) {
  Hang("c");
  Second();
  EXPECT_EQ(models_.size(), 5U);
  SetModel("d", "NEW");
  for (int i = 0; i < 6; ++i) {
    Second();
  }
  EXPECT_EQ(models_["d"], "NEW") << "the others are read on";
  EXPECT_EQ(missing_, "c");
  sys_->Release();
  for (int i = 0; i < 1000 && !models_.contains("c"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    Take();
  }
  EXPECT_EQ(models_["c"], "OLD");
  Take();
  EXPECT_EQ(Unreadable(R"(file="c/model",reason="hangs")"), std::nullopt);
}

TEST_F(Reader, AnAnswerAboutWhatHadTheNameBeforeIsNone) {
  Hang("a");
  Second();
  {
    const std::scoped_lock lock(sys_->mutex);
    sys_->hangs.clear();
  }
  SetModel("a", "OTHER");
  reader_.Forget("a");
  Second();
  EXPECT_EQ(models_["a"], "OTHER");
  sys_->Release();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  Take();
  EXPECT_EQ(models_["a"], "OTHER");
}

TEST_F(Reader, AnErrorIsAnAnswerAndTold) {
  sys_->errors["a/model"] = ErrorCode::kUnavailable;
  Second();
  EXPECT_EQ(models_["a"], "");
  EXPECT_EQ(models_.size(), 6U);
  EXPECT_EQ(Unreadable(R"(file="a/model",reason="error")"), 1);
  sys_->errors.clear();
  Second();
  EXPECT_EQ(Unreadable(R"(file="a/model",reason="error")"), std::nullopt);
}

TEST_F(Reader, WhatIsGoneIsForgotten) {
  Hang("a");
  Second();
  entries_.erase(entries_.begin());
  for (int i = 0; i < 7; ++i) {
    Second();
  }
  EXPECT_EQ(missing_, "");
}

}  // namespace
}  // namespace limpet::device_reader_test
