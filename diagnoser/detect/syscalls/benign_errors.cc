#include "diagnoser/detect/syscalls/benign_errors.h"

#include <algorithm>
#include <array>

namespace limpet {
namespace {

// "Not now": the call is made again, or another one waits for it.
// "Not there", "not that kind": how programs find out what there is.
// "Not allowed": the user's own doing.
constexpr std::array<std::string_view, 43> kBenign = {
    "E2BIG",        "EACCES",         "EAGAIN",         "EALREADY",    "EBADF",
    "EBUSY",        "ECANCELED",      "ECHILD",         "EDEADLK",     "EDOM",
    "EEXIST",       "EFAULT",         "EINPROGRESS",    "EINTR",       "EINVAL",
    "EISCONN",      "EISDIR",         "ELOOP",          "EMLINK",      "EMSGSIZE",
    "ENAMETOOLONG", "ENODATA",        "ENOENT",         "ENOEXEC",     "ENOLCK",
    "ENOPROTOOPT",  "ENOSYS",         "ENOTDIR",        "ENOTEMPTY",   "ENOTSUP",
    "ENOTTY",       "EOPNOTSUPP",     "EOVERFLOW",      "EPERM",       "ERANGE",
    "ERESTART",     "ERESTARTNOHAND", "ERESTARTNOINTR", "ERESTARTSYS", "ERESTART_RESTARTBLOCK",
    "ESPIPE",       "ESRCH",          "EXDEV",
};
// ETIMEDOUT is here because what times out in a file system's processes are waits and connections.
constexpr std::array<std::string_view, 14> kConnection = {
    "EADDRINUSE",   "EADDRNOTAVAIL", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET",
    "EDESTADDRREQ", "EHOSTDOWN",     "EHOSTUNREACH", "ENETDOWN",     "ENETUNREACH",
    "ENOTCONN",     "EPIPE",         "ESHUTDOWN",    "ETIMEDOUT",
};

template <std::size_t kSize>
bool Holds(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool IsAlwaysBenign(std::string_view error) {
  return Holds(kBenign, error) || IsConnectionError(error);
}

bool IsConnectionError(std::string_view error) { return Holds(kConnection, error); }

}  // namespace limpet
