#include "diagnoser/runtime/history_reader.h"

#include <utility>

namespace limpet {

HistoryReader::HistoryReader(Elsewhere elsewhere)
    : elsewhere_(std::move(elsewhere)), thread_([this] { Run(); }) {}

HistoryReader::~HistoryReader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void HistoryReader::Follow(std::string path) {
  {
    const std::lock_guard lock(mutex_);
    path_ = std::move(path);
    ++file_;
  }
  wake_.notify_one();
}

bool HistoryReader::Ask(Question question) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || path_.empty() || questions_.size() >= kMaxQuestions) {
      return false;
    }
    questions_.push_back(std::move(question));
  }
  wake_.notify_one();
  return true;
}

// A file that is read no more is closed at once: it may have been set aside, or its disk be gone.
void HistoryReader::Run() {
  while (true) {
    std::optional<Question> question;
    std::string path;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !questions_.empty() || opened_ != file_; });
      if (stopping_) {
        return;
      }
      if (opened_ != file_) {
        store_.reset();
        opened_ = file_;
      }
      path = path_;
      if (!questions_.empty()) {
        question = std::move(questions_.front());
        questions_.pop_front();
      }
    }
    if (question) {
      Answer(*question, path);
    }
  }
}

void HistoryReader::Answer(const Question& question, const std::string& path) {
  if (!store_ && !path.empty()) {
    if (auto opened = IncidentStore::Open(path, Database::Access::kReadOnly)) {
      store_ = *std::move(opened);
    }
  }
  // Whoever writes the file finds out what is wrong with it, and answers meanwhile.
  if (!store_) {
    elsewhere_(question);
    return;
  }
  auto error = question(*store_);
  bool same = false;
  {
    const std::lock_guard lock(mutex_);
    same = opened_ == file_;
  }
  if (error && same) {
    store_.reset();
    elsewhere_([error = *std::move(error)](IncidentStore&) { return std::optional(error); });
  }
}

}  // namespace limpet
