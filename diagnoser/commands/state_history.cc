#include "diagnoser/commands/state_history.h"

#include <filesystem>
#include <system_error>

namespace limpet {

// Never made here: a typing error in --state-dir would leave an empty history behind.
Result<IncidentStore> OpenStateHistory(const std::string& folder, Database::Access access) {
  std::error_code failed;
  // Without links: SQLite follows none, and systemd's state folder is one.
  const auto real = std::filesystem::canonical(folder, failed);
  const auto path = (failed ? folder : real.string()) + "/history.db";
  if (failed || !std::filesystem::exists(path, failed)) {
    return Error{ErrorCode::kNotFound,
                 failed ? "cannot be looked at: " + failed.message()
                        : "is not there; --state-dir names the folder of the running diagnoser",
                 path};
  }
  auto store = IncidentStore::Open(path, access);
  if (!store) {
    auto error = store.error();
    error.where = path;
    return error;
  }
  return store;
}

}  // namespace limpet
