// history_reader.h: questions to the history on a thread and a connection of their own: a year of
// incidents takes longer to tell than a new incident may wait to be written.
//
// Bounded: kMaxQuestions wait; what is over is refused.
// Threads: all functions may be called from any thread; questions run on the reader's. The
// destructor waits for the one that runs; others are dropped.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "diagnoser/incidents/store.h"

namespace limpet {

class HistoryReader {
 public:
  static constexpr std::size_t kMaxQuestions = 64;

  // Reads alone. The error is that of the store, if any.
  using Question = std::function<std::optional<Error>(IncidentStore&)>;
  // Takes a question that has no file to read from, and an error of the file as one that returns
  // it.
  using Elsewhere = std::function<void(Question)>;

  // Questions are answered once there is a file.
  explicit HistoryReader(Elsewhere elsewhere);
  ~HistoryReader();
  HistoryReader(const HistoryReader&) = delete;
  HistoryReader& operator=(const HistoryReader&) = delete;

  // The file that is written from now on; empty: none. What was open before is read no more.
  void Follow(std::string path);
  // False: there is no file, or too many wait; the question is not called.
  [[nodiscard]] bool Ask(Question question);

 private:
  void Run();
  void Answer(const Question& question, const std::string& path);

  const Elsewhere elsewhere_;
  std::optional<IncidentStore> store_;  // the thread's
  std::uint64_t opened_ = 0;            // the file that store_ is of, by number

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Question> questions_;
  std::string path_;
  std::uint64_t file_ = 0;  // counts Follow
  bool stopping_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace limpet
