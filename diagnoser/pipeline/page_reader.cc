#include "diagnoser/pipeline/page_reader.h"

#include <utility>

#include "diagnoser/mapping/builtin.h"

namespace limpet {
namespace {

using LineKind = SeriesCache::LineKind;

}  // namespace

Result<IngestStats> PageReader::Read(const Scrape& scrape, SeriesCache& cache) {
  samples_.clear();
  runs_.clear();
  new_lines_.clear();
  starts_.clear();
  if (!scrape.recording) {
    cache.Rewind();  // a piece of a recording goes on where the one before ended
  }
  lines_left_ = scrape.recording ? SIZE_MAX : max_lines_;
  IngestStats stats;
  ParserOptions options;
  options.format = scrape.format;
  options.mode = scrape.recording ? ParseMode::kResume : ParseMode::kStrict;
  PageParser page(scrape.text, options);
  while (true) {
    // As far as the prediction goes; the next line is parsed, and after it the prediction is tried
    // again.
    if (reading_ == LineReading::kPredicted) {
      ReadExpected(page, scrape, cache, stats);
    }
    const auto item = page.Next();
    // Known only now: the last line allowed may also be the last one.
    if (lines_left_ == 0 && item.kind != ItemKind::kEnd) {
      return Error{ErrorCode::kTooLarge,
                   "expected a page of at most " + std::to_string(max_lines_) + " lines", ""};
    }
    --lines_left_;
    switch (item.kind) {
      case ItemKind::kEnd:
        return stats;
      case ItemKind::kError:
        if (!scrape.recording) {
          return page.error();
        }
        ++stats.bad_lines;
        break;
      case ItemKind::kSample:
        ++stats.samples;
        ReadUnexpected(item, {}, scrape, cache);
        break;
      case ItemKind::kHelp:
      case ItemKind::kType:
      case ItemKind::kUnit:
        ReadUnexpected(item, page.LineText(), scrape, cache);
        break;
      case ItemKind::kEof:
      case ItemKind::kCut:
        break;
    }
  }
}

// A page repeats the one before it but for the values: as long as each line begins with the text
// that came there last time, nothing is parsed but the number, and nothing is looked up.
void PageReader::ReadExpected(PageParser& page, const Scrape& scrape, SeriesCache& cache,
                              IngestStats& stats) {
  for (auto number = cache.Expected(); number != SeriesCache::kNone && lines_left_ > 0;
       number = cache.Expected(), --lines_left_) {
    const auto& entry = cache.At(number);
    if (entry.kind == LineKind::kComment) {
      if (!page.Skip(entry.Text())) {
        return;
      }
    } else {
      const auto sample = page.NextIs(entry.Text(), entry.shape);
      if (!sample) {
        return;
      }
      if (sample.shape != entry.shape) {
        cache.SetShape(number, sample.shape);
      }
      ++stats.samples;
      if (entry.kind == LineKind::kSeries && entry.target.wanted) {
        Keep(sample.stamped ? sample.timestamp : scrape.at, sample.value, number);
      } else if (entry.kind == LineKind::kStart) {
        RecordStart(entry.Text(), sample.value, scrape);
      }
    }
    cache.Came(number);
  }
}

void PageReader::ReadUnexpected(const PageItem& item, std::string_view line, const Scrape& scrape,
                                SeriesCache& cache) {
  const bool comment = item.kind != ItemKind::kSample;
  const auto text = comment ? line : item.series;
  const auto number = cache.Find(text);
  const auto at = item.timestamp.value_or(scrape.at);
  auto kind = LineKind::kComment;
  if (number != SeriesCache::kNone) {
    const auto& entry = cache.At(number);
    kind = entry.kind;
    if (kind == LineKind::kSeries && entry.target.wanted) {
      Keep(at, item.value, number);
    }
  } else {
    kind = Classify(item);
    // Comments too: the cache learns the order of all lines.
    Keep(at, item.value, kFirstNew + static_cast<std::uint32_t>(new_lines_.size()));
    new_lines_.push_back({.kind = kind, .text = text, .name = item.name, .labels = item.labels});
  }
  if (kind == LineKind::kStart) {
    RecordStart(item.series, item.value, scrape);
  }
}

SeriesCache::LineKind PageReader::Classify(const PageItem& item) const {
  if (item.kind != ItemKind::kSample) {
    return LineKind::kComment;
  }
  const auto field = FindField(item.name);
  const auto shape = field ? std::optional(KindRow(field->kind).shape) : std::nullopt;
  const bool wanted = shape && (*shape != ReadingsShape::kHost || wants_hosts_);
  return !wanted                               ? LineKind::kIgnored
         : *shape == ReadingsShape::kStartTime ? LineKind::kStart
                                               : LineKind::kSeries;
}

void PageReader::BeginRun(UnixTime at) {
  runs_.push_back({.at = at, .begin = samples_.size()});
  run_at_ = at;
}

void PageReader::RecordStart(std::string_view series, double value, const Scrape& scrape) {
  std::string node(scrape.node);
  const auto brace = series.find('{');
  // A recording says of each series whose it is.
  if (node.empty() && brace != std::string_view::npos) {
    if (const auto labels = ParseLabels(series.substr(brace + 1, series.size() - brace - 2))) {
      for (const auto& [name, text] : *labels) {
        node = name == "instance" ? text : node;
      }
    }
  }
  starts_.push_back({.node = std::move(node), .value = value});
}

}  // namespace limpet
