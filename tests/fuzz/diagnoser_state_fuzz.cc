// Any bytes as a state file, and any bytes as the payload of a part whose checksum is right.
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/state/bytes.h"
#include "diagnoser/state/codec.h"

namespace {

limpet::PipelineConfig Config() {
  limpet::PipelineConfig config;
  config.presets = {limpet::DefaultPreset()};
  config.groups = {{.name = "disks"},
                   {.name = "lan", .kind = limpet::GroupKind::kNetwork},
                   {.name = "tcp", .kind = limpet::GroupKind::kCwnd, .ports = {1}}};
  config.limits.max_state_bins = 100'000;
  return config;
}

std::string AsPart(std::string_view payload, std::uint64_t kind) {
  limpet::ByteWriter file;
  file.Fixed(limpet::kStateVersion, 4);
  file.Fixed(kind, 4);
  file.Fixed(payload.size(), 8);
  file.Fixed(::crc32_z(0, reinterpret_cast<const Bytef*>(payload.data()), payload.size()), 4);
  return "LIMPETST" + file.Bytes() + std::string(payload);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto kind = data[0] % 8U;  // 0: a whole file
  const auto read =
      limpet::DecodeState(kind == 0 ? std::string(rest) : AsPart(rest, kind), Config());
  if (!read) {
    return 0;
  }
  // What was understood is written and understood again.
  const auto again = limpet::DecodeState(limpet::EncodeState(read->state, Config()), Config());
  if (!again || !again->ignored.empty() ||
      again->state.components.size() != read->state.components.size() ||
      again->state.entities.size() != read->state.entities.size() ||
      again->state.cwnd.size() != read->state.cwnd.size() ||
      again->state.window_ends != read->state.window_ends) {
    std::abort();
  }
  limpet::Pipeline pipeline(Config());
  (void)pipeline.ImportState(read->state);
  (void)pipeline.Advance(limpet::UnixFromSeconds(1'700'000'100));
  (void)pipeline.View();
  (void)pipeline.ExportState();
  return 0;
}
