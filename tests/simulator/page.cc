#include "tests/simulator/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>

#include "tests/simulator/random.h"

namespace limpet::simulator {
namespace {

constexpr std::array<std::string_view, 9> kDiskNames = {"disk_reads_completed_total",
                                                        "disk_writes_completed_total",
                                                        "disk_read_bytes_total",
                                                        "disk_written_bytes_total",
                                                        "disk_read_time_seconds_total",
                                                        "disk_write_time_seconds_total",
                                                        "disk_io_time_seconds_total",
                                                        "disk_io_time_weighted_seconds_total",
                                                        "disk_io_now"};
constexpr std::array<std::string_view, 4> kNetNames = {
    "network_receive_bytes_total", "network_receive_packets_total", "network_transmit_bytes_total",
    "network_transmit_packets_total"};

std::string ServerAddress(std::size_t i) { return fmt::format("10.0.{}.{}", i / 200, i % 200 + 1); }
std::string ClientAddress(std::size_t i) { return fmt::format("10.1.{}.{}", i / 200, i % 200 + 1); }

// The client's port of a connection: the same on both sides of it.
std::size_t PortOf(std::size_t client, std::size_t server, std::size_t servers) {
  return 33000 + (client * servers + server) % 27000;
}

void AppendWhole(std::string& text, double value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 static_cast<std::uint64_t>(std::max(0.0, value) + 1e-6));
  text.append(digits.data(), end.ptr);
}

// Whole milliseconds, as the kernel counts them.
void AppendSeconds(std::string& text, double seconds) {
  const auto ms = static_cast<std::uint64_t>(std::max(0.0, seconds) * 1000 + 1e-6);
  AppendWhole(text, static_cast<double>(ms / 1000));
  const auto rest = ms % 1000;
  text += '.';
  text += static_cast<char>('0' + rest / 100);
  text += static_cast<char>('0' + rest / 10 % 10);
  text += static_cast<char>('0' + rest % 10);
}

}  // namespace

Pages::Pages(const ClusterSpec& spec, const PageOptions& options) : spec_(spec), options_(options) {
  Random random(options.seed * 31 + 5);
  const int digits = spec.servers < 100 ? 2 : 3;
  const auto clients = std::min(options.reported_clients, spec.clients);
  for (std::size_t i = 0; i < spec.servers + clients; ++i) {
    const bool server = i < spec.servers;
    const auto number = server ? i : i - spec.servers;
    Node node{.name = fmt::format("{}{:0{}}", server ? "io" : "c", number + 1, digits),
              .role = server ? "io" : "client",
              .phase = std::chrono::milliseconds(2 + random.Below(12)),
              .lines = {}};
    if (server) {
      const auto* exporter = options.node_exporter ? "node" : "limpet";
      for (const auto name : kDiskNames) {
        node.lines.push_back(
            fmt::format("{}_{}{} ", exporter, name, Labels(node, "device=\"sdb\"")));
      }
      for (const auto name : kNetNames) {
        node.lines.push_back(
            fmt::format("{}_{}{} ", exporter, name, Labels(node, "device=\"eth0\"")));
      }
    }
    if (!options.node_exporter) {
      AddSockets(node, number, server);
    }
    nodes_.push_back(std::move(node));
  }
}

std::string Pages::Labels(const Node& node, std::string_view own) const {
  return options_.recording
             ? fmt::format("{{{},instance=\"{}\",role=\"{}\"}}", own, node.name, node.role)
             : fmt::format("{{{}}}", own);
}

// Two lines a connection: cwnd, bytes acknowledged; two more with segments. A server shows those of
// all clients, a client those of all servers.
void Pages::AddSockets(Node& node, std::size_t number, bool server) const {
  const auto others = server ? std::min(options_.reported_clients, spec_.clients) : spec_.servers;
  for (std::size_t i = 0; i < others; ++i) {
    const auto io = server ? number : i;
    const auto client = server ? i : number;
    const auto port = PortOf(client, io, spec_.servers);
    const auto labels = Labels(
        node, server
                  ? fmt::format("local_address=\"{}\",local_port=\"{}\",remote_address=\"{}\","
                                "remote_port=\"{}\"",
                                ServerAddress(io), kFileSystemPort, ClientAddress(client), port)
                  : fmt::format("local_address=\"{}\",local_port=\"{}\",remote_address=\"{}\","
                                "remote_port=\"{}\"",
                                ClientAddress(client), port, ServerAddress(io), kFileSystemPort));
    node.lines.push_back(fmt::format("limpet_tcp_cwnd_segments{} ", labels));
    node.lines.push_back(fmt::format("limpet_tcp_bytes_acked_total{} ", labels));
    if (options_.segments) {
      const auto peer = Labels(node, fmt::format("local_address=\"{}\",peer=\"{}\",side=\"{}\"",
                                                 server ? ServerAddress(io) : ClientAddress(client),
                                                 server ? ClientAddress(client) : ServerAddress(io),
                                                 server ? "server" : "client"));
      node.lines.push_back(fmt::format("limpet_tcp_peer_segments_sent_total{} ", peer));
      node.lines.push_back(fmt::format("limpet_tcp_peer_segments_retransmitted_total{} ", peer));
    }
  }
}

