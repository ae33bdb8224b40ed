// identities.h: which exporter on which machine each node's pages come from, and when that changes.
//
// Restarted: another start of the exporter, after the last page: the kernel's counters go on, those
//            of the exporter begin anew.
// Replaced:  another boot or host name, or an exporter that had started before the last page came,
//            so that it is another one: addresses were swapped, a load balancer answered, a virtual
//            machine was restored. No counter goes on (docs/decisions/0131).
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "diagnoser/intake/page_reader.h"
#include "diagnoser/intake/scrape.h"

namespace limpet {

class Identities {
 public:
  // The starts of each node's exporter (Unix seconds), as far as they say so.
  using Starts = std::map<std::string, double, std::less<>>;
  using Nodes = std::set<std::string, std::less<>>;
  using Replaced = std::map<std::string, IdentityChange, std::less<>>;

  struct Changes {
    Nodes restarted;
    Replaced replaced;  // by node: the first sign of it
  };

  // Remembers at most `max_nodes`; those beyond them never count as changed.
  explicit Identities(std::size_t max_nodes) : max_nodes_(max_nodes) {}

  [[nodiscard]] Changes Update(std::span<const PageReader::Claim> claims);
  void Forget(std::string_view node);

  // Kept over a restart of our own. `last`: reading before it.
  [[nodiscard]] Starts All() const;
  void Resume(const Starts& starts, std::optional<UnixTime> last);

 private:
  struct Identity {
    std::optional<double> start;
    std::optional<double> boot;
    std::string hostname;
    UnixTime seen;  // when it was last heard of
  };
  struct Page {
    Identity identity;
    bool own_start = false;  // limpet-exporter's own, which is exact
  };

  [[nodiscard]] static std::map<std::string, Page> Gather(
      std::span<const PageReader::Claim> claims);
  static void Compare(const std::string& node, const Identity& known, const Page& page,
                      Changes& changes);

  std::size_t max_nodes_;
  std::map<std::string, Identity, std::less<>> known_;
};

}  // namespace limpet
