// Prints the tables of docs/accuracy-tables.md about behaviour profiles: limpet-profile-accuracy
// [RUNS] [consecutive|weighted].
#include <cstdio>
#include <string_view>

#include "exporter/common/text.h"
#include "tests/accuracy/profiles/matrix.h"

int main(int argc, char** argv) {
  limpet::simulator::ProfileMatrixOptions options;
  if (argc > 1) {
    options.runs = limpet::ParseU64(argv[1]).value_or(0);
  }
  if (argc > 2 && std::string_view(argv[2]) == "weighted") {
    options.rule = limpet::AlarmRule::kWeighted;
  }
  if (options.runs == 0 || options.runs > 100) {
    std::fputs("limpet-profile-accuracy: expected a number of runs from 1 to 100\n", stderr);
    return 2;
  }
  const auto matrix = limpet::simulator::RunProfileMatrix(options);
  std::fputs(limpet::simulator::ProfileTables(matrix).c_str(), stdout);
  return 0;
}
