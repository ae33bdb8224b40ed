#include "tests/accuracy/balance_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

#include "diagnoser/pipeline/pipeline.h"
#include "tests/accuracy/one_run.h"
#include "tests/accuracy/pool.h"

namespace limpet::accuracy {
namespace {

using simulator::RatedServer;
using simulator::RateSpec;

constexpr std::size_t kServers = 6;
constexpr std::size_t kOdd = 3;  // the server that differs
constexpr double kMB = 1e6;
constexpr double kLoad = 100 * kMB;
constexpr double kManagement = 0.05 * kMB;

struct Direction {
  std::string name;
  double read = 0;
  double written = 0;
};
const std::array kDirections = {Direction{"reads", kLoad, 0}, Direction{"writes", 0, kLoad},
                                Direction{"both", kLoad / 2, kLoad / 2}};

// Servers differ a little in all that they do.
RateSpec Even(const Direction& direction, std::uint64_t seed, double seen = 1) {
  RateSpec rates{.read = direction.read, .written = direction.written, .servers = {}};
  rates.seed = seed;
  simulator::Random random(seed * 97 + 5);
  for (std::size_t i = 0; i < kServers; ++i) {
    rates.servers.push_back({.load = random.Uniform(0.95, 1.05),
                             .seen = seen,
                             .management = kManagement * random.Uniform(0.7, 1.5),
                             .stranger = {}});
  }
  return rates;
}

class Builder {
 public:
  Builder(bool dense, std::uint64_t seed) : dense_(dense), seed_(seed) {}

  template <class Change>
  void Healthy(const std::string& kind, const std::string& what, const Direction& direction,
               double seen, const Change& change, bool connections = false) {
    auto rates = Even(direction, NextSeed(), seen);
    change(rates.servers);
    cases_.push_back({.kind = kind,
                      .what = fmt::format("{}, {}", direction.name, what),
                      .rates = std::move(rates),
                      .connections = connections});
  }
  // One of each of the four. At the disk it takes a quarter of the time, beside as much load: what
  // takes little of it is no hog.
  void Strangers(const std::string& kind, const Direction& direction, double seen, double rate) {
    for (const auto& [name, stranger] : {std::pair{"disk-hog", simulator::Stranger{.read = rate}},
                                         {"disk-hog", {.written = rate}},
                                         {"network-hog", {.sent = rate}},
                                         {"network-hog", {.received = rate}}}) {
      auto rates = Even(direction, NextSeed(), seen);
      const bool at_disk = stranger.read + stranger.written > 0;
      const double beside = at_disk ? rate / kLoad : rate < 20 * kMB ? 0.2 : 1;
      rates.read *= beside;
      rates.written *= beside;
      if (at_disk) {
        rates.disk_rate = 4 * rate;
      }
      rates.servers[kOdd].stranger = stranger;
      cases_.push_back({.kind = fmt::format("{}, {}", kind, name),
                        .what = fmt::format("{}, {:.0f} MB/s {}", direction.name, rate / kMB,
                                            stranger.read > 0      ? "read"
                                            : stranger.written > 0 ? "written"
                                            : stranger.sent > 0    ? "sent"
                                                                   : "received"),
                        .rates = std::move(rates),
                        .cause = name,
                        .sick = kOdd});
    }
  }
  [[nodiscard]] bool Dense() const { return dense_; }
  [[nodiscard]] std::uint64_t Seed() const { return seed_; }
  [[nodiscard]] std::vector<BalanceCase> Take() { return std::move(cases_); }

 private:
  std::uint64_t NextSeed() { return seed_ * 1000 + cases_.size(); }

