#include "diagnoser/commands/kept_cases.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnoser/publish/incident_export.h"
#include "diagnoser/sources/open_recording.h"
#include "diagnoser/sources/recording_export.h"
#include "diagnoser/sources/recording_set.h"
#include "exporter/common/atomic_file.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Smoothing, balance and accumulators have settled; the end is judged, too.
constexpr Duration kBefore = 15min;
constexpr Duration kAfter = 5min;
constexpr std::uintmax_t kMostVerdict = std::uintmax_t{4} << 20U;  // bytes of a verdict.json
constexpr const char* kVerdict = "verdict.json";
constexpr int kKeptLevel = 3;

std::optional<UnixTime> InstantAt(const nlohmann::json& json, const char* key) {
  const auto value = json.find(key);
  return value != json.end() && value->is_number() ? InstantFromSeconds(value->get<double>())
                                                   : std::nullopt;
}

std::string TextAt(const nlohmann::json& json, const char* key) {
  const auto value = json.find(key);
  return value != json.end() && value->is_string() ? value->get<std::string>() : "";
}

std::optional<Case> ReadKept(const fs::path& path) {
  std::error_code failed;
  if (fs::file_size(path, failed) > kMostVerdict || failed) {
    return std::nullopt;
  }
  std::ifstream file(path);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("answers") || !json["answers"].is_array() ||
      json["answers"].empty() || !json["answers"].back().is_object()) {
    return std::nullopt;
  }
  Case one{.record = {}, .answer = {}, .folder = path.parent_path().string()};
  const auto& answer = json["answers"].back();
  const auto kind = ParseAnswerKind(TextAt(answer, "as"));
  const auto since = InstantAt(json, "since");
  one.record.id = TextAt(json, "id");
  one.record.node = CleanText(TextAt(json, "node"), IncidentAnswer::kMaxName);
  if (!kind || !since || !IsIncidentId(one.record.id)) {
    return std::nullopt;
  }
  one.record.cause = CleanText(TextAt(json, "cause"), IncidentAnswer::kMaxName);
  one.record.since = *since;
  one.record.last = InstantAt(json, "last").value_or(*since);
  one.record.ended = InstantAt(json, "ended");
  one.record.document = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  one.answer.incident = one.record.id;
  one.answer.at = InstantAt(answer, "at").value_or(*since);
  one.answer.kind = *kind;
  return one;
}

// One recording's part, in a file of its own, which is open only while something is written: there
// may be thousands.
class KeptFile {
 public:
  explicit KeptFile(fs::path path) : path_(std::move(path)) { lines_.BeginFile(); }

  void Add(const RecordingSet::Piece& piece) {
    Append(frames_.Write(lines_.Convert(piece.text, piece.format)));
  }
  // False: not all could be written.
  bool Finish() {
    Append(frames_.Write("# EOF\n") + frames_.EndFrame());
    return good_;
  }

 private:
  void Append(const std::string& bytes) {
    if (!bytes.empty()) {
      std::ofstream file(path_, std::ios::binary | std::ios::app);
      file << bytes;
      file.close();
      good_ = good_ && !file.fail();
    }
  }

  fs::path path_;
  ZstdWriter frames_{kKeptLevel};
  RecordingExport lines_{""};
  bool good_ = true;
};

// Names of files of several folders may be the same.
std::string NameOf(const std::string& source, std::size_t number) {
  auto name = fs::path(source).filename().string();
  for (const auto* const end : {".zst", ".gz", ".columns", ".om"}) {
    name = name.ends_with(end) ? name.substr(0, name.size() - std::string(end).size()) : name;
  }
  return std::to_string(number) + "-" + name + ".om.zst";
}

Result<std::vector<Recording>> OpenAll(const std::vector<std::string>& inputs) {
  const auto paths = FindRecordings(inputs);
  if (!paths) {
    return paths.error();
  }
  std::vector<Recording> recordings;
  for (const auto& path : *paths) {
    auto recording = OpenRecording(path);
    if (!recording) {
      return recording.error();
    }
    recordings.push_back(*std::move(recording));
  }
  return recordings;
}

}  // namespace

TimeRange Case::Span() const {
  return {.from = record.since - kBefore, .to = record.ended.value_or(record.last) + kAfter};
}

std::vector<Case> FindKeptCases(const std::vector<std::string>& inputs) {
  std::map<std::string, Case> found;
  for (const auto& input : inputs) {
    std::error_code failed;
    for (fs::recursive_directory_iterator it(input, failed), end; !failed && it != end;
         it.increment(failed)) {
      auto one = it->path().filename() == kVerdict ? ReadKept(it->path()) : std::nullopt;
      if (one) {
        const auto id = one->record.id;
        found.insert_or_assign(id, *std::move(one));
      }
    }
  }
  std::vector<Case> cases;
  cases.reserve(found.size());
  for (auto& [id, one] : found) {
    cases.push_back(std::move(one));
  }
  return cases;
}

// A recording that cannot be read on has what it has; the others go on. Under another name until it
// is whole.
Result<std::size_t> KeepCase(const Case& one, const std::vector<std::string>& inputs,
                             const std::string& folder) {
  const auto target = fs::path(folder) / one.record.id;
  const auto line = IncidentJsonLine(one.record, std::vector{one.answer});
  std::error_code failed;
  if (fs::exists(target / kVerdict, failed)) {
    const auto written = WriteFileAtomically((target / kVerdict).string(), line);
    return written ? Result<std::size_t>(0) : written.error();
  }
  auto recordings = OpenAll(inputs);
  if (!recordings) {
    return recordings.error();
  }
  const auto part = fs::path(folder) / (one.record.id + ".part");
  fs::remove_all(part, failed);
  RecordingSet set(*std::move(recordings), {.range = one.Span()});
  std::map<std::string, std::unique_ptr<KeptFile>, std::less<>> files;
  for (auto piece = set.Next(); !piece || *piece; piece = set.Next()) {
    if (!piece) {
      continue;
    }
    const std::string source((*piece)->source);
    auto& file = files[source];
    if (!file) {
      fs::create_directories(part, failed);
      file = std::make_unique<KeptFile>(part / NameOf(source, files.size()));
    }
    file->Add(**piece);
  }
  bool good = true;
  for (const auto& [source, file] : files) {
    good = file->Finish() && good;
  }
  if (files.empty()) {
    return std::size_t{0};
  }
  if (auto written = WriteFileAtomically((part / kVerdict).string(), line); !written) {
    return written.error();
  }
  fs::rename(part, target, failed);
  return good && !failed ? Result<std::size_t>(files.size())
                         : Error{ErrorCode::kUnavailable, "cannot be written", target.string()};
}

}  // namespace limpet
