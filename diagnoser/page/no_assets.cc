#include "diagnoser/page/assets.h"

namespace limpet {

// A build without Node.js: "/" is the landing page.
std::span<const Asset> PageAssets() { return {}; }

}  // namespace limpet