// Every other segment is acknowledged by one of its own, which netstat counts, too. Of what is lost
// on its way to a server, kBehind others come before it is sent again (5 in a lab).
void Pages::AppendNetstat(const Snapshot& snapshot, std::size_t server) {
  constexpr double kAcknowledged = 0.5;
  constexpr double kBehind = 2;
  ConnectionSnapshot up;
  ConnectionSnapshot down;
  for (std::size_t client = 0; client < spec_.clients; ++client) {
    const auto& to = snapshot.up[client * spec_.servers + server];
    const auto& from = snapshot.down[server * spec_.clients + client];
    up.sent += to.sent;
    up.again += to.again;
    down.sent += from.sent;
    down.again += from.again;
  }
  const auto line = [&](std::string_view name, double value) {
    text_ += fmt::format("node_netstat_{} ", name);
    AppendWhole(text_, value);
    text_ += '\n';
  };
  line("Tcp_OutSegs", down.sent + kAcknowledged * up.sent);
  line("Tcp_RetransSegs", down.again);
  line("Tcp_InSegs", up.sent + kAcknowledged * down.sent);
  line("TcpExt_TCPOFOQueue", kBehind * up.again);
}

std::string Pages::Header() {
  std::string text;
  for (const auto name : kDiskNames) {
    const bool counter = name.ends_with("_total");
    text += fmt::format("# TYPE limpet_{} {}\n", name.substr(0, name.size() - (counter ? 6 : 0)),
                        counter ? "counter" : "gauge");
  }
  for (const auto name : kNetNames) {
    text += fmt::format("# TYPE limpet_{} counter\n", name.substr(0, name.size() - 6));
  }
  return text + "# TYPE limpet_tcp_cwnd_segments gauge\n# TYPE limpet_tcp_bytes_acked counter\n";
}

Pages::Page Pages::Render(const Snapshot& snapshot, std::size_t number) {
  const auto& node = nodes_[number];
  const auto at = options_.start + std::chrono::seconds(snapshot.second) + node.phase;
  std::string end = "\n";
  if (options_.recording) {
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(at.time_since_epoch()).count();
    end = fmt::format(" {}.{:03}\n", ms / 1000, ms % 1000);
  }
  text_.clear();
  std::size_t line = 0;
  const auto whole = [&](double value) {
    text_ += node.lines[line++];
    AppendWhole(text_, value);
    text_ += end;
  };
  const auto seconds = [&](double value) {
    text_ += node.lines[line++];
    AppendSeconds(text_, value);
    text_ += end;
  };
  const bool server = number < spec_.servers;
  if (server) {
    const auto& disk = snapshot.disks[number];
    whole(disk.reads);
    whole(disk.writes);
    whole(disk.read_bytes);
    whole(disk.written_bytes);
    seconds(disk.read_seconds);
    seconds(disk.write_seconds);
    seconds(disk.busy_seconds);
    seconds(disk.weighted_seconds);
    whole(static_cast<double>(snapshot.in_flight[number]));
    const auto& net = snapshot.interfaces[number];
    whole(net.rx_bytes);
    whole(net.rx_packets);
    whole(net.tx_bytes);
    whole(net.tx_packets);
  }
  for (std::size_t i = 0; line < node.lines.size(); ++i) {
    const auto& connection = server ? snapshot.down[number * spec_.clients + i]
                                    : snapshot.up[(number - spec_.servers) * spec_.servers + i];
    whole(connection.cwnd);
    whole(connection.acked);
    if (options_.segments) {
      whole(connection.sent);
      whole(connection.again);
    }
  }
  if (options_.node_exporter && server) {
    AppendNetstat(snapshot, number);
  }
  return {.node = node.name, .role = node.role, .at = at, .text = text_};
}

}  // namespace limpet::simulator
