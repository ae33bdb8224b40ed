#include "diagnoser/runtime/history_file.h"

#include <fcntl.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "exporter/common/descriptor.h"

namespace limpet {
namespace {

// A file so much larger than it may become was not written by us, and reading it would take hours.
// Smaller ones may have been written under a higher bound than today's.
constexpr std::uintmax_t kMostTimesTheBound = 4;
constexpr std::uintmax_t kLeastLimit = std::uintmax_t{4} << 30U;

std::uintmax_t LargestFile(std::int64_t max_bytes) {
  return std::max(kLeastLimit, kMostTimesTheBound * static_cast<std::uintmax_t>(max_bytes));
}

// Notes of people are for those who may read the state: SQLite would make a file that all may read.
// Its journal gets the same mode. What is there already stays; other mistakes are SQLite's to tell.
void MakePrivate(const std::string& path) {
  constexpr mode_t kMode = 0640;
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode));
}

}  // namespace

HistoryFile::HistoryFile(std::string folder, IncidentSettings settings, LogSink log)
    : folder_(std::move(folder)), settings_(std::move(settings)), log_(std::move(log)) {
  if (!folder_.empty()) {
    store_ = OpenFile();
    on_disk_ = store_.has_value();
  }
  if (!store_) {
    UseMemory();
  }
}

// Without links: SQLite follows none, and systemd's state folder is one.
std::string HistoryFile::Path() const {
  std::error_code failed;
  const auto folder = std::filesystem::canonical(folder_, failed);
  return (failed ? folder_ : folder.string()) + "/history.db";
}

// The size first: opening would read, and a check of ten gigabytes takes minutes.
Result<IncidentStore> HistoryFile::TryFile() const {
  const auto path = Path();
  std::error_code absent;
  if (const auto size = std::filesystem::file_size(path, absent);
      !absent && size > LargestFile(settings_.max_bytes)) {
    return Error{ErrorCode::kInvalid,
                 "has " + std::to_string(size) + " bytes, expected at most " +
                     std::to_string(LargestFile(settings_.max_bytes)),
                 path};
  }
  MakePrivate(path);
  return IncidentStore::Open(path, Database::Access::kReadWrite);
}

std::optional<IncidentStore> HistoryFile::OpenFile() {
  auto store = TryFile();
  if (!store && store.error().code == ErrorCode::kInvalid) {
    SetAside(store.error().message);
    store = TryFile();
  }
  if (store) {
    told_.clear();
    return *std::move(store);
  }
  if (const auto text = store.error().message; text != told_) {
    log_(LogLevel::kError,
         Path() + ": " + text + "; incidents are kept in memory until it can be written again");
    told_ = text;
  }
  return std::nullopt;
}

// Its journal belongs to it: beside a new file it would be taken for that one's.
void HistoryFile::SetAside(const std::string& why) const {
  const auto path = Path();
  std::error_code ignored;
  std::filesystem::rename(path, path + ".refused", ignored);
  for (const auto* const end : {"-wal", "-shm"}) {
    std::filesystem::remove(path + end, ignored);
  }
  log_(LogLevel::kWarning,
       path + ": " + why + "; it is kept as history.db.refused, and a new history begins");
}

// Everything else works as it does with a file, but for a restart.
void HistoryFile::UseMemory() {
  auto memory = IncidentStore::Open(":memory:", Database::Access::kReadWrite);
  // Only without any memory can it fail, and then nothing else works either.
  store_ = *std::move(memory);
  on_disk_ = false;
}

// A damaged file is replaced at once; a disk that is full or gone has to be waited for.
void HistoryFile::Replace(const Error& error, const std::map<std::string, IncidentRecord>& open,
                          SteadyTime now) {
  const bool was_on_disk = on_disk_;
  store_.reset();
  if (was_on_disk && error.code == ErrorCode::kInvalid) {
    SetAside(error.message);
    store_ = OpenFile();
    on_disk_ = store_.has_value();
  } else if (was_on_disk) {
    log_(LogLevel::kError, Path() + ": " + error.message +
                               "; incidents are kept in memory until it can be written again");
    told_ = error.message;
  }
  if (!store_) {
    UseMemory();
    retry_at_ = now + kRetry;
  }
  std::vector<IncidentRecord> records;
  records.reserve(open.size());
  for (const auto& [id, record] : open) {
    records.push_back(record);
  }
  (void)store_->Put(records);
}

// Copied before it is used: a disk that is full again in the middle leaves the memory as it was.
bool HistoryFile::Retry(SteadyTime now) {
  if (on_disk_ || folder_.empty() || now < retry_at_) {
    return false;
  }
  retry_at_ = now + kRetry;
  auto file = OpenFile();
  if (!file) {
    return false;
  }
  if (const auto copied = CopyTo(*file); !copied) {
    return false;  // full still
  }
  store_ = *std::move(file);
  on_disk_ = true;
  log_(LogLevel::kInfo, Path() + ": incidents are written again");
  return true;
}

Result<void> HistoryFile::CopyTo(IncidentStore& target) const {
  const auto records = store_->List(
      {.from = UnixTime(), .to = UnixTime::max(), .limit = 100'000, .documents = true});
  return records ? target.TakeOver(*store_, *records) : Result<void>(records.error());
}

}  // namespace limpet
