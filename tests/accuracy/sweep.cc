#include "tests/accuracy/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "diagnoser/detect/default_presets.h"
#include "tests/accuracy/matrix.h"
#include "tests/accuracy/score.h"

namespace limpet::accuracy {
namespace {

constexpr const char* kSmoothing = "smoothing";
constexpr const char* kFilter = "k";
constexpr const char* kSize = "WinSize";
constexpr const char* kShift = "WinShift";
constexpr const char* kScale = "threshold scale";

constexpr std::array kVariants = std::to_array<Variant>({
    {"as in the paper", 0},
    {kSmoothing, 1},
    {kSmoothing, 9},
    {kFilter, 1},
    {kFilter, 2},
    {kFilter, 5},
    {kFilter, 7},
    {kFilter, 8},
    {kSize, 32},
    {kSize, 48},
    {kSize, 96},
    {kSize, 128},
    {kShift, 16},
    {kShift, 24},
    {kShift, 48},
    {kShift, 64},
    {kScale, 1},
    {kScale, 1.5},
    {kScale, 3},
    {kScale, 4},
});

std::size_t Scaled(std::size_t count, double value, double paper, std::size_t least) {
  const auto scaled = std::round(static_cast<double>(count) * value / paper);
  return std::max(least, static_cast<std::size_t>(scaled));
}

std::string NameOf(const std::string& preset, const Variant& variant) {
  return variant.value > 0 ? fmt::format("{}, {} {:g}", preset, variant.setting, variant.value)
                           : preset;
}

OnProgress Told(const Progress& progress) {
  return
      [&progress](const std::string&, std::size_t done, std::size_t all) { progress(done, all); };
}

MatrixSpec Matrix(const ScenarioSpec& spec, std::size_t servers) {
  return {.servers = {servers},
          .seeds = spec.seeds,
          .untrained = {},
          .trained = {},
          .iterations = 3,
          .threads = spec.threads,
          .like = {}};
}

std::string Line(const std::string& first, std::span<const RunResult> runs,
                 std::span<const std::string> presets) {
  std::string line = fmt::format("| {} |", first);
  for (const auto& preset : presets) {
    line += fmt::format(" {} |", SweepCell(runs, preset));
  }
  return line + "\n";
}

// One kind of cluster.
struct Room {
  const char* text;
  RunKey like;
};

std::vector<Room> Rooms() {
  const auto with = [](std::size_t servers, std::size_t clients) {
    RunKey key{.servers = servers, .fault = {}, .also = {}, .cached_first = {}};
    key.clients = clients;
    return key;
  };
  std::vector<Room> rooms = {{"10 servers, 10 clients", with(10, 10)},
                             {"6 servers, 12 clients", with(6, 12)},
                             {"10 servers, 1 client", with(10, 1)}};
  const auto add = [&](const char* text, auto change) {
    rooms.push_back({text, with(10, 10)});
    change(rooms.back().like);
  };
  add("every second disk 10 % slower", [](RunKey& key) { key.older_factor = 1.1; });
  add("every second disk 25 % slower", [](RunKey& key) { key.older_factor = 1.25; });
  add("half of the reads from memory", [](RunKey& key) { key.cached = 0.5; });
  add("nine of ten reads from memory", [](RunKey& key) { key.cached = 0.9; });
  add("half, at one server nine of ten", [](RunKey& key) {
    key.cached = 0.5;
    key.cached_first = 0.9;
  });
  return rooms;
}

}  // namespace

std::span<const Variant> Variants() { return kVariants; }

std::vector<PresetSettings> WithVariant(const std::vector<PresetSettings>& presets,
                                        const Variant& variant) {
  const auto paper = TestbenchPreset();
  const std::string_view setting = variant.setting;
  auto changed = presets;
  for (auto& preset : changed) {
    const auto base = preset.IsScale() ? preset.scale_of.preset : preset.name;
    preset.name = NameOf(base, variant) + preset.name.substr(base.size());
    if (preset.IsScale()) {
      preset.scale_of.preset = NameOf(base, variant);
    }
    if (setting == kSmoothing) {
      preset.smoothing =
          Scaled(preset.smoothing, variant.value, static_cast<double>(paper.smoothing), 1);
    } else if (setting == kFilter) {
      preset.k = Scaled(preset.k, variant.value, static_cast<double>(paper.k), 1);
    } else if (setting == kSize) {
      preset.window = Scaled(preset.window, variant.value, static_cast<double>(paper.window), 5);
    } else if (setting == kShift) {
      preset.shift = Scaled(preset.shift, variant.value, static_cast<double>(paper.shift), 1);
    } else if (setting == kScale) {
      preset.threshold_factor *= variant.value / paper.training_scale;
    }
  }
  return changed;
}

std::string SweepCell(std::span<const RunResult> runs, const std::string& preset) {
  std::vector<Outcome> faulty;
  std::vector<Outcome> healthy;
  for (const auto& run : runs) {
    (run.key.fault ? faulty : healthy).push_back(Judge(run, preset));
  }
  const auto rates = RatesOf(faulty);
  auto text = fmt::format("{:.0f}/{:.0f}/{:.0f}/{:.0f}", 100 * rates.itp, 100 * rates.ifp,
                          100 * rates.dtp, 100 * rates.dfp);
  text += rates.delay ? fmt::format(", {:.0f} s", *rates.delay) : ", –";
  return text + fmt::format("; {:.0f}", 100 * RatesOf(healthy).ifp);
}

std::string SweepTable(const ScenarioSpec& spec, const Progress& progress) {
  auto matrix = Matrix(spec, spec.servers);
  for (const auto& variant : Variants()) {
    for (auto& preset : WithVariant(spec.presets, variant)) {
      matrix.untrained.push_back(std::move(preset));
    }
    matrix.trained.push_back(WithVariant({TestbenchUnderTest()}, variant).front());
  }
  const auto runs = RunMatrix(matrix, Told(progress));
  std::string text = "| setting | testbench | as shipped |\n|---|---|---|\n";
  for (const auto& variant : Variants()) {
    const std::array names = {NameOf("testbench", variant),
                              NameOf(spec.presets.front().name, variant)};
    text += Line(variant.value > 0 ? fmt::format("{} {:g}", variant.setting, variant.value)
                                   : variant.setting,
                 runs, names);
  }
  return text;
}

std::string ClusterTable(const ScenarioSpec& spec, const Progress& progress) {
  std::string text = "| cluster | as shipped | testbench | production |\n|---|---|---|---|\n";
  for (const auto& room : Rooms()) {
    auto matrix = Matrix(spec, room.like.servers);
    matrix.like = room.like;
    matrix.untrained = spec.presets;
    matrix.trained = {TestbenchUnderTest(), ProductionUnderTest()};
    text += Line(room.text, RunMatrix(matrix, Told(progress)), PresetNames(matrix));
  }
  return text;
}

std::string DomainTable(const ScenarioSpec& spec, const Progress& progress) {
  constexpr std::size_t kMany = 100;
  auto matrix = Matrix(spec, kMany);
  std::string text = "| compared |";
  for (const std::size_t size : std::array<std::size_t, 3>{0, 10, 25}) {
    for (const bool scales : {true, false}) {
      auto presets = scales ? spec.presets : std::vector{TestbenchUnderTest()};
      const auto suffix = size > 0 ? fmt::format(", {}", size) : "";
      for (auto& preset : presets) {
        const auto base = preset.IsScale() ? preset.scale_of.preset : preset.name;
        preset.name = base + suffix + preset.name.substr(base.size());
        preset.domain_size = size;
        if (preset.IsScale()) {
          preset.scale_of.preset = base + suffix;
        }
        (scales ? matrix.untrained : matrix.trained).push_back(preset);
      }
    }
  }
  const auto runs = RunMatrix(matrix, Told(progress));
  text += " as shipped | testbench |\n|---|---|---|\n";
  const auto name = spec.presets.front().name;
  text += Line("all pairs", runs, std::array<std::string, 2>{name, "testbench"});
  for (const char* size : {"10", "25"}) {
    const std::array<std::string, 2> names = {name + ", " + size,
                                              std::string("testbench, ") + size};
    text += Line(fmt::format("domains of {}", size), runs, names);
  }
  return text;
}

}  // namespace limpet::accuracy
