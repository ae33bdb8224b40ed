#include "exporter/common/exposition/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exporter/common/exposition/catalog/process.h"
#include "exporter/common/exposition/print_numbers.h"

namespace limpet {
namespace {

constexpr std::size_t kFirstSize = std::size_t{16} << 10;

// Bytes at the end of a string that is resized rarely, not at every append.
class Page {
 public:
  explicit Page(std::size_t size) : text_(size, '\0') {}

  // Room for `bytes` more; the place they go to is good until the next call.
  char* Room(std::size_t bytes) {
    if (text_.size() - used_ < bytes) {
      text_.resize(2 * text_.size() + bytes);
    }
    return text_.data() + used_;
  }
  void Use(const char* end) { used_ = static_cast<std::size_t>(end - text_.data()); }

  void Append(std::string_view text) {
    Use(std::copy(text.begin(), text.end(), Room(text.size())));
  }

  std::string Finish() {
    text_.resize(used_);
    return std::move(text_);
  }

 private:
  std::string text_;
  std::size_t used_ = 0;
};

void AppendHelp(std::string& text, std::string_view help, Format format) {
  // In HELP lines only OpenMetrics escapes quotes; Prometheus' parser of text would keep the
  // backslash.
  const std::string_view special = format == Format::kOpenMetrics ? "\\\n\"" : "\\\n";
  while (!help.empty()) {
    const auto plain = std::min(help.find_first_of(special), help.size());
    text += help.substr(0, plain);
    help.remove_prefix(plain);
    if (!help.empty()) {
      text += help[0] == '\n' ? "\\n" : help[0] == '"' ? "\\\"" : "\\\\";
      help.remove_prefix(1);
    }
  }
}

std::string_view PrefixOf(const MetricInfo& info, const RenderOptions& options) {
  return catalog::IsStandard(info) ? std::string_view() : options.prefix;
}

std::string_view ShownName(const MetricInfo& info, const RenderOptions& options) {
  return options.node_exporter_names && !info.node_exporter_name.empty() ? info.node_exporter_name
                                                                         : info.name;
}

std::string Describe(const MetricInfo& info, Format format, const RenderOptions& options) {
  constexpr std::string_view kTotal = "_total";
  auto name = ShownName(info, options);
  std::string_view type = info.type == MetricType::kCounter     ? "counter"
                          : info.type == MetricType::kHistogram ? "histogram"
                                                                : "gauge";
  const bool open_metrics = format == Format::kOpenMetrics;
  if (info.type == MetricType::kCounter) {
    if (!name.ends_with(kTotal)) {
      type = open_metrics ? "unknown" : "untyped";  // node_exporter's; no counter by OpenMetrics
    } else if (open_metrics) {
      name.remove_suffix(kTotal.size());  // of the family, not of its samples
    }
  }
  std::string text;
  const auto line = [&](std::string_view keyword) {
    text.append("# ").append(keyword).append(" ");
    text.append(PrefixOf(info, options)).append(name).append(" ");
  };
  line("HELP");
  AppendHelp(text, info.help, format);
  text += '\n';
  line("TYPE");
  text.append(type).append("\n");
  if (open_metrics && !info.unit.empty() && name.ends_with(info.unit) &&
      name.size() > info.unit.size() && name[name.size() - info.unit.size() - 1] == '_') {
    line("UNIT");
    text.append(info.unit).append("\n");
  }
  return text;
}

constexpr std::array<std::string_view, 4> kPartSuffixes = {"", "_bucket", "_sum", "_count"};

FamilyHeads::Line MakeLine(std::string_view name, std::string_view suffix,
                           std::string_view constant) {
  FamilyHeads::Line line;
  line.bare = std::string(name) + std::string(suffix);
  line.head = line.bare + "{" + std::string(constant) + (constant.empty() ? "" : ",");
  if (!constant.empty()) {
    line.bare += "{" + std::string(constant) + "}";
  }
  return line;
}

FamilyHeads MakeHeads(const MetricInfo& info, Format format, const RenderOptions& options,
                      std::string_view constant) {
  FamilyHeads heads;
  if (options.describe) {
    heads.description = Describe(info, format, options);
  }
  const std::string name =
      std::string(PrefixOf(info, options)) + std::string(ShownName(info, options));
  const std::size_t parts = info.type == MetricType::kHistogram ? heads.lines.size() : 1;
  for (std::size_t i = 0; i < parts; ++i) {
    heads.lines[i] = MakeLine(name, kPartSuffixes[i], constant);
  }
  return heads;
}

// All lines of a family. Everything but the labels and the value is the same on each.
void AppendFamily(Page& page, const Family& family, const FamilyHeads& heads, bool is_first,
                  std::string_view time) {
  if (is_first) {
    page.Append(heads.description);
  }
  for (const auto& sample : family.All()) {
    const auto& [bare, head] = heads.lines[static_cast<std::size_t>(sample.part)];
    const std::string_view labels =
        sample.labels ? std::string_view(sample.labels->Rendered()) : std::string_view();
    char* out =
        page.Room(head.size() + bare.size() + labels.size() + time.size() + kPrintedBytes + 3);
    if (labels.empty()) {
      out = Copy(out, bare);
    } else {
      out = Copy(Copy(out, head), labels);
      *out++ = '}';
    }
    *out++ = ' ';
    out = Copy(PrintSampleValue(out, sample.value), time);
    *out++ = '\n';
    page.Use(out);
  }
}

// Families of one name side by side, at the place of the first.
std::vector<const Family*> Grouped(std::span<const Family> families) {
  std::unordered_map<std::string_view, std::size_t> places;
  places.reserve(families.size());
  std::vector<std::pair<std::size_t, const Family*>> order;
  order.reserve(families.size());
  for (const auto& family : families) {
    if (!family.All().empty()) {
      const auto place = places.try_emplace(family.info->name, places.size()).first->second;
      order.emplace_back(place, &family);
    }
  }
  // Stable: two collectors' samples of one name stay in their order from page to page.
  const auto is_before = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(order.begin(), order.end(), is_before)) {
    std::stable_sort(order.begin(), order.end(), is_before);
  }
  std::vector<const Family*> grouped;
  grouped.reserve(order.size());
  for (const auto& [ignored, family] : order) {
    grouped.push_back(family);
  }
  return grouped;
}

}  // namespace

