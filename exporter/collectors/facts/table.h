// table.h: the table of facts: which files are read, how, and which series they become.
//
// A subject is one file of rows and one line of kFactTable; a fact is a row of its subject.
// Patterns: each '*' stands for a name in that folder, and what stands before it in the same part
//           of the path begins the name. The first '*' is the device, which a filter may hide.
// Missing:  a file that is not there, or that holds something else, is no sample.
// Threads:  constants.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "exporter/common/exposition/sample.h"

namespace limpet {

class FactFinder;  // places.h
class FactPass;    // reading.h

enum class FactRoot : std::uint8_t { kSys, kProc };
// kCabled: interfaces but virtual ones.
enum class FactDevices : std::uint8_t { kAll, kDisks, kInterfaces, kCabled };

// Settings are read with every fifth reading only (facts.h): how disks are set up, drivers, the
// kernel, what a link can do at most.
enum class FactPace : std::uint8_t { kEachReading, kSetting };

using ParseFactNumber = std::optional<double> (*)(std::string_view text);
using ParseFactWord = std::string (*)(std::string_view text);  // empty: none

// A number, alone in its file. Without a '*' it has no label.
struct FactNumber {
  const MetricInfo* info;
  std::string_view files;
  ParseFactNumber parse;
  FactDevices devices = FactDevices::kAll;
  std::string_view kind = {};         // label `kind`; empty: none
  std::string_view label = "device";  // of what the first '*' stands for
  FactPace pace = FactPace::kEachReading;
  FactRoot root = FactRoot::kSys;
};

// Words, one info series a device; there is none unless the gate's file says something.
struct FactWord {
  std::string_view label;
  std::string_view file;  // below the folder
  ParseFactWord parse;
};
struct FactWords {
  const MetricInfo* info;
  std::string_view folders;
  FactWord gate;
  std::span<const FactWord> words;
  FactDevices devices = FactDevices::kAll;
  FactPace pace = FactPace::kEachReading;
  FactRoot root = FactRoot::kSys;
};

struct FactSubject {
  std::span<const FactNumber> numbers = {};
  std::span<const FactWords> words = {};
  // Finds what no pattern describes; null: nothing.
  void (*find)(FactFinder& finder) = nullptr;  // numbers, looked for with the settings
  void (*read)(FactPass& pass) = nullptr;      // anything, at each reading
};

extern const FactSubject kDiskFacts;
extern const FactSubject kArrayFacts;
extern const FactSubject kInterfaceFacts;
extern const FactSubject kFlowControlFacts;
extern const FactSubject kMachineFacts;
extern const FactSubject kFilesystemFacts;

inline constexpr std::array kFactTable = {
    &kDiskFacts,        &kArrayFacts,   &kInterfaceFacts,
    &kFlowControlFacts, &kMachineFacts, &kFilesystemFacts,
};

}  // namespace limpet
