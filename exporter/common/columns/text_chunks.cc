#include "exporter/common/columns/text_chunks.h"

#include <utility>

#include "exporter/common/exposition/parser.h"

namespace limpet::columns {

std::string TextChunks::Convert(std::string_view lines, Format format) {
  std::string out;
  PageParser page(lines, {.format = format, .mode = ParseMode::kResume});
  while (true) {
    const auto item = page.Next();
    switch (item.kind) {
      case ItemKind::kEnd:
        return out;
      case ItemKind::kSample:
        // Columns have a time for each row; a line without one says nothing about when it was.
        if (item.timestamp) {
          Add(*item.timestamp, item.series, item.value, out);
        } else {
          ++total_.bad;
        }
        break;
      case ItemKind::kType:
      case ItemKind::kHelp:
      case ItemKind::kUnit:
      case ItemKind::kEof:
        Comment(page.LineText(), out);
        break;
      case ItemKind::kCut:
      case ItemKind::kError:
        ++total_.bad;
        break;
    }
  }
}

std::string TextChunks::Finish() {
  begun_ = false;
  return writer_.Finish(std::exchange(continues_, true));
}

void TextChunks::Add(UnixTime at, std::string_view series, double value, std::string& out) {
  // Any instant may stand in a text: a difference of two could overflow.
  if (begun_ && begin_ <= UnixTime::max() - length_ && at >= begin_ + length_) {
    out += Finish();
  }
  if (!writer_.Add(at, series, value)) {
    // Full, before its time: nobody knows yet whether what was finished before has reached a file.
    BeginAnew();
    out += Finish();
    if (!writer_.Add(at, series, value)) {
      ++total_.bad;
      return;
    }
  }
  if (!std::exchange(begun_, true)) {
    begin_ = at;
  }
  ++total_.samples;
}

void TextChunks::Comment(std::string_view line, std::string& out) {
  if (!writer_.AddComment(line)) {
    out += Finish();
    (void)writer_.AddComment(line);
  }
}

}  // namespace limpet::columns