  bool dense_;
  std::uint64_t seed_;
  std::vector<BalanceCase> cases_;
};

// How much of the traffic is seen, and one server or all with more or less load.
void AddShares(Builder& builder) {
  const std::vector<double> dense = {0, 0.005, 0.02, 0.07, 0.1, 0.25, 0.5, 1};
  const std::vector<double> few = {0, 0.02, 0.07, 1};
  for (const double seen : builder.Dense() ? dense : few) {
    const auto kind = fmt::format("{:g} % of the traffic seen", 100 * seen);
    for (const auto& direction : kDirections) {
      const std::vector<double> loads = {1.1, 1.3, 1.5, 2, 3};
      for (const double load : builder.Dense() ? loads : std::vector<double>{1.5, 3}) {
        builder.Healthy(kind, fmt::format("one with {:g} times the load", load), direction, seen,
                        [&](auto& servers) { servers[kOdd].load *= load; });
      }
      builder.Healthy(kind, "loads of all differ", direction, seen, [&](auto& servers) {
        for (std::size_t i = 0; i < servers.size(); ++i) {
          servers[i].load *= 0.5 + 0.3 * static_cast<double>(i);
        }
      });
    }
    for (const double rate :
         builder.Dense() ? std::vector<double>{10, 40, 100} : std::vector<double>{100}) {
      for (const auto& direction : kDirections) {
        builder.Strangers(kind, direction, seen, rate * kMB);
      }
    }
  }
}

// One server that differs from its peers in something, alone and with more load.
template <class Change>
void AddOdd(Builder& builder, const std::string& kind, const std::vector<double>& values,
            const Change& change) {
  for (const double value : values) {
    for (const auto& direction : kDirections) {
      for (const double load : builder.Dense() ? std::vector<double>{1, 1.5} : std::vector{1.0}) {
        builder.Healthy(kind, fmt::format("{:g}, {:g} times the load", value, load), direction, 1,
                        [&](auto& servers) {
                          servers[kOdd].load *= load;
                          change(servers, value);
                        });
      }
    }
  }
}

template <class Change>
void AddAll(Builder& builder, const std::string& kind, const std::vector<double>& values,
            const Change& change) {
  AddOdd(builder, kind, values, [&](auto& servers, double value) {
    for (auto& server : servers) {
      change(server, value);
    }
  });
}

void AddOdds(Builder& builder) {
  using Servers = std::vector<RatedServer>;
  AddOdd(builder, "one server's interface hidden", {0, 0.03},
         [](Servers& servers, double seen) { servers[kOdd].seen = seen; });
  AddOdd(builder, "one server has local readers", {0.3, 0.6},
         [](Servers& servers, double local) { servers[kOdd].seen = 1 - local; });
  AddAll(builder, "all serve from memory", {0.7, 0.3, 0.05},
         [](RatedServer& server, double read) { server.read = read; });
  AddOdd(builder, "one serves more from memory", {0.7, 0.3, 0},
         [](Servers& servers, double read) { servers[kOdd].read = read; });
  AddOdd(builder, "one serves less from memory", {0.9, 0.5, 0.2},
         [](Servers& servers, double read) {
           for (auto& server : servers) {
             server.read = read;
           }
           servers[kOdd].read = 1;
         });
  AddOdd(builder, "one reads ahead or amplifies", {1.3, 1.5, 2},
         [](Servers& servers, double times) {
           servers[kOdd].read = times;
           servers[kOdd].written = times;
         });
  AddOdd(builder, "one compresses", {0.7, 0.5},
         [](Servers& servers, double times) { servers[kOdd].written = times; });
  AddOdd(builder, "journals elsewhere at one", {2}, [](Servers& servers, double times) {
    for (auto& server : servers) {
      server.written = times;
    }
    servers[kOdd].written = 1;
  });
  AddAll(builder, "all write journals, or compress", {2, 3, 0.5},
         [](RatedServer& server, double times) { server.written = times; });
  AddAll(builder, "erasure coding", {0.5, 1, 2},
         [](RatedServer& server, double times) { server.passed_on = times; });
  AddAll(builder, "bursts of writing back", {30, 90, 150},
         [](RatedServer& server, double period) { server.flush = period; });
  AddOdd(builder, "bursts of writing back at one", {30, 90, 150},
         [](Servers& servers, double period) { servers[kOdd].flush = period; });
}

// A file that everybody wants, served from memory. Only the file system's own connections tell it
// from a network hog.
void AddHotFiles(Builder& builder) {
  for (const double rate : {30.0, 100.0}) {
    for (const auto& direction : kDirections) {
      for (const bool known : {false, true}) {
        builder.Healthy(
            known ? "a hot file at one, connections known" : "a hot file at one",
            fmt::format("{:g} MB/s", rate), direction, 1,
            [&](auto& servers) { servers[kOdd].hot = rate * kMB; }, known);
      }
    }
  }
}

std::string List(const std::map<std::string, double>& wrong) {
  std::string text;
  for (const auto& [what, second] : wrong) {
    text += fmt::format("{}{} after {:.0f} s", text.empty() ? "" : ", ", what, second);
  }
  return text;
}

struct Row {
  std::size_t healthy = 0;
  std::size_t wrong = 0;
  std::size_t sick = 0;
  std::size_t found = 0;
  std::vector<double> delays;
};

}  // namespace

std::vector<BalanceCase> BalanceCases(bool dense, std::uint64_t seed) {
  Builder builder(dense, seed);
  AddShares(builder);
  AddOdds(builder);
  AddHotFiles(builder);
  return builder.Take();
}

BalanceOutcome RunBalance(const BalanceCase& one, const std::vector<PresetSettings>& presets) {
  simulator::Rates rates(one.rates);
  const simulator::PageOptions options{.reported_clients = one.connections ? 1U : 0U,
                                       .segments = one.connections};
  simulator::Pages pages(rates.Cluster(), options);
  Pipeline pipeline({.presets = presets, .groups = PeerGroups()});
  const auto sick = one.cause.empty() ? std::string() : pages.ServerName(one.sick);
  BalanceOutcome outcome;
  const auto listen = [&](const Event& event) {
    const auto* verdict = std::get_if<VerdictEvent>(&event);
    if (verdict == nullptr || verdict->secondary) {
      return;
    }
    const double at =
        ToSeconds(verdict->end - options.start) - static_cast<double>(one.rates.stranger_from);
    const bool right = verdict->node == sick && at >= 0;
    if (right && Name(verdict->cause) == one.cause) {
      outcome.delay = outcome.delay.value_or(at);
    } else if (!right) {
      std::string what = fmt::format("{} {}", verdict->node, Name(verdict->cause));
      for (const auto& evidence : verdict->evidence) {
        what += fmt::format(" ({}{}{})", evidence.metric, evidence.scale.empty() ? "" : " ",
                            evidence.scale);
      }
      outcome.wrong.emplace(what, ToSeconds(verdict->end - options.start));
    }
  };
  while (const auto* snapshot = rates.NextSecond()) {
    UnixTime now{};
    for (std::size_t node = 0; node < one.rates.servers.size(); ++node) {
      const auto page = pages.Render(*snapshot, node);
      const auto stats = pipeline.Ingest({.source = page.node,
                                          .node = page.node,
                                          .role = page.role,
                                          .labels = {},
                                          .at = page.at,
                                          .text = page.text});
      if (!stats) {
        throw std::runtime_error(stats.error().Text());
      }
      now = std::max(now, page.at);
    }
    std::ranges::for_each(pipeline.Advance(now), listen);
  }
  std::ranges::for_each(pipeline.Finish(), listen);
  return outcome;
}

std::string BalanceTable(const ScenarioSpec& spec, const Progress& progress) {
  std::vector<BalanceCase> cases;
  for (std::uint64_t seed = spec.first_seed; seed < spec.first_seed + spec.seeds; ++seed) {
    for (auto& one : BalanceCases(true, seed)) {
      cases.push_back(std::move(one));
    }
  }
  const auto outcomes = MapAll(
      cases, spec.threads, [&](const BalanceCase& one) { return RunBalance(one, spec.presets); },
      [&](std::size_t done) { progress(done, cases.size()); });
  std::vector<std::string> order;
  std::map<std::string, Row> rows;
  std::string mistakes;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& one = cases[i];
    if (!rows.contains(one.kind)) {
      order.push_back(one.kind);
    }
    auto& row = rows[one.kind];
    (one.cause.empty() ? row.healthy : row.sick) += 1;
    row.wrong += outcomes[i].wrong.empty() ? 0U : 1U;
    row.found += outcomes[i].delay ? 1U : 0U;
    if (outcomes[i].delay) {
      row.delays.push_back(*outcomes[i].delay);
    }
    if (!outcomes[i].wrong.empty() || (!one.cause.empty() && !outcomes[i].delay)) {
      mistakes += fmt::format("{}: {}: {}\n", one.kind, one.what,
                              outcomes[i].wrong.empty() ? "missed" : List(outcomes[i].wrong));
    }
  }
  std::string text =
      "| kind | healthy | named | strangers | found | median s |\n|---|---|---|---|---|---|\n";
  for (const auto& name : order) {
    auto& row = rows[name];
    std::ranges::sort(row.delays);
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} |\n", name, row.healthy, row.wrong, row.sick, row.found,
        row.delays.empty() ? "-" : fmt::format("{:.0f}", row.delays[row.delays.size() / 2]));
  }
  return text + "\n" + mistakes;
}

}  // namespace limpet::accuracy
