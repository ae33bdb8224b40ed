#include "exporter/collectors/bpf.h"

#include <utility>

#include "exporter/bpf/program_statistics.h"
#include "exporter/collectors/catalog/bpf.h"
#include "exporter/common/units.h"

namespace limpet {
namespace {

double Number(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace

constinit const CollectorModule kBpfCollector{
    .name = "bpf",
    .title = "Programs in the kernel",
    .metrics = catalog::kBpf,
    .configure = [](yaml::MapReader& /*settings*/) -> CollectorFactory {
      return [](const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        return std::unique_ptr<Collector>(
            std::make_unique<BpfCollector>(in.bpf, in.open("/proc/self")));
      };
    }};

std::string ProgramsName(const bpf::Request& request) {
  return std::holds_alternative<bpf::BlockRequest>(request) ? "block" : "syscall";
}

const LabelsPtr& BpfCollector::Label(const std::string& programs, const std::string& program) {
  auto& label = labels_[programs + "/" + program];
  if (!label) {
    label = MakeLabels({{"programs", programs}, {"program", program}});
  }
  return label;
}

Result<Families> BpfCollector::Collect(const Tick& /*tick*/) {
  Family available{.info = &catalog::kBpfAvailable, .samples = {}};
  Family missed{.info = &catalog::kBpfMissed, .samples = {}};
  Family runs{.info = &catalog::kBpfRuns, .samples = {}};
  Family seconds{.info = &catalog::kBpfRunSeconds, .samples = {}};
  for (const auto& [request, result] :
       loader_ ? loader_->All() : std::vector<bpf::Loader::Loaded>()) {
    const auto name = ProgramsName(request);
    const std::string missing(result ? "" : bpf::MissingPart(result.error().code));
    available.samples.push_back(
        {MakeLabels({{"programs", name}, {"missing", missing}}), result ? 1.0 : 0.0});
    if (!result) {
      continue;
    }
    for (const auto& program : (*result)->programs) {
      const auto text = self_->Read("fdinfo/" + std::to_string(program.descriptor.Get()));
      const auto statistics = text ? bpf::ParseProgramFdinfo(*text) : std::nullopt;
      if (!statistics) {
        continue;
      }
      const auto& label = Label(name, program.name);
      missed.samples.push_back({label, Number(statistics->missed)});
      runs.samples.push_back({label, Number(statistics->runs)});
      seconds.samples.push_back({label, Number(statistics->run_ns) / kNanosecondsPerSecond});
    }
  }
  Families families;
  for (auto* family : {&available, &missed, &runs, &seconds}) {
    if (!family->samples.empty()) {
      families.push_back(std::move(*family));
    }
  }
  return families;
}

}  // namespace limpet
