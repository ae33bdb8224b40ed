// store_pages.h: from a store's answers to one page a node, as if it had been scraped.
//
// Threads: one at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

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
};

// Remembers which readings went out before, and which exporter speaks for each node: where two do,
// limpet-exporter, and the same one as long as it is there.
class StorePages {
 public:
  explicit StorePages(StoreSettings settings) : settings_(std::move(settings)) {}

  struct Made {
    std::vector<NodePage> pages;  // by node; of all nodes seen within kRemember
    std::size_t unnamed = 0;      // series without a usable node label
  };
  // Of the steps up to `last`; the answers may begin with steps that were there before.
  [[nodiscard]] Made Make(std::vector<StoreAnswer> answers, UnixTime last);

  static constexpr Duration kRemember = std::chrono::hours(1);
  static constexpr std::size_t kMaxNodes = 100'000;

 private:
  struct Speaker {  // an exporter as the store tells it from others
    std::string node;
    std::string job;
    std::string instance;
    bool stock = false;  // node_exporter
    auto operator<=>(const Speaker&) const = default;
  };
  using Instants = std::map<UnixTime, UnixTime>;  // step → when the readings were taken
  struct Node {
    Speaker speaker;
    Target target;
    UnixTime last_seen;     // step
    UnixTime last_reading;  // that went out
  };
  struct Series {
    std::string text;  // name and own labels
    const std::vector<RangeSeries::Point>* points = nullptr;
    bool info = false;
  };
  struct Heard {
    std::vector<Series> series;
    std::map<std::string, std::string> labels;  // of the target
    UnixTime last_step;
  };

  [[nodiscard]] std::string NodeOf(const RangeSeries& series) const;
  [[nodiscard]] Speaker SpeakerOf(const RangeSeries& series, std::string node) const;
  void Listen(const RangeSeries& series, std::map<Speaker, Heard>& heard,
              std::size_t& unnamed) const;
  [[nodiscard]] Target TargetOf(const Speaker& speaker, const Heard& heard) const;
  [[nodiscard]] static std::string TextOf(const Heard& heard, const Instants* instants,
                                          UnixTime& last_reading);

  StoreSettings settings_;
  std::map<std::string, Node> nodes_;
};

}  // namespace limpet
