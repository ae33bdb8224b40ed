// page_reader.h: one page of text → its samples, as numbers of the source's series cache, and the
// lines that the cache does not know yet.
//
// Twice:   a page on which a series that is read comes twice for one instant is refused: which of
//          the values is right nobody can tell (docs/decisions/0130).
// Nothing of a page reaches the diagnosis before all of it has been read: a page that breaks off in
// the middle leaves no half of a second behind.
// Threads: one at a time.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/custom/series_table.h"
#include "diagnoser/intake/scrape.h"
#include "diagnoser/mapping/series_cache.h"
#include "diagnoser/metrics/kinds.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/result.h"

namespace limpet {

enum class LineReading {
  kPredicted,  // each line is first compared with what came there on the page before
  kPlain,      // each line is parsed: the same readings, four times slower; tests compare the two
};

class PageReader {
 public:
  // Numbers from here on are those of NewLines(); below, of the cache.
  static constexpr std::uint32_t kFirstNew = 1U << 31U;

  struct Sample {
    Sample(double of_line, std::uint32_t in_cache) : value(of_line), number(in_cache) {}
    double value;
    std::uint32_t number;
  };
  // Samples that follow each other with the same instant: most of a page.
  struct Run {
    UnixTime at;
    std::size_t begin = 0;  // in Samples(); it ends where the next one begins
  };
  struct NewLine {
    SeriesCache::LineKind kind;
    std::string_view text;  // views into the page
    std::string_view name;
    std::string_view labels;
  };
  // What an exporter says of itself and its machine.
  struct Claim {
    std::string node;
    ExporterField field = ExporterField::kStartTime;
    double value = 0;      // Unix seconds
    std::string hostname;  // in the place of both when it is not empty
    std::string release;   // of the kernel, beside a host name
    UnixTime at;
  };

  // Pages of more than `max_lines` lines are refused, recordings apart.
  explicit PageReader(LineReading reading, std::size_t max_lines = SIZE_MAX)
      : reading_(reading), max_lines_(max_lines) {}
  // From now on series of the kind count too; hosts and system calls do not by themselves.
  void Want(EntityKind kind) { unwanted_.reset(Index(kind)); }
  // And those of the table, which must outlive the reader and its copies.
  void WantCustom(const CustomSeriesTable& table) { custom_ = &table; }
  // One that reads the same, and has read nothing.
  [[nodiscard]] PageReader Another() const {
    PageReader another(reading_, max_lines_);
    another.unwanted_ = unwanted_;
    another.custom_ = custom_;
    return another;
  }

  // What is read stays until the next Read. An error: a page that is not a recording's and has a
  // line that cannot be read, too many of them, or a series twice.
  [[nodiscard]] Result<IngestStats> Read(const Scrape& scrape, SeriesCache& cache);

  [[nodiscard]] std::span<const Sample> Samples() const { return samples_; }
  [[nodiscard]] std::span<const Run> Runs() const { return runs_; }
  [[nodiscard]] std::span<const NewLine> NewLines() const { return new_lines_; }
  [[nodiscard]] std::span<const Claim> Claims() const { return claims_; }

 private:
  // Of a page of rows.
  [[nodiscard]] Result<IngestStats> ReadColumns(const Scrape& scrape, SeriesCache& cache);
  // Rows of which every series is known; false, and nothing is read: some are not.
  [[nodiscard]] bool ReadRows(const columns::ChunkRows& rows, SeriesCache& cache,
                              IngestStats& stats);
  [[nodiscard]] bool FindColumns(const columns::ChunkRows& rows, SeriesCache& cache);
  void ReadExpected(PageParser& page, const Scrape& scrape, SeriesCache& cache, IngestStats& stats);
  void ReadUnexpected(const PageItem& item, std::string_view line, const Scrape& scrape,
                      SeriesCache& cache);
  [[nodiscard]] SeriesCache::LineKind Classify(const PageItem& item) const;
  // Of a series of the cache; remembers the first that has come for this instant before.
  void KeepKnown(UnixTime at, double value, std::uint32_t number, SeriesCache& cache) {
    Keep(at, value, number);
    if (cache.Mark(number, run_mark_) && !twice_) {
      twice_ = number;
    }
  }
  void Keep(UnixTime at, double value, std::uint32_t number) {
    if (samples_.empty() || at != run_at_) {
      BeginRun(at);
    }
    samples_.emplace_back(value, number);
  }
  void BeginRun(UnixTime at);
  // The text of a series that is there twice for one instant; empty: there is none.
  [[nodiscard]] std::string_view FindTwice(const SeriesCache& cache) const;
  void RecordClaim(std::string_view series, double value, UnixTime at, const Scrape& scrape);

  struct Column {
    std::uint32_t column = 0;
    std::uint32_t number = 0;  // in the cache
    bool wanted = false;
    bool in_all_rows = false;
  };

  LineReading reading_;
  std::size_t max_lines_;
  std::size_t lines_left_ = 0;  // of the page
  std::bitset<kEntityKindRows.size()> unwanted_ =
      (1ULL << Index(EntityKind::kHost)) | (1ULL << Index(EntityKind::kSyscalls));
  const CustomSeriesTable* custom_ = nullptr;  // null: there are no such metrics
  std::vector<Sample> samples_;                // these are kept from page to page for their memory
  std::vector<Run> runs_;
  UnixTime run_at_;              // of the last run
  std::uint32_t run_mark_ = 0;   // of its instant: what has come for it has this mark in the cache
  std::uint32_t last_mark_ = 0;  // of all pages
  std::vector<std::uint32_t> marks_;  // by run
  std::optional<std::uint32_t> twice_;
  std::vector<NewLine> new_lines_;
  std::vector<Claim> claims_;
  std::vector<Column> columns_;  // of rows
  std::string lines_;            // that rows were made into
};

}  // namespace limpet
