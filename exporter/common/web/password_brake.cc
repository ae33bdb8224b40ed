#include "exporter/common/web/password_brake.h"

#include <algorithm>

namespace limpet::web {

std::optional<int> PasswordBrake::TakeAttempt(ClientKey client, SteadyTime now) {
  auto found = clients_.find(client);
  if (found == clients_.end()) {
    if (clients_.size() >= kMaxClients) {
      MakeRoom();
    }
    found = clients_.emplace(client, Attempts{.left = kAttempts, .at = now}).first;
  }
  auto& attempts = found->second;
  attempts.left =
      std::min(kAttempts, attempts.left + ToSeconds(now - attempts.at) * kAttemptsPerSecond);
  attempts.at = now;
  if (attempts.left < 1) {
    return std::nullopt;
  }
  attempts.left -= 1;
  return static_cast<int>(attempts.left);
}

void PasswordBrake::Forgive(ClientKey client) {
  const auto found = clients_.find(client);
  if (found != clients_.end()) {
    found->second.left = std::min(kAttempts, found->second.left + 1);
  }
}

void PasswordBrake::MakeRoom() {
  // `left` as of then, not of now: good enough, because all of them only grow.
  clients_.erase(
      std::max_element(clients_.begin(), clients_.end(),
                       [](const auto& a, const auto& b) { return a.second.left < b.second.left; }));
}

}  // namespace limpet::web
