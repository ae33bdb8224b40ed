// syscall_fleet.h: made-up servers and clients of a striped file system as limpet-exporter's
// collector of system calls shows them, with the faults of [Kasick09].
//
// Servers s1 to s6 hold parts of all files; clients c1 and c2 read and write them without a pause.
// Service times scatter by 10 %. Nothing here knows what the diagnosis makes of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tuple>

#include "exporter/common/time.h"

namespace limpet::testing {

class SyscallFleet {
 public:
  static constexpr int kServers = 6;
  static constexpr int kClients = 2;
  static constexpr std::int64_t kStart = 1'700'000'000;  // second 0

  explicit SyscallFleet(std::uint32_t seed = 1) : random_(seed) {}

  // What is wrong from now on; each is of one server, from 1, or 0 for nobody.
  int slow = 0;     // its storage takes four times as long
  int errors = 0;   // opens return EMFILE, and clients' writes do so
  int hidden = 0;   // the same, but no client sees it
  int dead = 0;     // its process was killed: clients' connections end, and new ones are refused
  int stopped = 0;  // it takes requests and does not answer
  int frozen = 0;   // it does nothing; clients have a timeout, and ask it again and again
  int fed = 0;      // clients send it something large, whose end it will answer
  bool probing = false;  // programs look for files that are not there, and poll

  // One second passes.
  void Step();
  // The page of "s1" or "c2" after the last Step.
  [[nodiscard]] std::string Page(const std::string& node) const;
  // The same as a piece of a recording of all nodes.
  [[nodiscard]] std::string Recording() const;
  [[nodiscard]] int Second() const { return second_; }
  // The nodes' names.
  [[nodiscard]] static std::array<std::string, kServers + kClients> Nodes();
  [[nodiscard]] static bool IsServer(const std::string& node) { return node[0] == 's'; }

 private:
  using Labels = std::string;
  // By name and labels beside those that all series have.
  using Values = std::map<std::pair<std::string, Labels>, double>;

  void StepServer(int number);
  void StepClient(int number);
  double Scatter() { return std::uniform_real_distribution<double>(0.9, 1.1)(random_); }
  [[nodiscard]] std::string Render(const std::string& node, bool recorded) const;

  std::mt19937 random_;
  int second_ = 0;
  int stuck_since_ = 0;
  std::map<std::string, Values> nodes_;
};

}  // namespace limpet::testing
