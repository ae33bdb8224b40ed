// disturbed_pages.h: what goes wrong between an exporter and the diagnosis, done to the simulator's
// pages: lost pages and lines, lines that come twice, in another order or without a number, cut
// pages, reboots, pages of another node at this one's address, series that nobody knows.
//
// All of it is trouble of the monitoring and none of the servers, so it must not change who is
// indicted. Identity lines (start and boot time) are added, as limpet-exporter prints them.
// Threads: one object, one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace limpet::accuracy {

struct Disturbances {
  // Probability, for each page.
  double lost = 0.03;
  double cut = 0.01;
  double line_twice = 0.01;
  double shuffled = 0.02;
  double strangers = 0.02;  // 20 new series
  double rebooted = 0.002;  // all counters begin at 0
  double swapped = 0.005;   // the page of the next node instead, for three pages
  // For each line.
  double line_lost = 0.003;
  double line_not_a_number = 0.001;
};

class DisturbedPages {
 public:
  DisturbedPages(const Disturbances& odds, std::uint64_t seed) : odds_(odds), random_(seed) {}

  // The text that arrives in the place of `page` of node `number`; nullopt: none. Call it once a
  // second for each node, with all pages of that second.
  [[nodiscard]] std::optional<std::string> Disturb(std::size_t number,
                                                   const std::vector<std::string>& pages);

 private:
  struct Machine {
    std::map<std::string, double, std::less<>> base;  // counters at the last reboot, by series
    std::size_t boots = 0;
    int swapped_for = 0;  // pages
  };
  [[nodiscard]] bool Happens(double probability) {
    return std::bernoulli_distribution(probability)(random_);
  }
  // The page as its own machine prints it.
  [[nodiscard]] std::vector<std::string> Print(std::size_t number, std::string_view page);
  [[nodiscard]] std::string PrintLine(Machine& machine, std::string_view line, bool reboots);

  Disturbances odds_;
  std::mt19937_64 random_;
  std::map<std::size_t, Machine> machines_;
};

}  // namespace limpet::accuracy
