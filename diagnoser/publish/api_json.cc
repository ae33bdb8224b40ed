#include "diagnoser/publish/api_json.h"

#include <cmath>

#include "diagnoser/metrics/catalog.h"

namespace limpet {

std::string PrintApiJson(const ApiJson& json) {
  return json.dump(1, ' ', false, ApiJson::error_handler_t::replace) + "\n";
}

std::string PrintOneLine(const ApiJson& json) {
  return json.dump(-1, ' ', false, ApiJson::error_handler_t::replace);
}

ApiJson NumberOrNull(double value) {
  return std::isfinite(value) ? ApiJson(value) : ApiJson(nullptr);
}

double ApiFactor(std::string_view metric) {
  const auto* row = FindMetric(metric);
  return row == nullptr ? 1.0 : row->api.factor;
}

std::string ApiUnit(std::string_view metric) {
  const auto* row = FindMetric(metric);
  return row == nullptr          ? std::string()
         : row->api.unit.empty() ? std::string(row->unit)
                                 : std::string(row->api.unit);
}

std::string ErrorJson(std::string_view code, std::string_view reason) {
  return PrintApiJson({{"error", code}, {"reason", reason}});
}

}  // namespace limpet
