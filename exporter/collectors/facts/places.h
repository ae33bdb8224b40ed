// places.h: which files the table's patterns stand for on this machine, and the series they become.
//
// Looking for them costs as much as reading them, and they seldom change: a plan is kept over
// several readings, as long as the same devices are there.
// Threads: one; a plan does not change once it is made.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/collectors/facts/files.h"
#include "exporter/collectors/facts/table.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

struct FactSample {
  const MetricInfo* info = nullptr;
  LabelsPtr labels;  // null: none
  double value = 0;
};

// A core and its threads, in the order of their packages.
struct FactCore {
  std::vector<std::string> threads;  // their folders below /sys
  std::string package;
  std::string core;
};
using FactCores = std::vector<FactCore>;

struct FactPlan {
  struct Series {
    const MetricInfo* info;
    LabelsPtr labels;
  };
  // Several may be of one series: the links of a drive with two ports.
  struct File {
    const FactNumber* row;
    std::size_t series;
    std::string unit;
    std::string path;
  };
  struct Folder {
    const FactWords* row;
    std::string device;  // empty: no label
    std::string unit;
    std::string path;
  };

  std::vector<Series> series;
  std::vector<File> files;
  std::vector<Folder> folders;
  std::map<std::string, std::vector<std::string>, std::less<>> devices;  // by folder
  std::shared_ptr<const FactCores> cores;
  bool is_partial = false;  // something hung

  // Read when the plan was made.
  std::vector<FactSample> settings;
  std::vector<UnreadFile> unread;
};

// A file or folder that a pattern stands for.
struct FactMatch {
  std::string path;
  std::string device;  // the name that has the first '*'
  std::string part;    // in the place of that '*'
  std::string unit;    // the path up to it; without a '*' the path
};

// Fills a plan.
class FactFinder {
 public:
  FactFinder(FactFiles& files, FactPlan& plan) : files_(files), plan_(plan) {}

  void AddTable();

  // Serves subjects that no pattern describes.
  [[nodiscard]] std::vector<FactMatch> Find(std::string_view pattern, FactDevices devices);
  [[nodiscard]] std::optional<std::string_view> Read(FactRoot root, std::string_view unit,
                                                     std::string_view path) {
    return files_.Read(root, unit, path);
  }
  // Sorted.
  [[nodiscard]] std::vector<std::string> Names(std::string_view unit, std::string_view folder) {
    return files_.List(unit, folder);
  }
  // `row` must be a constant.
  void Add(const FactNumber& row, std::string unit, std::string path,
           const LabelSet::Pairs& labels);
  // Returns what `find` finds, or found for an earlier plan: cores neither come nor go.
  [[nodiscard]] const FactCores& Cores(FactCores (*find)(FactFinder&));

 private:
  [[nodiscard]] bool Shows(FactDevices devices, const std::string& name) const;
  const std::vector<std::string>& List(const std::string& unit, const std::string& folder);
  void Expand(const FactMatch& so_far, std::size_t rest, FactDevices devices,
              std::vector<FactMatch>& matches);
  void AddNumbers(const FactNumber& row);
  void AddFolders(const FactWords& row);
  void Watch(std::string_view pattern);

  FactFiles& files_;
  FactPlan& plan_;
  std::map<std::string, std::vector<std::string>> lists_;  // each folder is looked into once
  std::map<std::string, std::size_t> series_;
};

// Returns whether the devices that the plan is of are all there, and no others.
[[nodiscard]] bool HasSameDevices(FactFiles& files, const FactPlan& plan);

}  // namespace limpet
