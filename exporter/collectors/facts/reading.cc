#include "exporter/collectors/facts/reading.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace limpet {
namespace {

using Absent = std::set<const FactPlan::File*>;

// A series of several files (the links of one drive) is their sum, a gauge the least of them.
// Returns the files that are not there.
Absent AddNumbers(FactFiles& files, const FactPlan& plan, FactPace pace,
                  std::vector<FactSample>& samples) {
  Absent absent;
  std::vector<std::optional<double>> values(plan.series.size());
  for (const auto& file : plan.files) {
    if (file.row->pace != pace) {
      continue;
    }
    const auto text = files.Read(file.row->root, file.unit, file.path);
    if (files.IsAbsent()) {
      absent.insert(&file);
    }
    const auto value = text ? file.row->parse(*text) : std::nullopt;
    auto& sum = values[file.series];
    if (value && sum) {
      sum = file.row->info->type == MetricType::kCounter ? *sum + *value : std::min(*sum, *value);
    } else if (value) {
      sum = value;
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) {
      samples.push_back({plan.series[i].info, plan.series[i].labels, *values[i]});
    }
  }
  return absent;
}

std::string ReadWord(FactFiles& files, const FactPlan::Folder& folder, const FactWord& word) {
  const auto text =
      files.Read(folder.row->root, folder.unit, folder.path + "/" + std::string(word.file));
  return text ? word.parse(*text) : "";
}

void AddWords(FactFiles& files, const FactPlan& plan, FactPace pace,
              std::vector<FactSample>& samples) {
  for (const auto& folder : plan.folders) {
    const auto& row = *folder.row;
    const auto first = row.pace == pace ? ReadWord(files, folder, row.gate) : std::string();
    if (first.empty()) {
      continue;
    }
    LabelSet::Pairs labels;
    if (!folder.device.empty()) {
      labels.emplace_back("device", folder.device);
    }
    for (const auto& word : row.words) {
      labels.emplace_back(word.label,
                          word.file == row.gate.file ? first : ReadWord(files, folder, word));
    }
    samples.push_back({row.info, MakeLabels(labels), 1});
  }
}

std::shared_ptr<FactPlan> MakePlan(FactFiles& files) {
  const auto& sources = files.Sources();
  FactPlan plan;
  plan.is_partial = !sources.skipped.empty();
  plan.cores = sources.plan != nullptr && !sources.plan->is_partial ? sources.plan->cores : nullptr;
  FactFinder(files, plan).AddTable();
  (void)AddNumbers(files, plan, FactPace::kSetting, plan.settings);
  AddWords(files, plan, FactPace::kSetting, plan.settings);
  plan.unread = std::exchange(files.Unread(), {});
  return std::make_shared<FactPlan>(std::move(plan));
}

}  // namespace

void FactPass::Add(const MetricInfo& info, LabelsPtr labels, double value) {
  if (reading_.samples.size() < kMaxFactSamples) {
    reading_.samples.push_back({&info, std::move(labels), value});
  }
}

FactReading ReadFacts(const FactSources& sources, WorkPlace& place) {
  FactFiles files(sources, place);
  FactReading reading;
  // A drive that was pulled must not be told of for minutes, nor a new one be missing.
  const bool is_same =
      sources.plan != nullptr && !sources.renew && HasSameDevices(files, *sources.plan);
  const auto made = is_same ? nullptr : MakePlan(files);
  reading.plan = is_same ? sources.plan : made;
  reading.mounted = sources.mounted;
  files.Unread() = reading.plan->unread;
  reading.samples = reading.plan->settings;
  const auto absent = AddNumbers(files, *reading.plan, FactPace::kEachReading, reading.samples);
  if (made) {
    // An interface without a PCI device has no link: that need not be found out at each reading.
    std::erase_if(made->files, [&](const auto& file) { return absent.contains(&file); });
  }
  AddWords(files, *reading.plan, FactPace::kEachReading, reading.samples);
  FactPass pass(files, reading);
  for (const auto* subject : kFactTable) {
    if (subject->read != nullptr) {
      subject->read(pass);
    }
  }
  reading.unread = std::move(files.Unread());
  return reading;
}

}  // namespace limpet
