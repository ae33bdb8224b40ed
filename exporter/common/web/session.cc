#include "exporter/common/web/session.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <optional>
#include <string>

#include "exporter/common/web/basic_auth.h"
#include "exporter/common/web/response_head.h"

namespace limpet::web {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kTlsRecordBytes = 16U << 10U;
constexpr unsigned kRequestsInARow = 16;  // of one connection, before the others have their turn
constexpr std::size_t kLingerBytes = 1U << 20U;
constexpr Duration kLingerTimeout = std::chrono::seconds(2);

}  // namespace

void Session::Start() {
  error_code problem;
  socket_.non_blocking(true, problem);
  socket_.set_option(tcp::no_delay(true), problem);
  if (loop_.tls) {
    auto opened = loop_.tls->Open(socket_.native_handle());
    if (!opened) {
      loop_.log.Write(LogLevel::kError, "tls", opened.error().Text());
      Close();
      return;
    }
    tls_ = *std::move(opened);
    state_ = State::kHandshake;
  }
  SetDeadline(loop_.limits.request_timeout);
  Run();
}

void Session::Close() {
  if (state_ == State::kClosed) {
    return;
  }
  if (tls_ && state_ != State::kHandshake) {
    tls_->SayGoodbye();
  }
  state_ = State::kClosed;
  error_code ignored;
  socket_.close(ignored);
  loop_.Remove(*this);
}

void Session::Run() {
  while (Step() == Next::kGoOn) {
  }
}

Session::Next Session::Step() {
  switch (state_) {
    case State::kHandshake:
      return ShakeHands();
    case State::kReading:
      return reader_.HasInput() && !reader_.IsHalfWay() ? Take("") : ReadMore();
    case State::kWriting:
      return WriteMore();
    case State::kLingering:
      return Linger();
    case State::kChecking:
    case State::kClosed:
      break;
  }
  return Next::kWait;
}

Session::Next Session::ShakeHands() {
  const auto result = tls_->Handshake();
  if (result.status == IoStatus::kDone) {
    state_ = State::kReading;
    return Next::kGoOn;
  }
  if (result.status == IoStatus::kPlainHttp) {
    tls_.reset();  // this client could not read our records
    must_linger_ = true;
    Answer(Text(400, "This port speaks HTTPS; the request came as plain HTTP.\n"), {});
    return Next::kGoOn;
  }
  if (result.status == IoStatus::kClosed && !tls_->Problem().empty()) {
    loop_.log.Write(LogLevel::kDebug, "handshake", "TLS handshake: " + tls_->Problem());
  }
  return WaitOrClose(result.status);
}

Session::Next Session::ReadMore() {
  if (std::exchange(is_drained_, false)) {
    return WaitOrClose(IoStatus::kWantRead);
  }
  const auto result = Read();
  if (result.status != IoStatus::kDone) {
    return WaitOrClose(result.status);
  }
  return Take(std::string_view(loop_.scratch.data(), result.bytes));
}

IoResult Session::Read() {
  if (tls_) {
    return tls_->Read(loop_.scratch);
  }
  error_code problem;
  const auto bytes = socket_.read_some(asio::buffer(loop_.scratch), problem);
  if (problem == asio::error::would_block) {
    return {IoStatus::kWantRead, 0};
  }
  // A short read has emptied the socket: asking again would be a system call for nothing.
  is_drained_ = bytes < loop_.scratch.size();
  return {problem ? IoStatus::kClosed : IoStatus::kDone, bytes};
}

Session::Next Session::Take(std::string_view bytes) {
  auto incoming = reader_.Feed(bytes);
  switch (incoming.kind) {
    case Incoming::Kind::kMore:
      // The first request's time runs from the connection's start.
      if (!std::exchange(is_request_timed_, true)) {
        SetDeadline(loop_.limits.request_timeout);
      }
      break;
    case Incoming::Kind::kRefused:
      Refuse(incoming);
      break;
    case Incoming::Kind::kRequest:
      incoming_ = std::move(incoming);
      CheckPassword();
      break;
  }
  return Next::kGoOn;
}

void Session::Refuse(const Incoming& incoming) {
  auto response = Text(incoming.status, std::to_string(incoming.status) + " " +
                                            std::string(ReasonPhrase(incoming.status)) + "\n");
  if (incoming.status == 405) {
    response.headers.emplace_back("Allow", "GET, HEAD");
  }
  must_linger_ = true;
  Answer(response, incoming);
}

void Session::CheckPassword() {
  using Verdict = PasswordChecker::Verdict;
  if (!loop_.passwords) {
    Dispatch();
    return;
  }
  const auto credentials = ParseBasicAuth(incoming_.authorization);
  if (!credentials) {
    OnVerdict(Verdict::kWrong);
    return;
  }
  state_ = State::kChecking;
  auto done = [weak = weak_from_this(), &context = loop_.context](Verdict verdict) {
    asio::post(context, [weak, verdict] {
      const auto self = weak.lock();
      if (self && self->state_ == State::kChecking) {
        self->OnVerdict(verdict);
        self->Run();
      }
    });
  };
  if (const auto verdict = loop_.passwords->Check(*credentials, std::move(done))) {
    OnVerdict(*verdict);
  } else {
    SetDeadline(loop_.limits.response_timeout);
  }
}

