#include "exporter/common/web/loop.h"

#include <algorithm>
#include <boost/system/error_code.hpp>

#include "exporter/common/web/eviction.h"
#include "exporter/common/web/response_head.h"
#include "exporter/common/web/session.h"

namespace limpet::web {

using boost::system::error_code;

void Loop::Admit(Socket socket) {
  if (sessions_.size() >= limits.max_connections) {
    MakeRoom();
  }
  auto session = std::make_shared<Session>(*this, std::move(socket));
  session->index = sessions_.size();
  sessions_.push_back(session);
  session->Start();
}

bool Loop::MakeRoom() {
  if (sessions_.empty()) {
    return false;
  }
  std::vector<Usage> usages;
  usages.reserve(sessions_.size());
  for (const auto& session : sessions_) {
    usages.push_back(session->CurrentUsage());
  }
  log.Write(LogLevel::kWarning, "room",
            "over " + std::to_string(sessions_.size()) +
                " connections or no free descriptor; closing the one of least use");
  const auto least = sessions_[LeastUseful(usages, clock.Steady())];
  least->Close();
  return true;
}

void Loop::Remove(const Session& session) {
  const auto index = session.index;
  std::swap(sessions_[index], sessions_.back());
  sessions_[index]->index = index;
  sessions_.pop_back();
}

void Loop::CloseAll() {
  while (!sessions_.empty()) {
    const auto last = sessions_.back();
    last->Close();
  }
  timer_.cancel();
}

void Loop::Watch(SteadyTime deadline) {
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

void Loop::CloseOverdue() {
  timer_at_ = SteadyTime::max();
  const auto now = clock.Steady();
  auto next = SteadyTime::max();
  for (std::size_t i = sessions_.size(); i-- > 0;) {  // backwards: closing moves the last one here
    if (sessions_[i]->Deadline() <= now) {
      const auto overdue = sessions_[i];
      overdue->Close();
    } else {
      next = std::min(next, sessions_[i]->Deadline());
    }
  }
  if (next != SteadyTime::max()) {
    Watch(next);
  }
}

std::string_view Loop::Date() {
  const auto second = std::chrono::floor<std::chrono::seconds>(clock.Now());
  if (second != date_at_) {
    date_at_ = second;
    date_ = HttpDate(second);
  }
  return date_;
}

}  // namespace limpet::web
