#include "tests/support/syscall_fleet.h"

#include <fmt/format.h>

namespace limpet::testing {
namespace {

constexpr double kCalls = 40;    // a second, of each kind
constexpr double kDisk = 0.004;  // seconds a call
constexpr double kSocket = 0.0002;

std::string Peer(int server) { return fmt::format("10.0.0.{}:49152", server); }

}  // namespace

std::array<std::string, SyscallFleet::kServers + SyscallFleet::kClients> SyscallFleet::Nodes() {
  return {"s1", "s2", "s3", "s4", "s5", "s6", "c1", "c2"};
}

void SyscallFleet::Step() {
  ++second_;
  if (stopped != 0 && stuck_since_ == 0) {
    stuck_since_ = second_;
  } else if (stopped == 0) {
    stuck_since_ = 0;
  }
  for (int i = 1; i <= kServers; ++i) {
    StepServer(i);
  }
  for (int i = 1; i <= kClients; ++i) {
    StepClient(i);
  }
}

void SyscallFleet::StepServer(int number) {
  auto& values = nodes_[fmt::format("s{}", number)];
  const auto add = [&](const char* path, double each) {
    values[{"syscall_seconds_total", fmt::format("class=\"{}\"", path)}] +=
        kCalls * each * Scatter();
    values[{"syscalls_total", fmt::format("class=\"{}\"", path)}] += kCalls;
  };
  const bool works = number != dead && number != frozen && stopped == 0;
  values[{"syscall_open_seconds", "class=\"storage\""}] = 0;
  values[{"syscall_processes", ""}] = number == dead ? 0 : 1;
  auto& not_there =
      values[{"syscall_errors_total", "operation=\"stat\",class=\"storage\",errno=\"ENOENT\""}];
  auto& again =
      values[{"syscall_errors_total", "operation=\"read\",class=\"network\",errno=\"EAGAIN\""}];
  if (works) {
    const double disk = number == slow ? 4 * kDisk : kDisk;
    add("dread", disk);
    add("dwrite", disk);
    add("nsread", kSocket);
    again += 3;
    not_there += probing ? 5 : 0;
  }
  if (number == errors || number == hidden) {
    values[{"syscall_errors_total", "operation=\"open\",class=\"storage\",errno=\"EMFILE\""}] += 2;
  }
}

void SyscallFleet::StepClient(int number) {
  auto& values = nodes_[fmt::format("c{}", number)];
  const double now = static_cast<double>(kStart + second_) - 0.2;
  for (int i = 1; i <= kServers; ++i) {
    const auto peer = fmt::format("peer=\"{}\"", Peer(i));
    const auto completed = [&](const char* operation, double at) {
      values[{"syscall_last_completed_timestamp_seconds",
              peer + fmt::format(",operation=\"{}\"", operation)}] = at;
    };
    // All wait for the one that is stopped; it has taken one more request.
    if (stopped != 0) {
      if (i == stopped && second_ == stuck_since_) {
        completed("write", now);
      }
      continue;
    }
    if (i == dead) {
      auto& ended = values[{"syscall_peer_failures_total", peer + ",errno=\"EOF\""}];
      ended = ended == 0 ? 1 : ended;
      if (second_ % 3 == 0) {
        values[{"syscall_peer_failures_total", peer + ",errno=\"ECONNREFUSED\""}] += 1;
      }
      continue;
    }
    if (i == frozen || i == fed) {
      if (second_ % 3 == 0) {
        completed("write", now);
      }
      continue;
    }
    completed("write", now - 0.01);
    completed("read", now);
    values[{"syscall_peer_read_seconds_total", peer}] += kCalls * kSocket * Scatter();
    values[{"syscall_peer_reads_total", peer}] += kCalls;
  }
  values[{"syscall_open_seconds", "class=\"storage\""}] =
      stuck_since_ == 0 ? 0.01 : static_cast<double>(second_ - stuck_since_);
  auto& not_there =
      values[{"syscall_errors_total", "operation=\"open\",class=\"storage\",errno=\"ENOENT\""}];
  not_there += probing ? 5 : 0;
  if (errors != 0) {
    values[{"syscall_errors_total", "operation=\"write\",class=\"storage\",errno=\"EMFILE\""}] += 1;
  }
}

std::string SyscallFleet::Render(const std::string& node, bool recorded) const {
  std::string text;
  const auto values = nodes_.find(node);
  if (values == nodes_.end()) {
    return text;
  }
  const bool server = IsServer(node);
  for (const auto& [key, value] : values->second) {
    text += fmt::format(
        "limpet_{}{{process=\"fsd\",process_role=\"{}\"{}{}{}}} {}{}\n", key.first,
        server ? "server" : "client", key.second.empty() ? "" : ",", key.second,
        recorded ? fmt::format(",instance=\"{}\",role=\"{}\"", node, server ? "io" : "client") : "",
        value, recorded ? fmt::format(" {}.000", kStart + second_) : "");
  }
  return text;
}

std::string SyscallFleet::Page(const std::string& node) const { return Render(node, false); }

std::string SyscallFleet::Recording() const {
  std::string text;
  for (const auto& node : Nodes()) {
    text += Render(node, true);
  }
  return text;
}

}  // namespace limpet::testing
