// password.h: are these a user and its password? bcrypt, away from the server's loop.
//
// One check takes 43 ms at cost 10 (crypt_r), so it runs on a worker thread behind a short queue,
// and its verdict is remembered: a scraper that comes every second pays once. An unknown user is
// checked against a hash nobody has the password of, so that it takes as long as a known one.
// The verdicts remembered hold the passwords as they came, compared in constant time.
// Threads: any may call; `done` runs on the worker thread (or on that of the destructor).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "exporter/common/web/basic_auth.h"

namespace limpet::web {

// The cost of a bcrypt hash ("$2y$10$…" → 10), or nullopt when it is none.
[[nodiscard]] std::optional<int> BcryptCost(std::string_view hash);

// Runs bcrypt: tens of milliseconds and more.
[[nodiscard]] bool BcryptMatches(const std::string& password, const std::string& hash);

// Takes as long for texts of one length wherever they differ.
[[nodiscard]] bool SameText(std::string_view a, std::string_view b);

class PasswordChecker {
 public:
  enum class Verdict { kRight, kWrong, kBusy };  // busy: the queue is full, or we are closing
  using Done = std::function<void(Verdict)>;

  // `users`: name → bcrypt hash. At most `max_waiting` different credentials wait for the worker.
  explicit PasswordChecker(std::map<std::string, std::string> users, std::size_t max_waiting = 16);
  ~PasswordChecker();  // those still waiting hear kBusy
  PasswordChecker(const PasswordChecker&) = delete;
  PasswordChecker& operator=(const PasswordChecker&) = delete;

  // The verdict when it is known at once; otherwise `done` gets it later.
  [[nodiscard]] std::optional<Verdict> Check(const Credentials& credentials, Done done);

 private:
  struct Waiting {
    Credentials credentials;
    std::vector<Done> done;  // everybody who asks the same waits for one check
  };

  [[nodiscard]] std::optional<Verdict> Remembered(const Credentials& credentials) const;
  void Remember(const Credentials& credentials, Verdict verdict);
  void Work();

  const std::map<std::string, std::string> users_;
  const std::size_t max_waiting_;
  std::string nobodys_hash_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool closing_ = false;
  std::deque<Waiting> waiting_;               // the front one is being checked
  std::map<std::string, std::string> right_;  // user → password
  std::deque<Credentials> wrong_;             // the newest at the back
  std::thread worker_;                        // last: it uses all of the above
};

}  // namespace limpet::web
