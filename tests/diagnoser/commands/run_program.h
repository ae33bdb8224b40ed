// run_program.h: limpet-diagnoser in this process, and a recording for it to read.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "diagnoser/commands/app.h"
#include "tests/support/disk_counters.h"

namespace limpet::testing {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

// Exit code and both outputs of limpet-diagnoser with these arguments.
inline Outcome RunWith(const std::vector<std::string>& arguments) {
  std::vector<const char*> pointers = {"limpet-diagnoser"};
  for (const auto& argument : arguments) {
    pointers.push_back(argument.c_str());
  }
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = RunProgram(DiagnoserProgram(), static_cast<int>(pointers.size()), pointers.data());
  std::fflush(stdout);
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  return outcome;
}

// Windows of 8 s, a verdict after two of them.
inline constexpr const char* kQuickPresets =
    "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n";
inline constexpr const char* kQuickGroups = "peer_groups: [{name: disks, kind: storage}]\n";
inline constexpr const char* kQuickConfig =
    "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
    "peer_groups: [{name: disks, kind: storage}]\n";

// So many seconds of servers a to d, which take about 10 ms a request; `slow` takes eight times as
// long; a reading every `step` seconds.
inline std::string DiskRecording(int seconds, char slow = '\0', int step = 1) {
  std::string text;
  std::array<DiskCounters, 4> disks;
  for (int second = 0; second < seconds; ++second) {
    for (std::size_t i = 0; i < disks.size(); ++i) {
      const char node = static_cast<char>('a' + i);
      // Never quite the same: real peers are not, and training wants to see by how much.
      const int await_ms = 10 + (7 * second + 3 * static_cast<int>(i)) % 4;
      disks[i].AddSecond(node == slow ? 8 * await_ms : await_ms);
      text += disks[i].Lines(fmt::format(",instance=\"{}\",role=\"server\"", node),
                             fmt::format(" {}.250", 1'700'000'000 + second * step));
    }
  }
  return text + "# EOF\n";
}

}  // namespace limpet::testing
