#include "diagnoser/sources/converted_file.h"

#include <optional>
#include <utility>

#include "exporter/common/exposition/codec.h"

namespace limpet {
namespace {

class ConvertedFile final : public ByteSource {
 public:
  ConvertedFile(std::unique_ptr<ByteSource> bytes, InputNotes notes, MakeConverter make)
      : bytes_(std::move(bytes)), notes_(std::move(notes)), make_(std::move(make)) {}

  // Goes on until there is something: an empty text means the end.
  Result<std::string> Read() override {
    converter_ = converter_ ? std::move(converter_) : make_(notes_);
    std::string text;
    while (text.empty() && !ended_) {
      auto more = fed_ ? Decode() : ReadMore();
      if (!more) {
        ended_ = true;
        return more;
      }
      text = *std::move(more);
    }
    return text;
  }

  bool Rewind() override {
    if (!bytes_->Rewind()) {
      return false;
    }
    notes_.Rewind();
    converter_.reset();
    decoder_.reset();
    taken_ = 0;
    fed_ = false;
    ended_ = false;
    return true;
  }

  [[nodiscard]] std::optional<std::uint64_t> Position() const override {
    return bytes_->Position().value_or(taken_);
  }

 private:
  Result<std::string> ReadMore() {
    // A program that fails in the middle (sadf) ends the file with its error; what it had printed
    // has been handed out.
    auto read = bytes_->Read();
    if (!read) {
      return read;
    }
    encoded_ = *std::move(read);
    taken_ += encoded_.size();
    if (encoded_.empty()) {
      ended_ = true;
      if (decoder_ && !decoder_->Whole()) {
        notes_.Say("ends in the middle; read as far as it goes");
      }
      return converter_->Finish();
    }
    if (!decoder_) {
      // Decoded and converted piece by piece, so that no size needs a bound.
      decoder_.emplace(SniffEncoding(encoded_), DecodeLimits{.max_output = DecodeLimits::kNone,
                                                             .max_ratio = DecodeLimits::kNone});
    }
    decoder_->Feed(encoded_);
    fed_ = true;
    return std::string();
  }

  Result<std::string> Decode() {
    const auto plain = decoder_->Next();
    if (!plain) {
      notes_.Say("is damaged; read up to there");
      ended_ = true;
      return converter_->Finish();
    }
    // Nothing: all that was fed is used up.
    fed_ = !plain->empty();
    return fed_ ? converter_->Feed(*plain) : Result<std::string>(std::string());
  }

  std::unique_ptr<ByteSource> bytes_;
  InputNotes notes_;
  MakeConverter make_;
  std::unique_ptr<Converter> converter_;
  std::optional<Decoder> decoder_;
  std::string encoded_;
  std::uint64_t taken_ = 0;
  bool fed_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> ConvertFile(std::unique_ptr<ByteSource> bytes, InputNotes notes,
                                        MakeConverter make) {
  return std::make_unique<ConvertedFile>(std::move(bytes), std::move(notes), std::move(make));
}

}  // namespace limpet
