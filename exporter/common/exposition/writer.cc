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

char* Copy(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

void AppendHelp(Page& page, std::string_view help, Format format) {
  // In HELP lines only OpenMetrics escapes quotes; Prometheus' parser of text would keep the
  // backslash.
  const std::string_view special = format == Format::kOpenMetrics ? "\\\n\"" : "\\\n";
  while (!help.empty()) {
    const auto plain = std::min(help.find_first_of(special), help.size());
    page.Append(help.substr(0, plain));
    help.remove_prefix(plain);
    if (!help.empty()) {
      page.Append(help[0] == '\n' ? "\\n" : help[0] == '"' ? "\\\"" : "\\\\");
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

void Describe(Page& page, const MetricInfo& info, Format format, const RenderOptions& options) {
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
  const auto line = [&](std::string_view keyword) {
    page.Append("# ");
    page.Append(keyword);
    page.Append(" ");
    page.Append(PrefixOf(info, options));
    page.Append(name);
    page.Append(" ");
  };
  line("HELP");
  AppendHelp(page, info.help, format);
  page.Append("\n");
  line("TYPE");
  page.Append(type);
  page.Append("\n");
  if (open_metrics && !info.unit.empty() && name.ends_with(info.unit) &&
      name.size() > info.unit.size() && name[name.size() - info.unit.size() - 1] == '_') {
    line("UNIT");
    page.Append(info.unit);
    page.Append("\n");
  }
}

constexpr std::array<std::string_view, 4> kPartSuffixes = {"", "_bucket", "_sum", "_count"};

// What stands before and behind the labels of each line of a family.
struct LineHeads {
  std::string bare;  // without labels
  std::string head;  // before them
};

LineHeads MakeHeads(std::string_view name, std::string_view suffix, std::string_view constant) {
  LineHeads heads;
  heads.bare = std::string(name) + std::string(suffix);
  heads.head = heads.bare + "{" + std::string(constant) + (constant.empty() ? "" : ",");
  if (!constant.empty()) {
    heads.bare += "{" + std::string(constant) + "}";
  }
  return heads;
}

// Everything but the labels of the sample itself is the same on each line of a family.
void AppendSamples(Page& page, const Family& family, const RenderOptions& options,
                   std::string_view constant, std::string_view time) {
  const std::string name =
      std::string(PrefixOf(*family.info, options)) + std::string(ShownName(*family.info, options));
  std::array<LineHeads, kPartSuffixes.size()> heads{MakeHeads(name, "", constant)};
  if (family.info->type == MetricType::kHistogram) {
    for (std::size_t i = 1; i < heads.size(); ++i) {
      heads[i] = MakeHeads(name, kPartSuffixes[i], constant);
    }
  }
  for (const auto& sample : family.All()) {
    const auto& [bare, head] = heads[static_cast<std::size_t>(sample.part)];
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

// All lines of a family.
void AppendFamily(Page& page, const Family& family, bool is_first, Format format,
                  const RenderOptions& options, std::string_view constant, std::string_view time) {
  if (is_first && options.describe) {
    Describe(page, *family.info, format, options);
  }
  AppendSamples(page, family, options, constant, time);
}

// Families of one name side by side, at the place of the first.
std::vector<const Family*> Grouped(std::span<const Family> families) {
  std::unordered_map<std::string_view, std::size_t> place;
  std::vector<std::pair<std::size_t, const Family*>> order;
  for (const auto& family : families) {
    if (!family.All().empty()) {
      const auto at = place.try_emplace(family.info->name, place.size()).first->second;
      order.emplace_back(at, &family);
    }
  }
  // Stable: two collectors' samples of one name stay in their order from page to page.
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
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
  std::string_view last;
  for (const auto* family : Grouped(families)) {
    const bool is_first = family->info->name != last;
    last = family->info->name;
    const auto append = [&](Page& target) {
      AppendFamily(target, *family, is_first, format, options, constant.Rendered(), time);
    };
    if (family->kept == nullptr || options.kept_text == nullptr || options.timestamp) {
      append(page);
      continue;
    }
    page.Append(*options.kept_text->Get(family->kept, format, is_first, [&] {
      Page own(0);
      append(own);
      return own.Finish();
    }));
  }
  if (options.end_mark && format == Format::kOpenMetrics) {
    page.Append("# EOF\n");
  }
  return page.Finish();
}

}  // namespace limpet
