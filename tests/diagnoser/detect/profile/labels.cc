// Labels as ours, for comparison with another implementation (labels_test.py): a model file and a
// CSV file of samples in the order of metrics.h in; "label distance" a line out.
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "diagnoser/detect/profile/classify.h"
#include "exporter/common/text.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "profile-labels MODEL.yml SAMPLES.csv\n";
    return 2;
  }
  std::ostringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  auto model = limpet::ParseProfileModel(text.str(), argv[1]);
  if (!model) {
    std::cerr << model.error().Text() << "\n";
    return 1;
  }
  const limpet::Classifier classifier(std::move(*model));
  std::ifstream samples(argv[2]);
  for (std::string line; std::getline(samples, line);) {
    auto sample = limpet::MissingHostSample();
    std::istringstream fields(line);
    std::string field;
    for (std::size_t i = 0; i < limpet::kHostMetrics && std::getline(fields, field, ','); ++i) {
      sample[i] = limpet::ParseDouble(field).value_or(limpet::kMissing);
    }
    const auto found = classifier.Classify(sample);
    if (!found) {
      std::cout << "- -\n";
      continue;
    }
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), found->distance).ptr;
    std::cout << found->label << " " << std::string(std::begin(digits), end) << "\n";
  }
  return 0;
}
