// store_pages.h: from a store's answers to one page a node, as if it had been scraped.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/sources/native_histogram.h"
#include "diagnoser/sources/range_answer.h"
#include "diagnoser/sources/store.h"
#include "diagnoser/sources/target.h"

namespace limpet {

// One of the queries with what came.
struct StoreAnswer {
  StoreQuery::Kind kind = StoreQuery::Kind::kReadings;
  RangeAnswer answer;
};

struct NodePage {
  Target target;
  bool present = false;  // it has something at the last step
  std::string text;      // every line with its time, in order of time; may be empty
  // limpet-exporter's clock less the store's, the most of these steps; nullopt: it is not known.
  std::optional<Duration> clock_skew;
};

// Remembers which readings went out before, and which exporter represents each node: where two
// could, limpet-exporter, and the same one as long as it is there.
class StorePages {
 public:
  // Series with the names `whole` keep all their labels, and stand on the page of their node,
  // whichever exporter represents it.
  explicit StorePages(StoreSettings settings, std::set<std::string> whole = {});

  [[nodiscard]] const std::set<std::string>& Whole() const { return whole_; }

  struct Made {
    std::vector<NodePage> pages;  // by node; of all nodes seen within kRemember
    std::size_t unnamed = 0;      // series without a usable node label
    // Hosts that turned out to hold several instances of one job: from now on each instance is a
    // node of its own, named with its port.
    std::vector<std::string> shared_hosts;
  };
  // Of the steps up to `last`; the answers may begin with steps that were there before.
  [[nodiscard]] Made Make(const std::vector<StoreAnswer>& answers, UnixTime last);

  static constexpr Duration kRemember = std::chrono::hours(1);
  static constexpr std::size_t kMaxNodes = 100'000;

 private:
  struct Exporter {  // as the store tells it from others
    std::string node;
    std::string job;
    std::string instance;
    bool stock = false;                                 // node_exporter
    auto operator<=>(const Exporter&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  using Instants = std::map<UnixTime, UnixTime>;  // step → when the readings were taken
  struct Node {
    Exporter exporter;
    Target target;
    UnixTime last_seen;     // step
    UnixTime last_reading;  // that went out
  };
  struct Series {
    std::string text;      // name and own labels, without the bracket that ends them
    std::string machines;  // further labels, of pages of several machines
    const std::vector<RangeSeries::Point>* points = nullptr;
    bool info = false;
  };
  // Everything that one exporter sent.
  struct Readings {
    std::vector<Series> series;
    std::map<std::string, std::string> labels;  // of the target
    UnixTime last_step;
    bool several = false;  // a label that names a machine has more than one value
  };
  // The answers of one batch, sorted by exporter. Refers to the answers.
  struct Batch {
    // By node, job and instance: neither query for instants tells stock exporters from ours.
    using Key = std::tuple<std::string, std::string, std::string>;
    std::map<Exporter, Readings> readings;
    std::map<Key, Instants> sampled;  // as limpet-exporter says
    std::map<Key, Instants> scraped;  // as the store saw it
    std::size_t unnamed = 0;

    [[nodiscard]] const Instants* FindInstants(const Exporter& exporter) const;
    [[nodiscard]] std::optional<Duration> FindSkew(const Exporter& exporter) const;
  };

  [[nodiscard]] std::string ReadNode(const RangeSeries& series) const;
  [[nodiscard]] Exporter ReadExporter(const RangeSeries& series, std::string node) const;
  void AddReadings(const RangeSeries& series, Batch& batch) const;
  void AddInstants(const RangeSeries& series, std::map<Batch::Key, Instants>& instants) const;
  // Returns the hosts of which several instances of a job have a reading at `last`.
  [[nodiscard]] std::vector<std::string> FindSharedHosts(const Batch& batch, UnixTime last) const;
  // Those with all their labels, once the exporters of all nodes are known.
  void AddWhole(const std::vector<const RangeSeries*>& all, Batch& batch) const;
  // `classic`: more series of `whole`.
  [[nodiscard]] Batch Sort(const std::vector<StoreAnswer>& answers,
                           const std::vector<RangeSeries>& classic) const;
  // Native histograms as classic ones; none of a series whose classic buckets are there, too.
  [[nodiscard]] std::vector<RangeSeries> Classic(const std::vector<StoreAnswer>& answers);
  [[nodiscard]] const Exporter& Choose(const std::string& node,
                                       const std::vector<const Exporter*>& candidates) const;
  [[nodiscard]] Target MakeTarget(const Exporter& exporter, const Readings& readings) const;
  [[nodiscard]] NodePage MakePage(const Exporter& exporter, const Batch& batch, UnixTime last);
  [[nodiscard]] static std::string Render(const Readings& readings, const Instants* instants,
                                          UnixTime& last_reading);

  StoreSettings settings_;
  std::set<std::string> whole_;
  std::set<std::string> natives_;  // names of `whole_` that are buckets, without that end
  NativeBounds bounds_;
  std::map<std::string, Node> nodes_;
  std::set<std::string, std::less<>> shared_hosts_;
};

}  // namespace limpet
