#include "exporter/bpf/capabilities.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace limpet::bpf {
namespace {

constexpr unsigned kPerfmon = 38;  // newer than some headers
constexpr unsigned kBpf = 39;
constexpr std::uint64_t kBoth = (std::uint64_t{1} << kPerfmon) | (std::uint64_t{1} << kBpf);

struct Sets {
  std::uint64_t effective = 0;
  std::uint64_t permitted = 0;
  std::uint64_t inheritable = 0;
};

// By the system calls themselves: it is all that we would use libcap for.
bool Read(Sets& sets) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) {
    return false;
  }
  const auto join = [](std::uint32_t low, std::uint32_t high) {
    return low | std::uint64_t{high} << 32U;
  };
  sets = {join(data[0].effective, data[1].effective), join(data[0].permitted, data[1].permitted),
          join(data[0].inheritable, data[1].inheritable)};
  return true;
}

bool Write(const Sets& sets) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const auto half = [&](unsigned shift) {
    return __user_cap_data_struct{static_cast<std::uint32_t>(sets.effective >> shift),
                                  static_cast<std::uint32_t>(sets.permitted >> shift),
                                  static_cast<std::uint32_t>(sets.inheritable >> shift)};
  };
  std::array<__user_cap_data_struct, 2> data{half(0), half(32)};
  return ::syscall(SYS_capset, &header, data.data()) == 0;
}

}  // namespace

std::string MissingCapabilities() {
  Sets sets;
  static_cast<void>(Read(sets));
  // What the loader keeps must be permitted; it makes it effective itself.
  const bool bpf = (sets.permitted >> kBpf & 1U) != 0;
  const bool perfmon = (sets.permitted >> kPerfmon & 1U) != 0;
  return bpf ? (perfmon ? "" : "CAP_PERFMON") : (perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON");
}

Result<void> KeepOnlyBpfCapabilities() {
  // Ambient rights would come back at an exec; there is none, and no_new_privs forbids more.
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!Write({kBoth, kBoth, 0})) {
    return Error{ErrorCode::kPermission, "capset: " + std::generic_category().message(errno), ""};
  }
  return {};
}

void DropBpfCapabilities() {
  // Also out of the bounding set, where root may, so that no program it starts gets them again.
  ::prctl(PR_CAPBSET_DROP, kBpf, 0, 0, 0);
  ::prctl(PR_CAPBSET_DROP, kPerfmon, 0, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_LOWER, kBpf, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_LOWER, kPerfmon, 0, 0);
  Sets sets;
  if (Read(sets) && ((sets.effective | sets.permitted | sets.inheritable) & kBoth) != 0) {
    static_cast<void>(
        Write({sets.effective & ~kBoth, sets.permitted & ~kBoth, sets.inheritable & ~kBoth}));
  }
}

}  // namespace limpet::bpf
