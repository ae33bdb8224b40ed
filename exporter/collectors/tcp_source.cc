#include "exporter/collectors/tcp_source.h"

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "exporter/io/closed_connections.h"
#include "exporter/io/netlink.h"
#include "exporter/kernel/net_tcp.h"

namespace limpet {
namespace {

constexpr int kReadingsBeforeRetry = 60;

// Only differences of it are used: what this thread has cost so far.
Duration ThreadCpuTime() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + Duration(now.tv_nsec);
}

class ProcTcpSource final : public TcpSource {
 public:
  ProcTcpSource(const TcpSourceOptions& options, std::unique_ptr<FileReader> proc)
      : max_sockets_(options.max_sockets), ports_(options.ports), proc_(std::move(proc)) {}

  Result<TcpReading> Read() override {
    const auto begin = ThreadCpuTime();
    const auto four = proc_->Read("net/tcp");
    if (!four) {
      return four.error();
    }
    // Used up before tcp6 is read, which ends the text.
    sockets_ = ParseNetTcp(*four, &ports_, max_sockets_).found;
    // A machine without IPv6 has no tcp6.
    if (const auto six = proc_->Read("net/tcp6"); six) {
      auto more = ParseNetTcp(*six, &ports_, max_sockets_ - sockets_.sockets.size()).found;
      std::move(more.sockets.begin(), more.sockets.end(), std::back_inserter(sockets_.sockets));
      sockets_.dropped += more.dropped;
    }
    return TcpReading{.sockets = &sockets_, .cost = ThreadCpuTime() - begin, .detailed = false};
  }

  void SetPorts(const std::vector<PortRange>& ports) override { ports_ = PortSet(ports); }

 private:
  std::size_t max_sockets_;
  PortSet ports_;
  std::unique_ptr<FileReader> proc_;
  TcpSockets sockets_;
};

class NetlinkTcpSource final : public TcpSource {
 public:
  explicit NetlinkTcpSource(const TcpSourceOptions& options)
      : netlink_({.ports = options.ports,
                  .with_congestion = options.with_congestion,
                  .states = options.only_listening ? DiagStates::kListening
                            : options.with_closed  ? DiagStates::kAndClosing
                                                   : DiagStates::kEstablishedAndListening,
                  .max_sockets = options.max_sockets,
                  .network_namespace = options.network_namespace}) {
    if (options.with_closed) {
      listener_.emplace(options.network_namespace);
    }
  }

  Result<TcpReading> Read() override {
    const auto begin = ThreadCpuTime();
    const auto dump = netlink_.Dump();
    if (!dump) {
      return dump.error();
    }
    // After the dump: none is in neither.
    const bool all_closed = listener_ && listener_->Read(closed_);
    return TcpReading{.sockets = *dump,
                      .closed = closed_,
                      .all_closed = all_closed,
                      .cost = ThreadCpuTime() - begin,
                      .detailed = (*dump)->HaveDetails(),
                      .from_netlink = true};
  }

  void SetPorts(const std::vector<PortRange>& ports) override { netlink_.SetPorts(ports); }

 private:
  DiagSocket netlink_;
  std::optional<ClosedConnections> listener_;
  std::vector<TcpSocket> closed_;
};

class NetlinkFirst final : public TcpSource {
 public:
  NetlinkFirst(const TcpSourceOptions& options, std::unique_ptr<TcpSource> fallback)
      : may_fall_back_(options.network_namespace.empty()),
        netlink_(options),
        fallback_(std::move(fallback)) {}

  Result<TcpReading> Read() override {
    // A sandbox may refuse netlink for good: asking at every reading would only cost.
    if (readings_before_retry_ > 0) {
      --readings_before_retry_;
      return fallback_->Read();
    }
    auto reading = netlink_.Read();
    if (reading || !may_fall_back_) {
      return reading;
    }
    auto instead = fallback_->Read();
    if (!instead) {
      return reading;  // tells more than the absence of /proc
    }
    readings_before_retry_ = kReadingsBeforeRetry;
    return instead;
  }

  void SetPorts(const std::vector<PortRange>& ports) override {
    netlink_.SetPorts(ports);
    fallback_->SetPorts(ports);
  }

 private:
  bool may_fall_back_;
  int readings_before_retry_ = 0;
  NetlinkTcpSource netlink_;
  std::unique_ptr<TcpSource> fallback_;
};

}  // namespace

std::unique_ptr<TcpSource> OpenTcpSource(const TcpSourceOptions& options,
                                         std::unique_ptr<FileReader> proc) {
  return std::make_unique<NetlinkFirst>(options, OpenProcTcpSource(options, std::move(proc)));
}

std::unique_ptr<TcpSource> OpenNetlinkTcpSource(const TcpSourceOptions& options) {
  return std::make_unique<NetlinkTcpSource>(options);
}

std::unique_ptr<TcpSource> OpenProcTcpSource(const TcpSourceOptions& options,
                                             std::unique_ptr<FileReader> proc) {
  return std::make_unique<ProcTcpSource>(options, std::move(proc));
}

}  // namespace limpet