void Session::OnVerdict(PasswordChecker::Verdict verdict) {
  if (verdict == PasswordChecker::Verdict::kRight) {
    Dispatch();
  } else if (verdict == PasswordChecker::Verdict::kWrong) {
    auto response = Text(401, "Unauthorized\n");
    response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"limpet\"");
    Answer(response, incoming_);
  } else {
    auto response = Text(503, "Too many passwords are being checked; try again.\n");
    response.headers.emplace_back("Retry-After", "1");
    Answer(response, incoming_);
  }
}

void Session::Dispatch() {
  try {
    Answer(loop_.handler(incoming_.request), incoming_);
  } catch (const std::exception& problem) {
    loop_.log.Write(LogLevel::kError, "handler",
                    "answering " + incoming_.request.path + ": " + problem.what());
    Answer(Text(500, "500 Internal Server Error\n"), incoming_);
  } catch (...) {
    loop_.log.Write(LogLevel::kError, "handler",
                    "answering " + incoming_.request.path + ": an unknown exception");
    Answer(Text(500, "500 Internal Server Error\n"), incoming_);
  }
}

void Session::Answer(const Response& response, const Incoming& to) {
  is_last_ = !to.keep_alive;
  auto head = ResponseHead(response, {.is_http10 = to.is_http10,
                                      .keep_alive = to.keep_alive,
                                      .date = loop_.Date(),
                                      .headers = &loop_.headers});
  const auto room = kTlsRecordBytes - std::min(kTlsRecordBytes, head.size());
  outgoing_ = Outgoing(std::move(head), to.is_head ? nullptr : response.body, tls_ ? room : 0);
  is_write_timed_ = false;
  state_ = State::kWriting;
}

Session::Next Session::WriteMore() {
  if (outgoing_.IsDone()) {
    return Finish();
  }
  const auto pieces = outgoing_.Pieces();
  const auto result = Write(pieces);
  if (result.status == IoStatus::kDone) {
    outgoing_.Sent(result.bytes);
    return Next::kGoOn;
  }
  if (!std::exchange(is_write_timed_, true)) {
    SetDeadline(loop_.limits.response_timeout);
  }
  return WaitOrClose(result.status);
}

IoResult Session::Write(const std::array<std::string_view, 2>& pieces) {
  if (tls_) {
    return tls_->Write(pieces[0].empty() ? pieces[1] : pieces[0]);
  }
  error_code problem;
  const std::array buffers = {asio::const_buffer(pieces[0].data(), pieces[0].size()),
                              asio::const_buffer(pieces[1].data(), pieces[1].size())};
  const auto bytes = socket_.write_some(buffers, problem);
  if (problem == asio::error::would_block) {
    return {IoStatus::kWantWrite, 0};
  }
  return {problem ? IoStatus::kClosed : IoStatus::kDone, bytes};
}

Session::Next Session::Finish() {
  outgoing_ = {};
  if (!is_last_) {
    has_answered_ = true;
    since_ = loop_.clock.Steady();
    is_request_timed_ = false;
    state_ = State::kReading;
    SetDeadline(loop_.limits.idle_timeout);
    if (++requests_ % kRequestsInARow == 0 && reader_.HasInput()) {
      asio::post(loop_.context, [self = shared_from_this()] { self->Run(); });
      return Next::kWait;
    }
    return Next::kGoOn;
  }
  if (!must_linger_ && !reader_.HasInput()) {
    Close();
    return Next::kWait;
  }
  // Closing with bytes unread makes the kernel reset the connection, and the client may lose the
  // answer with it; so these are read first.
  if (tls_) {
    tls_->SayGoodbye();
  }
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  state_ = State::kLingering;
  SetDeadline(kLingerTimeout);
  return Next::kGoOn;
}

Session::Next Session::Linger() {
  error_code problem;
  const auto bytes = socket_.read_some(asio::buffer(loop_.scratch), problem);
  lingered_ += bytes;
  if (problem == asio::error::would_block) {
    return WaitOrClose(IoStatus::kWantRead);
  }
  if (problem || lingered_ > kLingerBytes) {
    Close();
    return Next::kWait;
  }
  return Next::kGoOn;
}

Session::Next Session::WaitOrClose(IoStatus status) {
  if (status != IoStatus::kWantRead && status != IoStatus::kWantWrite) {
    Close();
    return Next::kWait;
  }
  socket_.async_wait(status == IoStatus::kWantRead ? Socket::wait_read : Socket::wait_write,
                     [self = shared_from_this()](const error_code& problem) {
                       if (!problem) {
                         self->Run();
                       }
                     });
  return Next::kWait;
}

void Session::SetDeadline(Duration from_now) {
  deadline_ = loop_.clock.Steady() + from_now;
  loop_.Watch(deadline_);
}

}  // namespace limpet::web
