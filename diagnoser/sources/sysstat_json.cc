#include "diagnoser/sources/sysstat_json.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "diagnoser/sources/iso_instant.h"
#include "exporter/common/units.h"

namespace limpet {
namespace {

using Json = nlohmann::json;

// {"sysstat": {"hosts": [{…, "statistics": [{…}, …], …}]}}
constexpr std::size_t kHostDepth = 4;
constexpr std::size_t kListDepth = 5;
constexpr std::size_t kMaxDepth = 32;
constexpr double kKibibyte = 1024;
constexpr double kWhole = 100;  // percent
// Instants are whole seconds, and so is the interval: they may differ by one.
constexpr Duration kRounding = std::chrono::seconds(1);

// The member, or null.
const Json& Member(const Json& object, const char* name) {
  static const Json kNothing;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? *found : kNothing;
}

std::optional<double> Number(const Json& object, const char* name) {
  const auto& member = Member(object, name);
  return member.is_number() ? std::optional(member.get<double>()) : std::nullopt;
}

std::string Text(const Json& object, const char* name) {
  const auto& member = Member(object, name);
  return member.is_string() ? member.get<std::string>() : std::string();
}

// A rate has had several names; the first that is there counts.
struct RateName {
  Rate rate;
  const char* name;
  double factor = 1;
};
constexpr std::array kDiskNames = {
    RateName{Rate::kRequests, "tps"},
    RateName{Rate::kReadBytes, "rkB", kKibibyte},
    RateName{Rate::kReadBytes, "rd_sec", kBytesPerSector},
    RateName{Rate::kWrittenBytes, "wkB", kKibibyte},
    RateName{Rate::kWrittenBytes, "wr_sec", kBytesPerSector},
    RateName{Rate::kAwait, "await"},
    RateName{Rate::kUtilization, "util-percent"},
    RateName{Rate::kQueueLength, "aqu-sz"},
    RateName{Rate::kQueueLength, "avgqu-sz"},
};
constexpr std::array kInterfaceNames = {
    RateName{Rate::kReceivedBytes, "rxkB", kKibibyte},
    RateName{Rate::kReceivedPackets, "rxpck"},
    RateName{Rate::kSentBytes, "txkB", kKibibyte},
    RateName{Rate::kSentPackets, "txpck"},
};

template <std::size_t kCount>
Rates ReadRates(const Json& device, const std::array<RateName, kCount>& names) {
  Rates rates;
  for (const auto& name : names) {
    if (const auto value = rates.Has(name.rate) ? std::nullopt : Number(device, name.name)) {
      rates.Set(name.rate, *value * name.factor);
    }
  }
  return rates;
}

struct Device {
  std::string name;
  Rates rates;
};

// Disks and interfaces alike: what a rate counts says which it is.
std::vector<Device> ReadDevices(const Json& record) {
  std::vector<Device> devices;
  const auto add = [&](const Json& list, const char* key, const auto& names) {
    for (const auto& one : list.is_array() ? list : Json::array()) {
      if (auto name = Text(one, key); !name.empty()) {
        devices.push_back({.name = std::move(name), .rates = ReadRates(one, names)});
      }
    }
  };
  add(Member(record, "disk"), "disk-device", kDiskNames);
  add(Member(Member(record, "network"), "net-dev"), "iface", kInterfaceNames);
  return devices;
}

struct Interval {
  UnixTime at;
  Duration length;
};

// Without its length a record's rates could not be added up, and a local time may come twice a
// year.
std::optional<Interval> ReadInterval(const Json& record) {
  const auto& stamp = Member(record, "timestamp");
  const auto& utc = Member(stamp, "utc");
  const auto at = ParseIsoInstant(Text(stamp, "date") + "T" + Text(stamp, "time"));
  const auto seconds = Number(stamp, "interval");
  constexpr double kLongest = 1e7;
  // "utc": 1 up to sysstat 12.6, "tz": "UTC" from 12.7.1 on.
  const bool is_utc = utc.is_boolean()  ? utc.get<bool>()
                      : utc.is_number() ? utc.get<double>() > 0
                                        : Text(stamp, "tz") == "UTC";
  if (!at || !is_utc || !seconds || !(*seconds > 0 && *seconds < kLongest)) {
    return std::nullopt;
  }
  const auto length = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds));
  return *at - length < UnixTime() ? std::nullopt
                                   : std::optional(Interval{.at = *at, .length = length});
}

