#include "exporter/collectors/device_filter.h"

#include <utility>

#include "exporter/common/expression.h"

namespace limpet {
namespace {

Result<std::optional<Expression>> Compile(const std::string& pattern, std::string_view which) {
  if (pattern.empty()) {
    return std::optional<Expression>();
  }
  auto compiled = Expression::Compile(pattern);
  if (!compiled) {
    return Error{
        ErrorCode::kInvalid,
        "expected a regular expression, got \"" + pattern + "\": " + compiled.error().message,
        std::string(which)};
  }
  return std::optional<Expression>(*std::move(compiled));
}

}  // namespace

DeviceFilterOptions ReadDeviceFilter(yaml::MapReader& settings) {
  DeviceFilterOptions options;
  options.include = settings.Regex("device_include").value_or("");
  options.exclude = settings.Regex("device_exclude");
  return options;
}

struct DeviceFilter::Patterns {
  std::optional<Expression> include;
  std::optional<Expression> exclude;
};

DeviceFilter::DeviceFilter(std::shared_ptr<const Patterns> patterns)
    : patterns_(std::move(patterns)) {}

Result<DeviceFilter> DeviceFilter::Make(const DeviceFilterOptions& options,
                                        std::string_view default_exclude) {
  auto include = Compile(options.include, "include");
  if (!include) {
    return include.error();
  }
  // A pattern of the user's takes the place of the default one, even where it only includes.
  auto exclude = Compile(
      options.IsDefault() ? std::string(default_exclude) : options.exclude.value_or(""), "exclude");
  if (!exclude) {
    return exclude.error();
  }
  return DeviceFilter(
      std::make_shared<const Patterns>(Patterns{*std::move(include), *std::move(exclude)}));
}

bool DeviceFilter::Shows(std::string_view name) const {
  if (patterns_->include && !patterns_->include->Finds(name)) {
    return false;
  }
  return !patterns_->exclude || !patterns_->exclude->Finds(name);
}

}  // namespace limpet
