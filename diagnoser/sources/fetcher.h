// fetcher.h: asking many servers for their pages at once, and waking up at given instants; no
// library types.
//
// Everything happens on the fetcher's one thread: callbacks are called on it, and Connections and
// RunAt are used on it only. Post brings other threads there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/sources/target.h"
#include "exporter/common/exposition/format.h"
#include "exporter/common/time.h"

namespace limpet {

// Why there is no page: the values of the `reason` label.
enum class FetchFailure {
  kResolve,      // no address for the name
  kConnect,      // refused, unreachable, closed before an answer
  kTls,          // handshake or certificate
  kTimeout,      // not whole in time, whatever it was doing
  kProtocol,     // not HTTP, cut, or a length that is wrong
  kStatus,       // an answer other than 200
  kContentType,  // an answer that is not a metrics page
  kTooLarge,     // over max_body, as sent or decoded
  kEncoding,     // a compressed body that cannot be decoded
  kPage,         // the page itself is not what the format wants
  kAbsent,       // the store (source: prometheus) has nothing new of the node
};
inline constexpr std::size_t kFetchFailures = 11;

// "timeout", "content_type", …
[[nodiscard]] std::string_view Name(FetchFailure failure);

struct FetchResult {
  std::optional<FetchFailure> failure;
  std::string error;  // for people: what was expected, what came
  std::string body;   // decoded; empty on failure, but of an answer other than 200 to who asked for
                      // a media type of his own (Endpoint::accept) the reason that it gives
  unsigned status = 0;                  // of the answer, when there was one
  std::optional<Duration> retry_after;  // what the answer says, in seconds
  Format format = Format::kText;
  UnixTime asked_at;  // when the request was on its way: the scrape instant
  Duration took{};    // from the call to its result

  // Returns whether the server answered that there is no such thing (404).
  [[nodiscard]] bool IsNotFound() const {
    return failure == FetchFailure::kStatus && status == 404;
  }
};

// The body that a server is sent, and how.
struct Upload {
  std::string body;
  std::string content_type;
  std::string method = "POST";  // or PATCH
};

// One server, asked again and again over one kept connection.
class Connection {
 public:
  // Aborts a request under way; its callback is then not called.
  virtual ~Connection() = default;
  // Sets the path from the next Get on, instead of the endpoint's own path.
  virtual void SetPath(std::string path) = 0;
  // Calls `done` once, within `timeout` and never before Get has returned. One Get at a time.
  virtual void Get(Duration timeout, std::function<void(FetchResult)> done) = 0;
  // The same with a body. An answer of 200 to 299 is success; another, a redirect too, is a
  // failure, and the request is not repeated anywhere.
  virtual void Send(Upload upload, Duration timeout, std::function<void(FetchResult)> done) = 0;
};

class Fetcher {
 public:
  virtual ~Fetcher() = default;
  [[nodiscard]] virtual std::unique_ptr<Connection> Open(const Endpoint& endpoint) = 0;
  virtual void RunAt(SteadyTime when, std::function<void()> task) = 0;
  // May be called from any thread.
  virtual void Post(std::function<void()> task) = 0;
  // Ends the thread; nothing is called any more. Connections may be destroyed after it. From any
  // thread but the fetcher's own; a second call does nothing.
  virtual void Stop() = 0;
};

// The real one: Boost.Asio and Beast on a thread of its own. The clock must outlive it.
[[nodiscard]] std::unique_ptr<Fetcher> StartFetcher(const Clock& clock);

}  // namespace limpet