std::string Render(std::span<const Family> families, Format format, const RenderOptions& options) {
  // A little more than last time: growing copies everything that is written so far.
  Page page(std::max(options.size_hint + options.size_hint / 16, kFirstSize));
  const LabelSet constant(options.constant_labels);
  const auto time =
      options.timestamp ? ' ' + RenderTimestamp(*options.timestamp, format) : std::string();
  const auto make_heads = [&](const MetricInfo& info) {
    return MakeHeads(info, format, options, constant.Rendered());
  };
  const auto grouped = Grouped(families);
  std::vector<const FamilyHeads*> known;
  if (options.kept_text != nullptr) {
    known = options.kept_text->Heads(grouped, format, make_heads);
  }
  FamilyHeads own;
  std::string_view last;
  for (std::size_t i = 0; i < grouped.size(); ++i) {
    const auto& family = *grouped[i];
    const bool is_first = family.info->name != last;
    last = family.info->name;
    if (known.empty()) {
      own = make_heads(*family.info);
    }
    const auto& heads = known.empty() ? own : *known[i];
    if (family.kept == nullptr || options.kept_text == nullptr || options.timestamp) {
      AppendFamily(page, family, heads, is_first, time);
      continue;
    }
    page.Append(*options.kept_text->Get(family.kept, format, is_first, [&] {
      Page text(0);
      AppendFamily(text, family, heads, is_first, time);
      return text.Finish();
    }));
  }
  if (options.end_mark && format == Format::kOpenMetrics) {
    page.Append("# EOF\n");
  }
  return page.Finish();
}

}  // namespace limpet
