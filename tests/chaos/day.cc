// A simulated day of the diagnoser: forty servers answer once a second of a clock that is moved by
// hand, one limps, one has other devices all the time, one comes and goes, one restarts, somebody
// watches, the state is saved, and the configuration is loaded again every minute.
//
//   limpet-day [HOURS]      default 24; CSV of seconds, resident bytes and descriptors, ten minutes
//   a row
//
// Ends with 1 where the second half grows by 1 MB an hour or more, descriptors do, or the limping
// server is not the only one named. docs/reliability.md has the curve
// (tests/chaos/soak_picture.py).
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/config/config.h"
#include "diagnoser/runtime/diagnosis.h"
#include "tests/support/disk_counters.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_folder.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr int kServers = 40;
constexpr int kMinute = 60;
constexpr int kRow = 10 * kMinute;

DiagnoserConfig Configured(double hours) {
  std::string text = fmt::format(
      "presets: [{{base: bare, name: quick, window: 16, shift: 4, k: 2}}]\n"
      "peer_groups: [{{name: disks, kind: storage}}]\n"
      "publish: {{history: {{duration: {}s}}}}\ntargets:\n",
      static_cast<int>(hours * 3600 / 8) + kMinute);
  for (int i = 0; i < kServers; ++i) {
    text += fmt::format("  - {{node: io{:02}, address: io{:02}}}\n", i, i);
  }
  auto config = ParseDiagnoserConfig(text, "day.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
  });
  if (!config) {
    throw std::runtime_error(config.error().Text());
  }
  return *std::move(config);
}

struct Used {
  double seconds = 0;
  std::size_t bytes = 0;
  std::ptrdiff_t descriptors = 0;
};

Used UsedNow(int second) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  const std::filesystem::directory_iterator open("/proc/self/fd");
  return {.seconds = static_cast<double>(second),
          .bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)),
          .descriptors = std::distance(begin(open), end(open))};
}

// Least squares over the second half: bytes an hour.
double Slope(const std::vector<Used>& rows) {
  const auto from = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  const auto n = static_cast<double>(rows.end() - from);
  double x = 0;
  double y = 0;
  for (auto row = from; row != rows.end(); ++row) {
    x += row->seconds / n;
    y += static_cast<double>(row->bytes) / n;
  }
  double together = 0;
  double spread = 0;
  for (auto row = from; row != rows.end(); ++row) {
    together += (row->seconds - x) * (static_cast<double>(row->bytes) - y);
    spread += (row->seconds - x) * (row->seconds - x);
  }
  return spread > 0 ? 3600 * together / spread : 0;
}

class Day {
 public:
  explicit Day(double hours)
      : config_(Configured(hours)),
        diagnosis_(config_, config_, {.store = &store_, .viewers = &viewers_, .own_thread = false},
                   clock_, metrics_, [](LogLevel, std::string_view) {}) {
    static_cast<void>(viewers_.Admit(1));
    diagnosis_.Start();
  }
  void Second(int second) {
    clock_.Advance(1s);
    for (std::size_t i = 0; i < config_.targets.size(); ++i) {
      Answer(i, second);
    }
    if (second % kMinute == 0) {
      diagnosis_.Reload(config_, config_);
    }
    diagnosis_.Step();
    if (second % 15 == 0) {
      static_cast<void>(diagnosis_.Latest()->page->Get(Format::kOpenMetrics, true));
    }
  }
  [[nodiscard]] bool OnlyTheLimpingIsNamed() const {
    const auto page = *diagnosis_.Latest()->page->Get(Format::kText, false);
    bool named = false;
    std::size_t begin = 0;
    while ((begin = page.find("\nlimpet_indicted{", begin)) != std::string::npos) {
      const auto line = page.substr(begin + 1, page.find('\n', begin + 1) - begin - 1);
      const bool indicted = line.ends_with(" 1");
      const bool limping = line.find("node=\"io02\",cause=\"disk-busy\"") != std::string::npos;
      if (indicted && !limping) {
        fmt::print(stderr, "named: {}\n", line);
        return false;
      }
      named = named || indicted;
      ++begin;
    }
    return named;
  }

 private:
  void Answer(std::size_t i, int second) {
    const auto& target = config_.targets[i];
    auto& disk = disks_[target.node];
    disk.AddSecond(i == 2 ? 80 : 10 + (second + static_cast<int>(i)) % 3);
    FetchResult result{.body = disk.Lines(), .asked_at = clock_.Now()};
    if (i == 3) {
      for (int device = 0; device < 10; ++device) {
        result.body += fmt::format("limpet_disk_reads_completed_total{{device=\"d{}\"}} 1\n",
                                   second / 5 * 10 + device);
      }
    } else if (i == 4 && second / 10 % 2 == 1) {
      result = {.failure = FetchFailure::kConnect, .error = "refused", .asked_at = clock_.Now()};
    } else if (i == 5 && second % kMinute == 0) {
      disk = {};
    }
    diagnosis_.Ingest({.target = std::make_shared<const Target>(target),
                       .result = std::move(result),
                       .arrived = clock_.Steady()});
  }

  testing::TempFolder folder_;
  testing::ManualClock clock_;
  SelfMetrics metrics_{clock_.Now()};
  StateStore store_{folder_.Path(), [](LogLevel, std::string_view) {}};
  Viewers viewers_;
  DiagnoserConfig config_;
  std::map<std::string, testing::DiskCounters> disks_;
  Diagnosis diagnosis_;
};

int Run(double hours) {
  Day day(hours);
  std::vector<Used> rows;
  bool true_all_day = true;
  fmt::print("seconds,limpet-diagnoser,descriptors\n");
  for (int second = 1; second <= static_cast<int>(hours * 3600); ++second) {
    day.Second(second);
    if (second % kRow == 0) {
      rows.push_back(UsedNow(second));
      fmt::print("{},{},{}\n", second, rows.back().bytes, rows.back().descriptors);
      std::fflush(stdout);
      true_all_day = true_all_day && day.OnlyTheLimpingIsNamed();
    }
  }
  if (rows.empty()) {
    throw std::runtime_error("expected at least ten minutes: 0.17 hours");
  }
  const double grows = Slope(rows) / 1e6;
  fmt::print(stderr, "{:.2f} MB an hour in the second half; only the limping server named: {}\n",
             grows, true_all_day ? "yes" : "no");
  const bool flat = grows < 1 && rows.back().descriptors <= rows[rows.size() / 2].descriptors;
  return flat && true_all_day ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace limpet

int main(int argc, char** argv) {
  try {
    return limpet::Run(argc > 1 ? std::stod(argv[1]) : 24);
  } catch (const std::exception& failed) {
    fmt::print(stderr, "limpet-day: {}\n", failed.what());
    return EXIT_FAILURE;
  }
}
