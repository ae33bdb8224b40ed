// page_machines.h: whether the devices of a page are those of one machine.
//
// A federated page or a proxy's has the series of several exporters. A target is one machine, so
// their disks and interfaces would become one another's.
//   const auto line = DescribeDeviceLine(name, labels, series);   // nullopt: no device's reading
//   if (const auto error = machines.Add(*line)) …
// Threads: one at a time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

class PageReader;
class SeriesCache;

// A series of a disk's or interface's counter.
struct DeviceLine {
  std::string counter;                                        // which one of which device
  std::string_view series;                                    // the text, as it stands on the page
  std::vector<std::pair<std::string, std::string>> machines;  // labels that name a machine
};

// Returns nullopt for a series that is read for no counter of a device. `series` is what the line
// begins with, and must outlive it.
[[nodiscard]] std::optional<DeviceLine> DescribeDeviceLine(std::string_view name,
                                                           std::string_view labels,
                                                           std::string_view series);

// Compares lines of one page, those of one instant after another.
class PageMachines {
 public:
  void BeginInstant();
  // An error: this line and one before are of two machines, or two exporters; says by what.
  [[nodiscard]] std::optional<Error> Add(const DeviceLine& line);
  // The same of a name by which a machine calls itself.
  [[nodiscard]] std::optional<Error> AddHostname(std::string_view hostname);

 private:
  std::map<std::string, std::string_view, std::less<>> counters_;  // counter → series
  std::map<std::string, std::string, std::less<>> machines_;       // label → value
};

// Returns why a page that was read is not one machine's; nullopt: it is, as far as it says.
[[nodiscard]] std::optional<Error> FindMachines(const PageReader& page, const SeriesCache& cache);

}  // namespace limpet
