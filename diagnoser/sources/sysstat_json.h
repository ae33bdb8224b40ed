// sysstat_json.h: what `sadf -j` prints of a sysstat file, as the text of a recording.
//
// Records: one an interval; each is parsed by itself, so that memory does not grow with the day.
// Times:   UTC, as sadf prints them without -t and -T.
// Rates:   per second over the record's interval (counter_text.h). An interval that does not begin
//          where the last one ended, as after a restart, leaves a gap.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/sources/converter.h"
#include "diagnoser/sources/counter_text.h"
#include "diagnoser/sources/input_notes.h"

namespace limpet {

class SysstatJson final : public Converter {
 public:
  static constexpr std::size_t kMaxRecord = std::size_t{16} << 20U;  // bytes of text
  static constexpr std::size_t kMaxHeader = std::size_t{64} << 10U;

  // `notes` must outlive it.
  explicit SysstatJson(InputNotes& notes) : notes_(notes) {}

  // kInvalid: no JSON of sadf; kTooLarge: beyond the bounds.
  [[nodiscard]] Result<std::string> Feed(std::string_view plain) override;
  [[nodiscard]] Result<std::string> Finish() override;

 private:
  // The next byte of the file; false: it is not what sadf writes, or beyond the bounds.
  bool Read(char c);
  bool Open(char c);
  bool Close();
  void BeginMember(char bracket);
  void ReadRecord();
  void ReadHost(const nlohmann::json& record, const Owner& owner, UnixTime at, double seconds);

  InputNotes& notes_;
  CounterText text_;
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 0;
  std::uint64_t records_ = 0;
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_statistics_ = false;
  bool too_large_ = false;
  bool has_disks_ = false;
  std::string header_;  // of the host, up to where we are
  std::string record_;
  std::string node_;
  double processors_ = 1;
  std::optional<UnixTime> last_;  // where the last interval of the host ended
};

}  // namespace limpet
