#include "exporter/common/columns/chunk_text.h"

#include "exporter/common/exposition/print_numbers.h"

namespace limpet::columns {

void ChunkText::Begin(const Chunk& chunk, std::size_t begin, std::size_t end) {
  chunk_ = &chunk;
  row_ = begin;
  end_ = end;
  column_ = 0;
  comment_ = 0;
  while (comment_ < chunk.comments.size() && chunk.comments[comment_].row < begin) {
    ++comment_;
  }
}

void ChunkText::AppendComments(std::string& out) {
  const auto& comments = chunk_->comments;
  for (; comment_ < comments.size(); ++comment_) {
    const auto& next = comments[comment_];
    if (next.row > row_ || (next.row == row_ && next.column > column_)) {
      return;
    }
    out.append(next.line).append("\n");
  }
}

void ChunkText::Append(std::string& out, std::size_t size) {
  const auto end = out.size() + size;
  const auto& chunk = *chunk_;
  for (; row_ < end_; ++row_, column_ = 0) {
    if (column_ == 0) {
      stamp_ = ' ' + RenderUnixSeconds(chunk.times[row_]) + '\n';
    }
    for (; column_ < chunk.columns.size(); ++column_) {
      AppendComments(out);
      if (!chunk.Has(column_, row_)) {
        continue;
      }
      // Here, so that a comment and its sample stay together.
      if (out.size() >= end) {
        return;
      }
      out.append(chunk.table->At(column_)).append(" ");
      AppendSampleValue(out, chunk.At(column_, row_));
      out.append(stamp_);
    }
  }
  if (end_ == chunk.times.size()) {
    AppendComments(out);
  }
  chunk_ = nullptr;
}

}  // namespace limpet::columns
