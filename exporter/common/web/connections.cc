#include "exporter/common/web/connections.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "exporter/common/web/session.h"

namespace limpet::web {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr Duration kDeadlineStep = std::chrono::milliseconds(10);
constexpr Duration kPumpStep = std::chrono::milliseconds(50);

void Connections::SetBound(std::size_t free_descriptors) { bound_ = free_descriptors; }

void Connections::Admit(Socket socket) {
  const auto bound = tls ? limits.max_tls_connections : limits.max_connections;
  if (list_.size() >= std::min({bound, limits.max_connections, bound_})) {
    MakeRoom();
  }
  error_code gone;
  const auto peer = socket.remote_endpoint(gone);
  // In the list before it starts: Start may fail and close it at once.
  auto connection = MakeSession(*this, std::move(socket));
  connection->index = list_.size();
  // One that has left already counts for nobody; its first read closes it.
  connection->client = gone ? ClientKey{0} : MakeClientKey(peer.address());
  ++per_client_[connection->client];
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
    auto usage = connection->CurrentUsage();
    usage.of_same_client = per_client_[connection->client];
    usages.push_back(usage);
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
  const auto client = per_client_.find(connection.client);
  if (--client->second == 0) {
    per_client_.erase(client);  // or the map would remember every address that ever came
  }
}

void Connections::CloseAll() {
  while (!list_.empty()) {
    const auto last = list_.back();  // a copy: Close drops the list's
    last->Close();
  }
  timer_.cancel();
  pump_.cancel();
  deferred_.clear();
}

void Connections::Defer(std::shared_ptr<Connection> connection) {
  deferred_.push_back(std::move(connection));
  if (deferred_.size() == 1) {
    asio::post(context, [this] { ServeNext(); });
  }
}

void Connections::ServeNext() {
  if (deferred_.empty()) {
    return;  // CloseAll
  }
  const auto next = std::move(deferred_.front());
  deferred_.pop_front();
  // Posted, not looped: the loop looks at all sockets before it comes here again.
  if (!deferred_.empty()) {
    asio::post(context, [this] { ServeNext(); });
  }
  next->Continue();
}

void Connections::AddStream(const std::shared_ptr<Connection>& connection) {
  streams_.push_back(connection);
  if (streams_.size() == 1) {
    PumpStreams();
  }
}

void Connections::PumpStreams() {
  std::erase_if(streams_, [](const auto& stream) { return stream.expired(); });
  if (streams_.empty()) {
    return;  // without streams nothing wakes up
  }
  for (const auto& stream : streams_) {
    if (const auto connection = stream.lock()) {
      connection->Pump();
    }
  }
  pump_.expires_after(kPumpStep);
  pump_.async_wait([this](const error_code& stopped) {
    if (!stopped) {
      PumpStreams();
    }
  });
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
    // Thousands of slow clients have as many deadlines, and each look goes over all of them.
    Watch(std::max(next, now + kDeadlineStep));
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
