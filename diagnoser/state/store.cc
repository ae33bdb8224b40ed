#include "diagnoser/state/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "exporter/common/atomic_file.h"
#include "exporter/common/regular_file.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxShown = 5;  // of a changed configuration one line a group
// Bins take 64 MB at most (docs/decisions/0070): a huge file must not fill the memory.
constexpr std::size_t kMaxBytes = std::size_t{1} << 30U;

}  // namespace

Result<void> StateStore::Prepare() const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  if (failed) {
    return Error{ErrorCode::kPermission, "cannot create the folder: " + failed.message(), folder_};
  }
  if (::access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
    return Error{ErrorCode::kPermission, "cannot write into the folder", folder_};
  }
  return {};
}

bool StateStore::Lock() {
  std::error_code failed;
  if (std::filesystem::is_regular_file(folder_, failed)) {
    log_(LogLevel::kError,
         folder_ + ": expected a folder for the state, got a file: give another --state-dir");
    return false;
  }
  if (!Prepare()) {
    return true;
  }
  Descriptor folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.IsOpen() && ::flock(folder.Get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    log_(LogLevel::kError, folder_ +
                               ": another diagnoser keeps its state here: stop it, or give this "
                               "one a folder of its own with --state-dir");
    return false;
  }
  lock_ = std::move(folder);
  return true;
}

PipelineState StateStore::Load(const PipelineConfig& config) {
  const auto path = Path();
  const auto bytes = ReadRegularFile(path, kMaxBytes);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) {
    return {};  // the first start
  }
  auto decoded = bytes ? DecodeState(*bytes, config) : Result<MigratedState>(bytes.error());
  if (!decoded) {
    // Not deleted: an older program may have been started by mistake.
    std::error_code failed;
    std::filesystem::rename(path, folder_ + "/state.refused", failed);
    log_(LogLevel::kWarning, path + ": " + decoded.error().message +
                                 "; starting without saved state, so accumulators begin at 0; the "
                                 "file is kept as state.refused");
    return {};
  }
  const auto& ignored = decoded->ignored;
  // A changed preset can concern a thousand groups; the first few say what has happened.
  for (std::size_t i = 0; i < std::min(ignored.size(), kMaxShown); ++i) {
    log_(LogLevel::kWarning, path + ": " + ignored[i]);
  }
  if (ignored.size() > kMaxShown) {
    log_(LogLevel::kWarning,
         path + ": " + std::to_string(ignored.size() - kMaxShown) + " more parts are ignored");
  }
  return std::move(decoded->state);
}

Result<void> StateStore::Save(std::string_view encoded) {
  if (auto ready = Prepare(); !ready) {
    return ready;
  }
  // Whatever happens meanwhile, the file is the old one or the new one.
  return WriteFileAtomically(Path(), encoded);
}

}  // namespace limpet
