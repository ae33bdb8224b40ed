#include "diagnoser/federation/json_shape.h"

#include <algorithm>

namespace limpet {
namespace {

bool Is(const ApiJson& value, JsonKind kind) {
  const auto all = [&](auto test) { return std::all_of(value.begin(), value.end(), test); };
  const auto is_text = [](const ApiJson& one) { return one.is_string(); };
  switch (kind) {
    case JsonKind::kText:
      return value.is_string();
    case JsonKind::kNumber:
      return value.is_number();
    case JsonKind::kBool:
      return value.is_boolean();
    case JsonKind::kTexts:
      return value.is_array() && all(is_text);
    case JsonKind::kObjects:
      return value.is_array() && all([](const ApiJson& one) { return one.is_object(); });
    case JsonKind::kTextOrNull:
      return value.is_string() || value.is_null();
    case JsonKind::kNumberOrNull:
      return value.is_number() || value.is_null();
    case JsonKind::kBoolOrNull:
      return value.is_boolean() || value.is_null();
    case JsonKind::kTextsByName:
      return value.is_object() && all(is_text);
  }
  return false;
}

}  // namespace

bool HasShape(const ApiJson& json, std::initializer_list<JsonKey> keys) {
  return json.is_object() && std::all_of(keys.begin(), keys.end(), [&](const JsonKey& key) {
           const auto found = json.find(key.name);
           return found != json.end() && Is(*found, key.kind);
         });
}

}  // namespace limpet