// What a series of the host is made of: a member of a section of the record.
struct HostName {
  const char* section;
  const char* name;
  const char* series;
  const char* mode = "";
};
constexpr std::array kHostRates = {
    HostName{"process-and-context-switch", "cswch", "context_switches_total"},
    HostName{"paging", "pgpgin", "vmstat_pgpgin_total"},
    HostName{"paging", "pgpgout", "vmstat_pgpgout_total"},
    HostName{"paging", "fault", "vmstat_pgfault_total"},
};
constexpr std::array kHostLevels = {
    HostName{"queue", "runq-sz", "procs_running"},
    HostName{"queue", "plist-sz", "processes_threads"},
    HostName{"queue", "ldavg-1", "load1"},
};
// Of all processors together; sadf's names without and with -u ALL.
constexpr std::array kProcessorShares = {
    HostName{"cpu-load", "user", "cpu_seconds_total", "user"},
    HostName{"cpu-load", "usr", "cpu_seconds_total", "user"},
    HostName{"cpu-load", "system", "cpu_seconds_total", "system"},
    HostName{"cpu-load", "sys", "cpu_seconds_total", "system"},
    HostName{"cpu-load", "iowait", "cpu_seconds_total", "iowait"},
};

const Json& AllProcessors(const Json& record) {
  static const Json kNothing;
  for (const auto& one : Member(record, "cpu-load")) {
    if (Text(one, "cpu") == "all") {
      return one;
    }
  }
  return kNothing;
}

}  // namespace

// Byte by byte, only to know where records begin and end: a day of them as one tree would take a
// hundred times the memory of its file.
Result<std::string> SysstatJson::Feed(std::string_view plain) {
  for (const char c : plain) {
    if (!Read(c)) {
      return Error{too_large_ ? ErrorCode::kTooLarge : ErrorCode::kInvalid,
                   too_large_ ? "expected records of at most 16 MiB as sadf -j prints them"
                              : "expected the JSON that sadf -j prints, got something else",
                   notes_.Path() + ":" + std::to_string(line_)};
    }
    line_ += c == '\n' ? 1 : 0;
  }
  return text_.Take();
}

Result<std::string> SysstatJson::Finish() {
  if (depth_ > 0) {
    notes_.Say("ends in the middle; read up to its last complete record");
  }
  if (records_ > 0 && !has_disks_) {
    notes_.Say(
        "has no disk statistics; sadc collects them with -S DISK (SADC_OPTIONS in "
        "/etc/sysstat/sysstat)");
  }
  notes_.Finish(records_);
  return text_.Take();
}

