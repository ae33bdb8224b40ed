// named_text.h: metrics text that does not say whose it is, such as pages of node_exporter that
// were kept with their times, as the text of a recording.
//
// Node:    the file's name up to its first point; it becomes the label `instance` of every series.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "diagnoser/sources/converter.h"
#include "diagnoser/sources/input_notes.h"

namespace limpet {

// Returns whether the first sample of a text has a time, but no label `instance`.
[[nodiscard]] bool LacksNode(std::string_view text);

// "/data/oss3.example.com.prom" is of oss3.
[[nodiscard]] std::string NodeOfFile(std::string_view path);

class NamedText final : public Converter {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{1} << 20U;

  // `notes` must outlive it; its path names the node.
  explicit NamedText(InputNotes& notes);

  // kTooLarge: a line beyond the bound.
  [[nodiscard]] Result<std::string> Feed(std::string_view plain) override;
  [[nodiscard]] Result<std::string> Finish() override;

 private:
  void AddLine(std::string_view line, std::string& out) const;

  InputNotes& notes_;
  std::string label_;
  std::string rest_;  // a line that is not whole yet
  std::uint64_t line_ = 0;
};

}  // namespace limpet
