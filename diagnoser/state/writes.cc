#include "diagnoser/state/writes.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/state/admission.h"
#include "diagnoser/state/tails.h"

namespace limpet {
namespace {

// One a second, and those of the first window's course.
constexpr std::uint64_t kMaxStretches = 1024;

bool MakesSense(const WriteStretch& one, const std::vector<WriteStretch>& before) {
  return std::isfinite(one.seconds) && one.seconds > 0 && std::isfinite(one.written) &&
         std::isfinite(one.received) && (before.empty() || before.back().end < one.end);
}

}  // namespace

void WriteWrites(const WriteMemory& memory, ByteWriter& out) {
  out.Count(memory.servers.size());
  for (const auto& [server, stretches] : memory.servers) {
    out.Text(server);
    out.Count(stretches.size());
    for (const auto& one : stretches) {
      out.Fixed(Nanoseconds(one.end), 8);
      out.Double(one.seconds);
      out.Double(one.written);
      out.Double(one.received);
    }
  }
}

bool ReadWrites(ByteReader& in, const PipelineLimits& limits, WriteMemory& memory) {
  Admission admission(limits);
  const auto servers = in.Count();
  // The count may be any number: the loop ends with the bytes.
  for (std::uint64_t i = 0; i < servers && !in.Failed(); ++i) {
    std::string server(in.Text());
    const auto count = in.Count();
    if (in.Failed() || server.empty() || count > kMaxStretches) {
      return false;
    }
    std::vector<WriteStretch> stretches;
    for (std::uint64_t k = 0; k < count; ++k) {
      const WriteStretch one{.end = FromNanoseconds(in.Fixed(8)),
                             .seconds = in.Double(),
                             .written = in.Double(),
                             .received = in.Double()};
      if (in.Failed() || !MakesSense(one, stretches)) {
        return false;
      }
      stretches.push_back(one);
    }
    if (admission.Admit(server)) {
      memory.servers[std::move(server)] = std::move(stretches);
    }
  }
  return !in.Failed();
}

}  // namespace limpet