bool SysstatJson::Read(char c) {
  auto& text = depth_ > kListDepth || (depth_ == kListDepth && c == '{') ? record_ : header_;
  // Only the host's own members are its header; lists other than the statistics are passed over.
  const bool kept = &text == &record_ ? in_statistics_ : depth_ == kHostDepth;
  if (kept) {
    text.push_back(c);
    too_large_ = record_.size() > kMaxRecord || header_.size() > kMaxHeader;
  }
  if (too_large_) {
    return false;
  }
  if (in_string_) {
    in_string_ = escaped_ || c != '"';
    escaped_ = !escaped_ && c == '\\';
    return true;
  }
  switch (c) {
    case '"':
      in_string_ = true;
      return true;
    case '{':
    case '[':
      return Open(c);
    case '}':
    case ']':
      return Close();
    default:
      return depth_ > 0 || c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
}

bool SysstatJson::Open(char c) {
  ++depth_;
  if (depth_ == kHostDepth) {
    // Another host of the same text: its times begin anew.
    header_ = "{";
    node_.clear();
    last_.reset();
  } else if (depth_ == kListDepth) {
    BeginMember(c);
  } else if (depth_ == kListDepth + 1) {
    record_line_ = line_;
  }
  return depth_ <= kMaxDepth;
}

bool SysstatJson::Close() {
  if (depth_ == 0) {
    return false;
  }
  --depth_;
  if (depth_ == kListDepth && in_statistics_) {
    ReadRecord();
    record_.clear();
  } else if (depth_ == kHostDepth) {
    in_statistics_ = false;
    header_ += "0";  // in the place of what was passed over
  }
  return true;
}

// What stands before the statistics says whose they are.
void SysstatJson::BeginMember(char bracket) {
  header_.pop_back();  // the bracket, whose contents are no part of the header
  const auto colon = header_.find_last_not_of(" \t\r\n");
  const auto name = std::string_view(header_).substr(0, colon == std::string::npos ? 0 : colon);
  in_statistics_ = bracket == '[' && name.ends_with("\"statistics\"");
  if (in_statistics_) {
    const auto header = Json::parse(header_ + "0}", nullptr, false);
    node_ = Text(header, "nodename");
    processors_ = std::max(1.0, Number(header, "number-of-cpus").value_or(1));
  }
}

void SysstatJson::ReadRecord() {
  ++records_;
  const auto record = Json::parse(record_, nullptr, false);
  const auto interval = record.is_object() ? ReadInterval(record) : std::nullopt;
  if (node_.empty() || !interval) {
    notes_.LeaveOut(record_line_, node_.empty()
                                      ? "expected the nodename of the host before its statistics"
                                      : "expected a record with its time in UTC and its interval, "
                                        "as sadf -j prints it without -t and -T");
    return;
  }
  const Owner owner{.node = node_};
  const auto from = interval->at - interval->length;
  // sadf leaves out the interval in which the machine booted, and says nothing of it here.
  const bool goes_on = last_ && from <= *last_ + kRounding && from >= *last_ - kRounding;
  const auto devices = ReadDevices(record);
  has_disks_ = has_disks_ || !Member(record, "disk").empty();
  if (!goes_on) {
    // Where the counters stood when the interval began, so that its increase is known.
    if (last_) {
      text_.BreakOff(owner, from);
    }
    for (const auto& device : devices) {
      (void)text_.Add({.node = node_, .device = device.name}, device.rates, from, Duration());
    }
    ReadHost(record, owner, from, 0);
  }
  // From reading to reading: rounded intervals would drift away from the instants.
  const auto length = goes_on ? interval->at - *last_ : interval->length;
  for (const auto& device : devices) {
    if (!text_.Add({.node = node_, .device = device.name}, device.rates, interval->at, length)) {
      notes_.Say("has more devices than 200000; the others are left out");
    }
  }
  ReadHost(record, owner, interval->at, ToSeconds(length));
  last_ = interval->at;
}

void SysstatJson::ReadHost(const Json& record, const Owner& owner, UnixTime at, double seconds) {
  for (const auto& [section, name, series, mode] : kHostRates) {
    if (const auto rate = Number(Member(record, section), name)) {
      text_.AddToNode(owner, series, mode, *rate * seconds, at);
    }
  }
  const auto& all = AllProcessors(record);
  for (const auto& [section, name, series, mode] : kProcessorShares) {
    if (const auto share = Number(all, name)) {
      text_.AddToNode(owner, series, mode, *share / kWhole * processors_ * seconds, at);
    }
  }
  // A gauge is of the end of the interval; where it begins, nothing is known of it.
  for (const auto& [section, name, series, mode] : kHostLevels) {
    if (const auto value = seconds > 0 ? Number(Member(record, section), name) : std::nullopt) {
      text_.AddReading(owner, series, *value, at);
    }
  }
}

}  // namespace limpet
