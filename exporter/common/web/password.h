// password.h: are these a user and its password? bcrypt, away from the server's loop.
//
// One check takes 43 ms at cost 10 (crypt_r), so it runs on a worker thread behind a short queue,
// and its verdict is remembered: a scraper that comes every second pays once. An unknown user is
// checked against a hash nobody has the password of, so that it takes as long as a known one.
// Guesses cost little: after a wrong one the worker pauses nine times as long as it computed, and
// each client has only a few attempts a second (password_brake.h). The right password is computed
// at ordinary priority whatever the program's own.
// Verdicts are remembered by a keyed hash, so no password stays in memory once it is checked.
// Threads: any may call; `done` runs on the worker thread (or on that of the destructor).
#pragma once

#include <array>
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

#include "exporter/common/time.h"
#include "exporter/common/web/basic_auth.h"
#include "exporter/common/web/client_key.h"
#include "exporter/common/web/password_brake.h"

namespace limpet::web {

// The cost of a bcrypt hash ("$2y$10$…" → 10), or nullopt when it is none.
[[nodiscard]] std::optional<int> BcryptCost(std::string_view hash);

// Runs bcrypt: tens of milliseconds and more.
[[nodiscard]] bool BcryptMatches(const std::string& password, const std::string& hash);

// Takes as long for texts of one length wherever they differ.
[[nodiscard]] bool SameText(std::string_view a, std::string_view b);

class PasswordChecker {
 public:
  enum class Verdict {
    kRight,
    kWrong,
    kBusy,     // the queue is full, or we are closing
    kTooMany,  // by this client
  };
  using Done = std::function<void(Verdict)>;

  // `users`: name → bcrypt hash. At most `max_waiting` different credentials wait for the worker,
  // four of one client.
  // `clock` must outlive the checker.
  PasswordChecker(std::map<std::string, std::string> users, const Clock& clock,
                  std::size_t max_waiting = 16);
  ~PasswordChecker();  // those still waiting hear kBusy
  PasswordChecker(const PasswordChecker&) = delete;
  PasswordChecker& operator=(const PasswordChecker&) = delete;

  // The verdict when it is known at once; otherwise `done` gets it later.
  [[nodiscard]] std::optional<Verdict> Check(const Credentials& credentials, ClientKey client,
                                             Done done);
  // Goes on knowing the right passwords of users whose hash is the same. Before the first Check.
  void Inherit(PasswordChecker& earlier);

 private:
  using Digest = std::array<unsigned char, 32>;

  struct Waiting {
    Credentials credentials;
    Digest digest;
    ClientKey client;
    int attempts_left;       // those with more go first
    std::vector<Done> done;  // everybody who asks the same waits for one check
  };

  [[nodiscard]] Digest MakeDigest(const Credentials& credentials) const;
  [[nodiscard]] std::optional<Verdict> Remembered(const std::string& user,
                                                  const Digest& digest) const;
  void Remember(const Waiting& checked, Verdict verdict);
  [[nodiscard]] std::optional<int> TakeAttempt(ClientKey client);
  // Returns the requests that have to leave the queue for it, to be told kBusy.
  [[nodiscard]] std::vector<Done> Enqueue(Waiting waiting);
  [[nodiscard]] Verdict Compute(const Credentials& credentials) const;
  void Work();

  const std::map<std::string, std::string> users_;
  const Clock& clock_;
  const std::size_t max_waiting_;
  std::string nobodys_hash_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool closing_ = false;
  std::deque<Waiting> waiting_;          // the front one is being checked
  Digest key_{};                         // random; a digest is worth nothing without it
  std::map<std::string, Digest> right_;  // by user
  std::deque<Digest> wrong_;             // the newest at the back
  PasswordBrake brake_;
  std::thread worker_;  // last: it uses all of the above
};

}  // namespace limpet::web
