// json_shape.h: whether JSON of another machine has the keys and kinds of values that are read.
//
// Threads: pure.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "diagnoser/publish/api_json.h"

namespace limpet {

enum class JsonKind : std::uint8_t {
  kText,
  kNumber,
  kBool,
  kTexts,
  kObjects,
  kTextOrNull,
  kNumberOrNull,
  kBoolOrNull,
  kTextsByName,
};
struct JsonKey {
  const char* name;
  JsonKind kind;
};

// True for an object with all of these keys.
[[nodiscard]] bool HasShape(const ApiJson& json, std::initializer_list<JsonKey> keys);

}  // namespace limpet
