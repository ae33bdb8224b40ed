// Every collector of the list on a machine of anybody's making: whatever the files of /proc and
// /sys hold, a page has no series twice and no value that is not a number. The input is cut at its
// NULs; the pieces stand in the files in the order they are read, and name what is in a folder.
// Without tcp, which asks the real kernel: inet_diag_fuzz and net_tcp_fuzz are its own.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/collectors/all.h"
#include "tests/fuzz/number_mutator.h"

namespace {

using limpet::Result;

class Anything final : public limpet::FileReader {
 public:
  explicit Anything(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  Result<std::string_view> Read(std::string_view /*path*/) override {
    return std::string_view(Next());
  }
  Result<std::string_view> ReadOnce(std::string_view path) override { return Read(path); }
  Result<std::vector<std::string>> List(std::string_view /*folder*/) override {
    std::set<std::string> names;
    for (const auto& piece : pieces_) {
      if (!piece.empty() && piece.find('/') == std::string::npos) {
        names.insert(piece);
      }
    }
    return std::vector<std::string>(names.begin(), names.end());
  }
  bool Exists(std::string_view /*path*/) override { return Next().size() % 2 == 1; }

 private:
  const std::string& Next() { return pieces_[next_++ % pieces_.size()]; }

  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
};

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void CheckPage(const limpet::Families& families) {
  for (const auto& family : families) {
    std::set<std::string_view> labels;
    for (const auto& sample : family.All()) {
      Require(std::isfinite(sample.value) ||
              family.info->type == limpet::MetricType::kGauge);  // a load may be "inf"
      Require(labels
                  .insert(sample.labels ? std::string_view(sample.labels->Rendered())
                                        : std::string_view())
                  .second);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> pieces(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == 0) {
      pieces.emplace_back();
    } else {
      pieces.back().push_back(static_cast<char>(data[i]));
    }
  }
  limpet::CollectorInputs inputs;
  inputs.open = [&](const std::string& /*root*/) { return std::make_unique<Anything>(pieces); };
  inputs.log = [](limpet::LogLevel, std::string_view) {};
  limpet::yaml::Problems problems;
  for (const auto* module : limpet::AllCollectors()) {
    // One has connections for its input, the other needs names of processes and reads no files.
    if (module->name == "tcp" || module->name == "syscall") {
      continue;
    }
    limpet::yaml::MapReader settings(nullptr, "", problems);
    const auto collector = module->configure(settings)(inputs);
    Require(collector.has_value());
    limpet::Tick tick{};
    for (int i = 0; i < 3; ++i) {
      tick.steady += std::chrono::minutes(1);
      if (const auto families = (*collector)->Collect(tick)) {
        CheckPage(*families);
      }
    }
  }
  return 0;
}
