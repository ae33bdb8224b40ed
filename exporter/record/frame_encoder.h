// frame_encoder.h: samples as the zstd frames of a recording, in text or in columns
// (docs/formats/recording.md).
//
// Threads: one object, one thread.
#pragma once

#include <memory>
#include <string>

#include "exporter/common/exposition/sample.h"
#include "exporter/common/time.h"
#include "exporter/record/rotation.h"

namespace limpet {

class FrameEncoder {
 public:
  virtual ~FrameEncoder() = default;
  // The samples of one instant. `describe`: with HELP, TYPE and UNIT, at the begin of a file.
  virtual void Add(UnixTime at, const Families& families, bool describe) = 0;
  // The mark of a file that was closed properly.
  virtual void AddEnd() = 0;
  // Returns what was added, and begins another frame. `continues`: the frame before it is in the
  // same file; otherwise it can be read without that one.
  [[nodiscard]] virtual std::string Finish(bool continues) = 0;
};

// `labels` stand first on every line. `level` of zstd, 1 to 19.
[[nodiscard]] std::unique_ptr<FrameEncoder> MakeFrameEncoder(RecordingForm form, int level,
                                                             LabelSet::Pairs labels);

}  // namespace limpet
