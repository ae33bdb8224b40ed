#include "diagnoser/intake/page_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "diagnoser/intake/page_machines.h"
#include "diagnoser/mapping/builtin.h"
#include "exporter/common/columns/chunk_text.h"

namespace limpet {
namespace {

// Of a host, without a profile that asks for it: the live page has its load.
bool IsShown(const Field& field, const PageItem& item) {
  if (!IsHost(field.kind)) {
    return false;
  }
  if (field.index != kLabelField) {
    return field.index == FieldNumber(HostGauge::kLoad1);
  }
  const auto labels = ParseLabels(item.labels);
  const auto shown = labels ? FindFieldByLabels(item.name, *labels) : std::nullopt;
  return shown && IsActivity(shown->kind);
}

using LineKind = SeriesCache::LineKind;

// An instant is looked for among so many runs of the page: a page of a store has thousands of
// instants, all others have one or two.
constexpr std::size_t kRecentRuns = 8;
constexpr std::size_t kLinesAtOnce = std::size_t{64} << 10U;
constexpr std::size_t kMaxQuoted = 300;  // bytes of a series in an error

Result<IngestStats> OfOneMachine(const PageReader& page, const SeriesCache& cache,
                                 IngestStats stats) {
  if (auto error = FindMachines(page, cache)) {
    return *std::move(error);
  }
  return stats;
}

Error TwiceError(std::string_view series) {
  return {
      ErrorCode::kInvalid,
      "expected each series once a page, got twice " + std::string(series.substr(0, kMaxQuoted)),
      {}};
}

}  // namespace

Result<IngestStats> PageReader::Read(const Scrape& scrape, SeriesCache& cache) {
  samples_.clear();
  runs_.clear();
  marks_.clear();
  twice_.reset();
  new_lines_.clear();
  claims_.clear();
  if (!scrape.recording) {
    cache.Rewind();  // a piece of a recording goes on where the one before ended
  }
  lines_left_ = scrape.recording ? SIZE_MAX : max_lines_;
  if (scrape.rows != nullptr) {
    return ReadColumns(scrape, cache);
  }
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
        if (const auto twice = scrape.recording ? "" : FindTwice(cache); !twice.empty()) {
          return TwiceError(twice);
        }
        return scrape.recording ? stats : OfOneMachine(*this, cache, std::move(stats));
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

Result<IngestStats> PageReader::ReadColumns(const Scrape& scrape, SeriesCache& cache) {
  IngestStats stats;
  if (ReadRows(*scrape.rows, cache, stats)) {
    return stats;
  }
  // Something is new, mostly at the begin of a file: lines say how it is to be read.
  lines_.clear();
  columns::ChunkText text;
  const auto& [chunk, begin, end] = *scrape.rows;
  for (text.Begin(*chunk, begin, end); !text.IsDone();) {
    text.Append(lines_, kLinesAtOnce);
  }
  auto as_text = scrape;
  as_text.rows = nullptr;
  as_text.text = lines_;
  return Read(as_text, cache);
}

bool PageReader::ReadRows(const columns::ChunkRows& rows, SeriesCache& cache, IngestStats& stats) {
  if (reading_ == LineReading::kPlain || !FindColumns(rows, cache)) {
    return false;
  }
  const auto& chunk = *rows.chunk;
  const auto stride = chunk.times.size();
  for (auto row = rows.begin; row < rows.end; ++row) {
    const auto at = chunk.times[row];
    const auto* const values = chunk.values.data() + row;
    for (const auto& [column, number, wanted, in_all_rows] : columns_) {
      if (in_all_rows || chunk.Has(column, row)) {
        ++stats.samples;
        if (wanted) {
          Keep(at, values[column * stride], number);
        }
      }
    }
  }
  return true;
}

// The series of the rows in the cache. False: some are not there, or say who the exporter is.
bool PageReader::FindColumns(const columns::ChunkRows& rows, SeriesCache& cache) {
  columns_.clear();
  const auto& chunk = *rows.chunk;
  for (std::uint32_t column = 0; column < chunk.columns.size(); ++column) {
    bool is_there = chunk.columns[column].presence == columns::Chunk::Presence::kAll;
    for (auto row = rows.begin; row < rows.end && !is_there; ++row) {
      is_there = chunk.Has(column, row);
    }
    if (!is_there) {
      continue;
    }
    const std::string_view series = chunk.table->At(column);
    auto number = cache.Expected();
    if (number != SeriesCache::kNone && cache.At(number).Text() == series) {
      cache.Came(number);
    } else {
      number = cache.Find(series);
    }
    if (number == SeriesCache::kNone || cache.At(number).kind == LineKind::kIdentity) {
      return false;
    }
    const auto& entry = cache.At(number);
    columns_.push_back(
        {.column = column,
         .number = number,
         .wanted = entry.kind == LineKind::kSeries && entry.target.wanted,
         .in_all_rows = chunk.columns[column].presence == columns::Chunk::Presence::kAll});
  }
  return true;
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
        KeepKnown(sample.stamped ? sample.timestamp : scrape.at, sample.value, number, cache);
      } else if (entry.kind == LineKind::kIdentity) {
        RecordClaim(entry.Text(), sample.value, sample.stamped ? sample.timestamp : scrape.at,
                    scrape);
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
      KeepKnown(at, item.value, number, cache);
    }
  } else {
    kind = Classify(item);
    // Comments too: the cache learns the order of all lines.
    Keep(at, item.value, kFirstNew + static_cast<std::uint32_t>(new_lines_.size()));
    new_lines_.push_back({.kind = kind, .text = text, .name = item.name, .labels = item.labels});
  }
  if (kind == LineKind::kIdentity) {
    RecordClaim(item.series, item.value, at, scrape);
  }
}

