#include "diagnoser/detect/preset_fields.h"

#include <gmock/gmock.h>

#include <set>

namespace limpet::preset_fields_test {
namespace {

// Converts to the type of any member, so that the compiler tells how many members there are.
struct Anything {
  template <class T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return T{};
  }
};
template <class T, class... Members>
constexpr std::size_t CountMembers() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return CountMembers<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

TEST(PresetFields, EveryMemberHasARow) {
  // But scale_of, which follows from where a time scale stands in the configuration.
  EXPECT_EQ(PresetFields().size() + 1, CountMembers<PresetSettings>());
}

TEST(PresetFields, KeysAreUnique) {
  std::set<std::string_view> keys;
  for (const auto& field : PresetFields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
  }
}

TEST(PresetFields, BuiltInPresetsAreWithinTheBounds) {
  for (const auto& preset : BuiltInPresets()) {
    for (const auto& field : PresetFields()) {
      EXPECT_EQ(FindRangeProblem(field, preset.settings), std::nullopt) << field.key;
    }
  }
}

}  // namespace
}  // namespace limpet::preset_fields_test
