// device_filter.h: which devices or interfaces a collector shows, by patterns over their names.
//
// Patterns are Perl regular expressions, not anchored, as node_exporter's; the whole name is
// matched by "^…$". With `include` only names that match it are shown; a name that matches
// `exclude` never is. When neither is given, the collector's default exclude holds.
// Threads: Shows may be called from any thread. It takes about a microsecond: ask once per device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/collectors/collector.h"
#include "exporter/common/result.h"
#include "exporter/common/yaml.h"

namespace limpet {

struct DeviceFilterOptions {
  std::string include;
  std::optional<std::string> exclude;

  [[nodiscard]] bool IsDefault() const { return include.empty() && !exclude; }
  friend bool operator==(const DeviceFilterOptions&, const DeviceFilterOptions&) = default;
};

// The keys device_include and device_exclude.
[[nodiscard]] DeviceFilterOptions ReadDeviceFilter(yaml::MapReader& settings);

// node_exporter's: disks without RAM disks, loop devices, floppies and the usual partitions.
inline constexpr std::string_view kDefaultDiskExclude =
    R"(^(ram|loop|fd|(h|s|v|xv)d[a-z]|nvme\d+n\d+p)\d+$)";
inline constexpr std::string_view kDefaultNetExclude = "^lo$";

class DeviceFilter {
 public:
  // kInvalid when a pattern is none; `where` is "include" or "exclude".
  [[nodiscard]] static Result<DeviceFilter> Make(const DeviceFilterOptions& options,
                                                 std::string_view default_exclude);

  [[nodiscard]] bool Shows(std::string_view name) const;

 private:
  struct Patterns;
  explicit DeviceFilter(std::shared_ptr<const Patterns> patterns);

  std::shared_ptr<const Patterns> patterns_;
};

// A collector of devices, Kind(options, filter, rest…). kInvalid when a pattern of its
// `options.devices` is none.
template <class Kind, class Options, class... Rest>
[[nodiscard]] Result<std::unique_ptr<Collector>> MakeWithFilter(const Options& options,
                                                                std::string_view default_exclude,
                                                                Rest... rest) {
  auto filter = DeviceFilter::Make(options.devices, default_exclude);
  if (!filter) {
    return filter.error();
  }
  return std::unique_ptr<Collector>(
      std::make_unique<Kind>(options, *std::move(filter), std::move(rest)...));
}

}  // namespace limpet
