// A recorded file of any bytes: it ends, and every piece is of whole lines.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "diagnoser/sources/recording.h"
#include "tests/fuzz/number_mutator.h"

namespace {

class OneText final : public limpet::ByteSource {
 public:
  explicit OneText(std::string text) : text_(std::move(text)) {}
  limpet::Result<std::string> Read() override { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  limpet::Recording recording("x", std::make_unique<OneText>(std::move(text)));
  while (true) {
    const auto first = recording.Peek();
    if (!first || !*first) {
      return 0;
    }
    // Up to a second at a time.
    const auto piece = recording.Next(**first + std::chrono::seconds(1));
    if (!piece || !*piece) {
      std::abort();
    }
    if ((*piece)->text.empty() || (*piece)->text.back() != '\n') {
      std::abort();
    }
  }
}
