#include "diagnoser/detect/wasserstein/quotient_median.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet::quotient_median_test {
namespace {

// Straight from the definition.
std::optional<double> Plain(const std::vector<WorkStep>& means, std::size_t place,
                            const WorkModel& model) {
  std::vector<double> others;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double expected = model.a * means[i].requests + model.b * means[i].bytes;
    if (i != place && means[i].seconds >= kMinBusy && expected > 0) {
      others.push_back(means[i].seconds / expected);
    }
  }
  return others.size() < 2 ? std::nullopt : std::optional(Median(others));
}

// Some idle, some without requests or bytes, some exactly alike.
std::vector<WorkStep> Disks(std::size_t count, std::mt19937_64& random) {
  std::lognormal_distribution<double> spread(0, 0.3);
  std::uniform_int_distribution<int> kind(0, 9);
  std::vector<WorkStep> disks;
  for (std::size_t i = 0; i < count; ++i) {
    WorkStep disk{0.3 * spread(random), 100 * spread(random), 1e6 * spread(random)};
    switch (kind(random)) {
      case 0:
        disk = {};
        break;
      case 1:
        disk.requests = 0;
        break;
      case 2:
        disk.bytes = 0;
        break;
      case 3:
        disk = disks.empty() ? disk : disks.back();
        break;
      default:
        break;
    }
    disks.push_back(disk);
  }
  return disks;
}

TEST(QuotientMedians, AreThoseOfAllOthersToTheBit) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> near(0.98, 1.02);
  std::uniform_real_distribution<double> far(-3, 3);
  for (int round = 0; round < 400; ++round) {
    const auto disks = Disks(static_cast<std::size_t>(round % 40), random);
    QuotientMedians medians;
    for (const auto& disk : disks) {
      medians.Add(disk);
    }
    for (std::size_t place = 0; place < disks.size(); ++place) {
      const bool alike = round % 3 != 0;
      WorkModel model{2e-3 * (alike ? near(random) : std::exp(far(random))),
                      1e-7 * (alike ? near(random) : std::exp(far(random)))};
      model.a = place % 7 == 3 ? 0 : model.a;
      model.b = place % 7 == 5 ? 0 : model.b;
      EXPECT_EQ(medians.OfOthers(place, model), Plain(disks, place, model))
          << "round " << round << ", place " << place;
    }
  }
}

TEST(QuotientMedians, ExtremeModelsAreNoException) {
  QuotientMedians medians;
  const std::vector<WorkStep> disks = {{0.1, 10, 1e6}, {0.2, 15, 2e6}, {0.3, 40, 3e6}, {0.4, 9, 0}};
  for (const auto& disk : disks) {
    medians.Add(disk);
  }
  for (const auto& model : {WorkModel{1e-3, 1e-8}, WorkModel{1e-300, 1e-8}, WorkModel{1e290, 1e290},
                            WorkModel{0, 0}, WorkModel{1e-3, 1e-200}}) {
    EXPECT_EQ(medians.OfOthers(1, model), Plain(disks, 1, model)) << model.a << ' ' << model.b;
  }
}

TEST(QuotientMedians, OneOtherIsNoPeer) {
  QuotientMedians medians;
  medians.Add({0.1, 10, 1e6});
  medians.Add({0.1, 10, 1e6});
  EXPECT_FALSE(medians.OfOthers(0, {1e-3, 1e-8}));
}

}  // namespace
}  // namespace limpet::quotient_median_test
