// recording_set.h: many recordings read as one, merged by time.
//
// Which file's turn comes next depends on the files alone. So the turns to come are known ahead and
// may be read on other threads: the pieces, and their order, are the same.
// Threads: one at a time; readers that are launched share nothing with it but a future.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/sources/recording.h"
#include "diagnoser/sources/recording_slice.h"

namespace limpet {

// Files as they are; a folder stands for the recordings in it and in its folders (*.om, *.om.gz,
// *.om.zst, *.columns.zst), sorted by name. An error for a folder that has none or cannot be read.
[[nodiscard]] Result<std::vector<std::string>> FindRecordings(
    const std::vector<std::string>& inputs);

// Returns whether a folder's file of this name is one of its recordings.
[[nodiscard]] bool IsRecordingName(std::string_view name);

class RecordingSet {
 public:
  // Lines of one file may be out of order by this much.
  static constexpr Duration kDisorder = std::chrono::seconds(5);
  // A file is read on for so long before the next one's turn: what is known of its series need not
  // come from memory for every second. The pipeline takes what is 40 s ahead of the others
  // (PipelineLimits::future), disorder included.
  static constexpr Duration kTurn = std::chrono::seconds(30);
  // The first one of a file is shorter: what its lines are about is known when the others are read.
  static constexpr Duration kFirstTurn = std::chrono::seconds(1);

  struct Piece {
    std::string_view source;                   // path
    std::string_view text;                     // whole lines; valid until others are asked for
    const columns::ChunkRows* rows = nullptr;  // in the place of text, if Settings::rows; as valid
    Format format = Format::kOpenMetrics;
    SliceUse* use = nullptr;  // that of its slice, if Settings::use
    std::size_t number = 0;   // in its slice
    UnixTime watermark;  // nothing at or before it is still to come, this piece included; the same
                         // as long as it is the turn of one file
  };

  // Has a slice read, maybe on another thread; the default reads it when it is asked for.
  using Launch = std::function<std::future<Slice>(std::function<Slice()>)>;
  // Called before a slice is waited for: the caller may read others meanwhile.
  using Await = std::function<void(const std::future<Slice>&)>;
  // Called for the slices of a turn that are read before any of it is handed out.
  using Use = std::function<std::shared_ptr<SliceUse>(std::string_view source, UnixTime watermark)>;
  struct Settings {
    TimeRange range;
    Launch launch;      // empty: nothing is read ahead
    Await await;        // empty: waits
    Use use;            // empty: nothing but reading is done ahead
    bool rows = false;  // columns are handed out as such; not with a range that has a begin
    Duration turn = kTurn;
    std::size_t turns_ahead = 1;  // of which a slice is read or waits; each at most kMaxSlice
    // The files whose slices are handed out at once, if they begin within kDisorder; at most half
    // of the files that are left, so that others can be read meanwhile. Needs `launch`.
    std::size_t turns_together = 1;
  };
  // The most of a slice that is read ahead, in pieces of 64 KiB and more.
  static constexpr std::size_t kMaxSlice = 32;

  RecordingSet(std::vector<Recording> recordings, Settings settings);
  // All of them, on the caller's thread.
  explicit RecordingSet(std::vector<Recording> recordings);
  ~RecordingSet();  // waits for the readers
  RecordingSet(RecordingSet&&) noexcept;
  RecordingSet& operator=(RecordingSet&&) = delete;

  // Returns a piece of the file that was read the least far; nullopt at the end. A recording that
  // cannot be read on is left out from there, and an error; the next call goes on with the others.
  [[nodiscard]] Result<std::optional<Piece>> Next();
  // The same pieces in the same order, but a slice or several at once, of different files: what
  // Next would have said next. Empty at the end. Good until the next call.
  [[nodiscard]] Result<std::span<const Piece>> NextPieces();

  // Returns the bytes of all files read so far.
  [[nodiscard]] std::uint64_t BytesRead() const { return bytes_read_; }
  // Returns the paths of those that ended in the middle of something, so far. At the end.
  [[nodiscard]] std::vector<std::string> CutPaths() const;

 private:
  struct File {
    Recording recording;
    std::optional<std::future<Slice>> reading;  // the recording is its, until it is ready
    bool begun = false;
    UnixTime until;  // its turn
    std::uint64_t bytes_read = 0;
  };
  using Turn = std::pair<UnixTime, std::size_t>;  // when it begins, and the file

  // Finds each file's first turn; an error for each that cannot be read.
  [[nodiscard]] std::optional<Error> FindTurns();
  // Returns what is being read of the file.
  [[nodiscard]] Slice Finish(File& file);
  void ReadAhead();
  void Start(const Turn& turn, bool begins);
  // The next slice of a turn that goes on, or the first ones of the next turns.
  void NextSlices();
  [[nodiscard]] Slice Take(const Turn& turn);
  // Returns whether the first slice of the earliest turn to come may be handed out with those that
  // are.
  [[nodiscard]] bool TakesNext(std::size_t most) const;
  // They are not used any more. What has made an end to the last file, if it was an error.
  [[nodiscard]] std::optional<Error> EndSlices();
  void Recycle(std::string buffer);

  Settings settings_;
  std::deque<File> files_;    // never moved: readers point into it
  std::size_t examined_ = 0;  // files whose first turn is known
  std::set<Turn> turns_;      // to come, one a file; the earliest one first
  struct Given {
    Turn turn;
    Slice slice;
  };
  std::vector<Given> given_;  // whose pieces are handed out; only the last one's turn may go on
  std::vector<Piece> pieces_;
  std::size_t next_ = 0;  // of the pieces, for Next
  std::vector<std::string> spare_;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace limpet
