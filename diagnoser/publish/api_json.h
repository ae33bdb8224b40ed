// api_json.h: what the answers of the API have in common.
//
// Threads: pure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace limpet {

// Ordered: people read these answers too, and the keys are in the order in which they matter.
using ApiJson = nlohmann::ordered_json;

// Names come from other machines' labels: bytes that are not UTF-8 must not cost the whole answer.
[[nodiscard]] std::string PrintApiJson(const ApiJson& json);
// The same on one line, without its end.
[[nodiscard]] std::string PrintOneLine(const ApiJson& json);

template <class T>
[[nodiscard]] ApiJson OrNull(const std::optional<T>& value) {
  return value ? ApiJson(*value) : ApiJson(nullptr);
}
// null for what is not finite.
[[nodiscard]] ApiJson NumberOrNull(double value);

// Returns what a metric's value is multiplied by to be in ApiUnit, the unit that its label
// promises.
[[nodiscard]] double ApiFactor(std::string_view metric);
[[nodiscard]] std::string ApiUnit(std::string_view metric);

// The body of every error of the newer paths: {"error": code, "reason": text}.
[[nodiscard]] std::string ErrorJson(std::string_view code, std::string_view reason);

}  // namespace limpet
