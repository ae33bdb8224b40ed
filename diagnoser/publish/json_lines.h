// json_lines.h: one JSON object as a line, written from left to right.
//
//   JsonLine line;
//   line.Field("type", "storm").Key("components").OpenList();
//   line.Value("a/sda").CloseList();
//   line.Finish()  →  {"type":"storm","components":["a/sda"]}\n
//
// Numbers have the fewest digits from which the same double is read again; instants are Unix
// seconds, exact to the nanosecond. nlohmann prints neither (100000.0 for
// 1e+05), and a replay took 23 % longer with it.
// Nothing checks that brackets match or that keys stand in objects: that is the caller's matter.
// Threads: a value with one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

class JsonLine {
 public:
  // Makes room for so many bytes more: a window of a large group is many kilobytes.
  void Reserve(std::size_t bytes) { (void)Room(bytes); }
  JsonLine& OpenObject() { return Open('{'); }
  JsonLine& CloseObject() { return Close('}'); }
  JsonLine& OpenList() { return Open('['); }
  JsonLine& CloseList() { return Close(']'); }
  // A value, an object or a list must follow.
  JsonLine& Key(std::string_view key);

  // Bytes from 0x20 on are copied as they are: text that is not UTF-8 stays that.
  JsonLine& Value(std::string_view text);
  JsonLine& Value(const char* text) { return Value(std::string_view(text)); }
  JsonLine& Value(const std::string& text) { return Value(std::string_view(text)); }
  JsonLine& Value(bool value) { return Raw(value ? "true" : "false"); }
  JsonLine& Value(double value);  // null when it is not finite
  JsonLine& Value(std::uint64_t value);
  JsonLine& Value(std::uint32_t value) { return Value(std::uint64_t{value}); }
  JsonLine& Value(UnixTime at);
  template <class T>
  JsonLine& Value(const std::optional<T>& value) {
    return value ? Value(*value) : Raw("null");
  }
  template <class T>
  JsonLine& Field(std::string_view key, const T& value) {
    return Key(key).Value(value);
  }

  // The line with its newline; the object is empty afterwards and not to be used again.
  [[nodiscard]] std::string Finish();

 private:
  JsonLine& Open(char bracket);
  JsonLine& Close(char bracket);
  JsonLine& Raw(std::string_view text);
  // Appends after a comma where one is needed.
  void AppendQuoted(std::string_view text, std::string_view closing);
  void AppendEscaped(char c);

  // Returns where the next `bytes` go: an event has thousands of short pieces, and each append to a
  // string would set its end anew.
  [[nodiscard]] char* Room(std::size_t bytes) {
    if (text_.size() - size_ < bytes) {
      text_.resize(2 * text_.size() + bytes);
    }
    return text_.data() + size_;
  }
  void Append(std::string_view text) { size_ += text.copy(Room(text.size()), text.size()); }
  template <class Number>
  void AppendNumber(Number number);
  void AppendComma();

  std::string text_ = "{";
  std::size_t size_ = 1;  // of `text_` is written; what lies behind it is room
  bool needs_comma_ = false;
};

}  // namespace limpet
