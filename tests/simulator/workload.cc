#include "tests/simulator/workload.h"

#include <algorithm>

namespace limpet::simulator {
namespace {

constexpr double kMegabyte = 1 << 20;
constexpr double kDdPiece = 4 * kMegabyte;
constexpr double kIozonePiece = 1.6 * kMegabyte;
// PostMark's defaults: files of 500 to 10,000 bytes, read in blocks; 4 KiB is the file system's
// block, and a page of PVFS' metadata database.
constexpr double kFileLeast = 500;
constexpr double kFileMost = 10'000;
constexpr double kBlock = 4096;
// One server holds "/", another the directory of the benchmark.
constexpr std::size_t kRootServer = 0;
constexpr std::size_t kDirectoryServer = 1;

double Blocks(double bytes) { return kBlock * std::ceil(bytes / kBlock); }

}  // namespace

std::string_view Name(Workload workload) {
  constexpr std::array<std::string_view, kWorkloads.size()> kNames = {"ddw", "ddr", "iozonew",
                                                                      "iozoner", "postmark"};
  return kNames[static_cast<std::size_t>(workload)];
}

Client::Client(const WorkloadSpec& spec, std::uint64_t seed) : spec_(spec), random_(seed) {
  half_at_ = spec_.half + Seconds(random_.Normal(0, 3));
}

std::size_t Client::DirectoryServer(std::size_t look_up) const {
  return (look_up == 0 ? kRootServer : kDirectoryServer) % spec_.servers;
}

// Exponential, plus the pauses that fell into the time since the last step.
Seconds Client::Think(Seconds mean, Seconds now) {
  auto think = random_.Exponential(mean);
  if (random_.Chance(spec_.pause_each * (now - last_).count())) {
    think += random_.Uniform(Seconds(0.1), spec_.pause_most);
  }
  last_ = now;
  return think;
}

Step Client::Next(Seconds now) {
  if (!begun_) {
    begun_ = true;
    last_ = now;
    auto first = Next(now);
    // Started by hand or script on every client, within half a second.
    first.think += spec_.begin + random_.Uniform(Seconds(0), Seconds(0.5));
    return first;
  }
  if (spec_.workload != Workload::kPostmark) {
    return NextRecord(now);
  }
  if (steps_.empty()) {
    BeginTransaction();
    steps_.back().think = Think(spec_.think, now);
  }
  return NextOfTransaction();
}

Step Client::NextRecord(Seconds now) {
  const bool iozone = spec_.workload == Workload::kIozonew || spec_.workload == Workload::kIozoner;
  const bool writes = spec_.workload == Workload::kDdw || spec_.workload == Workload::kIozonew;
  Step step{.kind = writes ? Step::Kind::kWrite : Step::Kind::kRead,
            .all = true,
            .bytes = iozone ? kIozonePiece : kDdPiece,
            .data = true,
            .allocates = writes && !(iozone && halved_),
            .think = Think(spec_.think, now)};
  if (iozone && !halved_ && now >= half_at_) {
    halved_ = true;
    step.think += random_.Uniform(Seconds(2), Seconds(5));  // fsync, close, open
  }
  return step;
}

void Client::BeginTransaction() {
  const auto server = [&] { return random_.Below(spec_.servers); };
  const double size = random_.Uniform(kFileLeast, kFileMost);
  const Step everywhere{.kind = Step::Kind::kMetadata, .all = true, .bytes = kBlock};
  const auto metadata = [&](std::size_t where) {
    return Step{.kind = Step::Kind::kMetadata, .server = where, .bytes = kBlock};
  };
  if (random_.Chance(0.5)) {
    if (random_.Chance(0.5)) {  // create, then write
      steps_ = {Step{.kind = Step::Kind::kWrite,
                     .server = server(),
                     .bytes = Blocks(size),
                     .data = true,
                     .allocates = true},
                metadata(DirectoryServer(1)), everywhere, metadata(server())};
    } else {  // delete
      steps_ = {metadata(server()), everywhere, metadata(DirectoryServer(1))};
    }
  } else {
    steps_ = {Step{.kind = random_.Chance(0.5) ? Step::Kind::kRead : Step::Kind::kWrite,
                   .server = server(),
                   .bytes = Blocks(size),
                   .data = true}};
  }
  steps_.back().look_ups = 2;
}

Step Client::NextOfTransaction() {
  const auto step = steps_.back();
  steps_.pop_back();
  return step;
}

}  // namespace limpet::simulator
