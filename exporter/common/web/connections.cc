#include "exporter/common/web/connections.h"

#include <algorithm>

#include "exporter/common/web/session.h"

namespace limpet::web {

using boost::system::error_code;

void Connections::Admit(Socket socket) {
  if (list_.size() >= limits.max_connections) {
    MakeRoom();
  }
  // In the list before it starts: Start may fail and close it at once.
  auto connection = MakeSession(*this, std::move(socket));
  connection->index = list_.size();
  list_.push_back(connection);
  connection->Start();
}

bool Connections::MakeRoom() {
  if (list_.empty()) {
    return false;
  }
  std::vector<Usage> usages;
  usages.reserve(list_.size());
  for (const auto& connection : list_) {
    usages.push_back(connection->CurrentUsage());
  }
  log.Write(LogLevel::kWarning, "room",
            "over " + std::to_string(list_.size()) +
                " connections or no free descriptor; closing the one of least use");
  const auto least = list_[LeastUseful(usages, clock.Steady())];  // a copy: Close drops the list's
  least->Close();
  return true;
}

void Connections::Remove(const Connection& connection) {
  // The last one takes its place; order means nothing here.
  const auto index = connection.index;
  std::swap(list_[index], list_.back());
  list_[index]->index = index;
  list_.pop_back();
}

void Connections::CloseAll() {
  while (!list_.empty()) {
    const auto last = list_.back();  // a copy: Close drops the list's
    last->Close();
  }
  timer_.cancel();
}

void Connections::Watch(SteadyTime deadline) {
  // Deadlines mostly move back; setting the timer each time would be a system call a request.
  if (deadline >= timer_at_) {
    return;
  }
  timer_at_ = deadline;
  timer_.expires_at(deadline);
  timer_.async_wait([this](const error_code& problem) {
    if (!problem) {
      CloseOverdue();
    }
  });
}

void Connections::CloseOverdue() {
  timer_at_ = SteadyTime::max();
  const auto now = clock.Steady();
  auto next = SteadyTime::max();
  for (std::size_t i = list_.size(); i-- > 0;) {  // backwards: closing moves the last one here
    if (list_[i]->Deadline() <= now) {
      const auto overdue = list_[i];  // as above
      overdue->Close();
    } else {
      next = std::min(next, list_[i]->Deadline());
    }
  }
  if (next != SteadyTime::max()) {
    Watch(next);
  }
}

std::string_view Connections::Date() {
  const auto second = std::chrono::floor<std::chrono::seconds>(clock.Now());
  if (second != date_at_) {
    date_at_ = second;
    date_ = HttpDate(second);
  }
  return date_;
}

}  // namespace limpet::web
