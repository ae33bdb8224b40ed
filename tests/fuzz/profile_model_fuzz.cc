// A model that is accepted classifies every sample without trouble and is printed and read as the
// same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnoser/detect/profile/classify.h"
#include "tests/fuzz/number_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using limpet::ParseProfileModel;
  const auto model = ParseProfileModel({reinterpret_cast<const char*>(data), size}, "m.yml");
  if (!model) {
    return 0;
  }
  const auto again = ParseProfileModel(limpet::PrintProfileModel(*model, {}), "m.yml");
  if (!again || !(*again == *model)) {
    std::abort();
  }
  const limpet::Classifier classifier(*model);
  for (const double value : {0.0, 1.0, 1e6, 1e290}) {
    limpet::HostSample sample{};
    sample.fill(value);
    const auto found = classifier.Classify(sample);
    if (!found || found->label < 1 || found->label > classifier.Profiles() + 1) {
      std::abort();
    }
  }
  return 0;
}
