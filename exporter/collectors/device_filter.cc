#include "exporter/collectors/device_filter.h"

#include <boost/regex.hpp>
#include <stdexcept>
#include <utility>

namespace limpet {
namespace {

Result<std::optional<boost::regex>> Compile(const std::string& pattern, std::string_view which) {
  if (pattern.empty()) {
    return std::optional<boost::regex>();
  }
  try {
    // Boost's, since the standard library's recurses once a character and a long name ends it.
    return std::optional<boost::regex>(boost::regex(pattern, boost::regex::perl));
  } catch (const std::runtime_error& error) {
    return Error{ErrorCode::kInvalid,
                 "expected a regular expression, got \"" + pattern + "\": " + error.what(),
                 std::string(which)};
  }
}

// A pattern that runs away on a name (Boost gives up by an exception) does not match it.
bool Matches(const boost::regex& pattern, std::string_view name) {
  try {
    return boost::regex_search(name.begin(), name.end(), pattern);
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

DeviceFilterOptions ReadDeviceFilter(yaml::MapReader& settings) {
  DeviceFilterOptions options;
  options.include = settings.Regex("device_include").value_or("");
  options.exclude = settings.Regex("device_exclude");
  return options;
}

struct DeviceFilter::Patterns {
  std::optional<boost::regex> include;
  std::optional<boost::regex> exclude;
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
  if (patterns_->include && !Matches(*patterns_->include, name)) {
    return false;
  }
  return !patterns_->exclude || !Matches(*patterns_->exclude, name);
}

}  // namespace limpet
