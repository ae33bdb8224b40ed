#include "diagnoser/page/assets.h"

namespace limpet {

// A build without Node.js: "/" is the landing page.
std::span<const Asset> PageAssets() { return {}; }
// And /playbooks is the text of docs/playbooks.md.
std::span<const Asset> DocumentAssets() { return {}; }

}  // namespace limpet
