// password_brake.h: how many passwords of one client are worth checking.
//
// A check costs 43 ms of a processor, a guess costs nothing. So each client has ten attempts, which
// come back at five a second; a right password takes none. Memory is bounded: of many clients those
// are forgotten that have the most attempts left.
// Threads: none of its own; the caller's lock guards it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "exporter/common/time.h"
#include "exporter/common/web/client_key.h"

namespace limpet::web {

class PasswordBrake {
 public:
  static constexpr double kAttempts = 10;
  static constexpr double kAttemptsPerSecond = 5;
  static constexpr std::size_t kMaxClients = 1024;

  // Takes an attempt and says how many whole ones are left; nullopt when there was none.
  [[nodiscard]] std::optional<int> TakeAttempt(ClientKey client, SteadyTime now);
  // Gives it back: the password was right.
  void Forgive(ClientKey client);

  [[nodiscard]] std::size_t Clients() const { return clients_.size(); }

 private:
  struct Attempts {
    double left = kAttempts;
    SteadyTime at;  // when `left` was true
  };

  void MakeRoom();

  std::map<ClientKey, Attempts> clients_;
};

}  // namespace limpet::web
