#include "diagnoser/runtime/recorded_step.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "diagnoser/sources/line_times.h"
#include "diagnoser/sources/open_recording.h"
#include "diagnoser/sources/recording_set.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxStepText = std::size_t{64} << 20U;
constexpr std::size_t kMaxGaps = 9;  // of a file: one lost reading must not decide
// Spread over all of them: a folder of thousands would take minutes.
constexpr std::size_t kMaxFiles = 32;

// The series of one line and its timestamp.
struct Stamped {
  std::string_view series;
  UnixTime at;
};

std::optional<Stamped> ReadStamp(std::string_view line, Format format) {
  const auto last = line.rfind(' ');
  const auto value = last == std::string_view::npos || last == 0 ? last : line.rfind(' ', last - 1);
  if (line.empty() || line.front() == '#' || last == std::string_view::npos ||
      value == std::string_view::npos) {
    return std::nullopt;
  }
  const auto at = ParseStamp(line.substr(last + 1), format);
  return at ? std::optional(Stamped{line.substr(0, value), *at}) : std::nullopt;
}

// Gaps between the readings of the first series that has a timestamp.
class FirstSeries {
 public:
  // False when there are enough.
  bool Read(std::string_view line, Format format) {
    const bool may_be = name_.empty() || line.starts_with(name_);
    const auto stamped = may_be ? ReadStamp(line, format) : std::nullopt;
    if (!stamped) {
      return true;
    }
    if (name_.empty()) {
      name_ = stamped->series;
    } else if (stamped->series != name_) {
      return true;
    } else if (stamped->at > last_) {
      gaps_.push_back(stamped->at - last_);
    }
    last_ = stamped->at;
    return gaps_.size() < kMaxGaps;
  }
  [[nodiscard]] const std::vector<Duration>& Gaps() const { return gaps_; }

 private:
  std::string name_;
  UnixTime last_;
  std::vector<Duration> gaps_;
};

std::vector<Duration> ReadGaps(Recording& recording) {
  FirstSeries first;
  for (std::size_t read = 0; read < kMaxStepText;) {
    const auto piece = recording.Next(UnixTime::max());
    if (!piece || !*piece) {
      break;  // what cannot be read is reported by the replay itself
    }
    read += (*piece)->text.size();
    Lines lines((*piece)->text);
    while (const auto line = lines.Next()) {
      if (!first.Read(*line, (*piece)->format)) {
        return first.Gaps();
      }
    }
  }
  return first.Gaps();
}

// What a pipe gives is gone once it has been read.
bool IsRegularFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

}  // namespace

std::optional<Duration> FindRecordedStep(const std::vector<std::string>& inputs) {
  std::vector<Duration> gaps;
  const auto paths = FindRecordings(inputs);
  if (!paths || !std::ranges::all_of(*paths, IsRegularFile)) {
    return std::nullopt;
  }
  const auto files = std::min(paths->size(), kMaxFiles);
  for (std::size_t i = 0; i < files; ++i) {
    auto recording = OpenRecording((*paths)[i * paths->size() / files]);
    if (!recording) {
      continue;
    }
    const auto found = ReadGaps(*recording);
    gaps.insert(gaps.end(), found.begin(), found.end());
  }
  if (gaps.empty()) {
    return std::nullopt;
  }
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

}  // namespace limpet
