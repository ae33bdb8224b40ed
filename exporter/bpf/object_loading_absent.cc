// object_loading_absent.cc: in builds without clang for BPF, bpftool or libbpf.
#include "exporter/bpf/object_loading.h"

namespace limpet::bpf {

Result<std::vector<Handed>> LoadObject(const Request& /*request*/) {
  return Error{ErrorCode::kUnavailable,
               "this program was built without its eBPF programs (LIMPET_BPF)", ""};
}

}  // namespace limpet::bpf
