#include "exporter/record/frame_encoder.h"

#include <utility>

#include "exporter/common/columns/text_chunks.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/writer.h"

namespace limpet {
namespace {

constexpr std::string_view kEndMark = "# EOF\n";

// The lines of one instant, which both forms are made of: so they say the same.
class Lines {
 public:
  explicit Lines(LabelSet::Pairs labels) : options_{.constant_labels = std::move(labels)} {
    options_.end_mark = false;
  }
  std::string Make(UnixTime at, const Families& families, bool describe) {
    options_.timestamp = at;
    options_.describe = describe;
    return Render(families, Format::kOpenMetrics, options_);
  }

 private:
  RenderOptions options_;
};

class TextFrames final : public FrameEncoder {
 public:
  TextFrames(int level, LabelSet::Pairs labels) : lines_(std::move(labels)), compressor_(level) {}

  void Add(UnixTime at, const Families& families, bool describe) override {
    frame_ += compressor_.Write(lines_.Make(at, families, describe));
  }
  void AddEnd() override { frame_ += compressor_.Write(kEndMark); }
  std::string Finish(bool /*continues*/) override {
    frame_ += compressor_.EndFrame();
    return std::exchange(frame_, {});
  }

 private:
  Lines lines_;
  ZstdWriter compressor_;
  std::string frame_;  // so far
};

class ColumnFrames final : public FrameEncoder {
 public:
  ColumnFrames(int level, LabelSet::Pairs labels) : lines_(std::move(labels)), compressor_(level) {}

  void Add(UnixTime at, const Families& families, bool describe) override {
    Compress(chunks_.Convert(lines_.Make(at, families, describe), Format::kOpenMetrics));
  }
  void AddEnd() override { Compress(chunks_.Convert(kEndMark, Format::kOpenMetrics)); }
  std::string Finish(bool continues) override {
    // Known only now: a disk may have become full while the samples came.
    if (!continues) {
      chunks_.BeginAnew();
    }
    Compress(chunks_.Finish());
    return std::exchange(frame_, {});
  }

 private:
  // A chunk is a frame of its own, so that one whose end is missing is known by its checksum.
  void Compress(const std::string& chunks) {
    frame_ += compressor_.Write(chunks);
    frame_ += compressor_.EndFrame();
  }

  Lines lines_;
  // It is the recorder that knows when a frame ends.
  columns::TextChunks chunks_{Duration::max()};
  ZstdWriter compressor_;
  std::string frame_;  // chunks that were full before its end
};

}  // namespace

std::unique_ptr<FrameEncoder> MakeFrameEncoder(RecordingForm form, int level,
                                               LabelSet::Pairs labels) {
  if (form == RecordingForm::kColumns) {
    return std::make_unique<ColumnFrames>(level, std::move(labels));
  }
  return std::make_unique<TextFrames>(level, std::move(labels));
}

}  // namespace limpet
