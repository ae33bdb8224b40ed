// page.h: snapshots as the text that limpet-exporter would print, live or as a recording.
//
// Servers have a disk sdb and an interface eth0, role "io"; clients have their connections only,
// role "client". The clock begins at a given Unix time; every machine samples a few milliseconds
// after the full second, as real ones do, always the same few.
// Threads: one object, one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/time.h"
#include "tests/simulator/cluster.h"

namespace limpet::simulator {

inline constexpr int kFileSystemPort = 3334;  // PVFS'

struct PageOptions {
  UnixTime start = UnixFromSeconds(1'700'000'000);
  std::size_t reported_clients =
      10;                  // the others have no exporter ([Kasick10 §11.1]: not all need one)
  bool recording = false;  // instance, role and timestamp on every line
  // Segments that connections sent and sent again, as exporters on Linux 4.6 and later count them.
  bool segments = false;
  // node_exporter's: no connections, but the segments of each node by netstat.
  bool node_exporter = false;
  std::uint64_t seed = 1;
};

class Pages {
 public:
  Pages(const ClusterSpec& spec, const PageOptions& options);

  struct Page {
    std::string_view node;
    std::string_view role;
    UnixTime at;
    std::string_view text;  // valid until the next call
  };
  // Servers first, then the reported clients.
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] Page Render(const Snapshot& snapshot, std::size_t node);

  [[nodiscard]] const std::string& ServerName(std::size_t server) const {
    return nodes_[server].name;
  }
  // TYPE lines for the beginning of a recording.
  [[nodiscard]] static std::string Header();

 private:
  struct Node {
    std::string name;
    std::string role;
    Duration phase{};
    std::vector<std::string> lines;  // up to and with the space before the value
  };
  void AppendNetstat(const Snapshot& snapshot, std::size_t server);
  void AddSockets(Node& node, std::size_t number, bool server) const;
  [[nodiscard]] std::string Labels(const Node& node, std::string_view own) const;

  ClusterSpec spec_;
  PageOptions options_;
  std::vector<Node> nodes_;
  std::string text_;
};

}  // namespace limpet::simulator