SeriesCache::LineKind PageReader::Classify(const PageItem& item) const {
  if (item.kind != ItemKind::kSample) {
    return LineKind::kComment;
  }
  const auto field = FindField(item.name);
  if (!field && custom_ != nullptr && custom_->Reads(item.name)) {
    return LineKind::kSeries;
  }
  const bool wanted = field && (!unwanted_[Index(field->kind)] || IsShown(*field, item));
  return !wanted                   ? LineKind::kIgnored
         : IsIdentity(field->kind) ? LineKind::kIdentity
                                   : LineKind::kSeries;
}

void PageReader::BeginRun(UnixTime at) {
  const auto recent = runs_.size() - std::min(runs_.size(), kRecentRuns);
  run_mark_ = 0;
  for (auto run = recent; run < runs_.size(); ++run) {
    run_mark_ = runs_[run].at == at ? marks_[run] : run_mark_;
  }
  if (run_mark_ == 0) {
    last_mark_ = std::max(last_mark_ + 1, 1U);  // 0 is nobody's, also after 2^32 of them
    run_mark_ = last_mark_;
  }
  runs_.push_back({.at = at, .begin = samples_.size()});
  marks_.push_back(run_mark_);
  run_at_ = at;
}

std::string_view PageReader::FindTwice(const SeriesCache& cache) const {
  if (twice_) {
    return cache.At(*twice_).Text();
  }
  // What the cache does not know has no mark yet: on the first page that is everything.
  std::set<std::pair<UnixTime, std::string_view>> come;
  for (std::size_t run = 0; run < runs_.size() && !new_lines_.empty(); ++run) {
    const auto end = run + 1 < runs_.size() ? runs_[run + 1].begin : samples_.size();
    for (auto i = runs_[run].begin; i < end; ++i) {
      if (samples_[i].number < kFirstNew) {
        continue;
      }
      const auto& line = new_lines_[samples_[i].number - kFirstNew];
      if (line.kind == LineKind::kSeries && !come.emplace(runs_[run].at, line.text).second) {
        return line.text;
      }
    }
  }
  return {};
}

void PageReader::RecordClaim(std::string_view series, double value, UnixTime at,
                             const Scrape& scrape) {
  Claim claim{.node = std::string(scrape.node),
              .field = {},
              .value = value,
              .hostname = {},
              .release = {},
              .at = at};
  const auto brace = series.find('{');
  const auto field = FindField(series.substr(0, brace));
  const bool is_info = field && field->index == kInfoField;
  // A recording says of each series whose it is.
  if ((claim.node.empty() || is_info) && brace != std::string_view::npos) {
    if (const auto labels = ParseLabels(series.substr(brace + 1, series.size() - brace - 2))) {
      for (const auto& [name, text] : *labels) {
        if (name == "instance" && scrape.node.empty()) {
          claim.node = text;
        } else if (name == "nodename" && is_info) {
          claim.hostname = text;
        } else if (name == "release" && is_info) {
          claim.release = text;
        }
      }
    }
  }
  if (!field || (is_info ? claim.hostname.empty() : !(value > 0))) {
    return;  // NaN and nothing are no identity
  }
  claim.field = is_info ? ExporterField::kStartTime : static_cast<ExporterField>(field->index);
  claims_.push_back(std::move(claim));
}

}  // namespace limpet
