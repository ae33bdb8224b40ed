// What behaviour profiles cost a second: readings to samples, classification, histograms, distances
// of all pairs. Time of an iteration = processor time a second of a live diagnosis.
//   build/release/benchmarks/profile_bench
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <random>
#include <string>

#include "diagnoser/detect/profile/classify.h"
#include "diagnoser/detect/profile/histograms.h"
#include "diagnoser/metrics/samples.h"
#include "diagnoser/series/host_readings.h"

namespace limpet {
namespace {

constexpr std::size_t kProfiles = 6;

// Six profiles of 14 metrics with full covariances, means three sigma apart.
ProfileModel Model() {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  ProfileModel model;
  for (std::size_t i = 0; i < kHostMetrics; ++i) {
    model.metrics.push_back(static_cast<HostMetric>(i));
    model.sigma.push_back(1);
  }
  for (std::size_t k = 0; k < kProfiles; ++k) {
    Profile profile{.mean = {}, .covariance = std::vector<double>(kHostMetrics * kHostMetrics)};
    std::vector<double> factor(kHostMetrics * kHostMetrics);
    for (double& one : factor) {
      one = 0.2 * normal(random);
    }
    for (std::size_t i = 0; i < kHostMetrics; ++i) {
      profile.mean.push_back(5 + 3 * normal(random));
      for (std::size_t j = 0; j < kHostMetrics; ++j) {
        double sum = i == j ? 0.1 : 0.0;
        for (std::size_t d = 0; d < kHostMetrics; ++d) {
          sum += factor[i * kHostMetrics + d] * factor[j * kHostMetrics + d];
        }
        profile.covariance[i * kHostMetrics + j] = sum;
      }
    }
    model.profiles.push_back(std::move(profile));
  }
  model.threshold = 0.3;
  return model;
}

struct Fleet {
  std::vector<std::string> names;
  std::vector<std::vector<HostSample>> seconds;  // by second, then host
};

// Every host follows the fleet's profile of the moment two times of three, else one of its own.
Fleet MakeFleet(const ProfileModel& model, std::size_t hosts, std::size_t seconds) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::size_t> any(0, kProfiles - 1);
  Fleet fleet;
  for (std::size_t host = 0; host < hosts; ++host) {
    fleet.names.push_back("node" + std::to_string(10'000 + host));
  }
  for (std::size_t second = 0; second < seconds; ++second) {
    const auto common = (second / 20) % kProfiles;
    std::vector<HostSample> samples(hosts);
    for (auto& sample : samples) {
      const auto& mean = model.profiles[any(random) < 4 ? common : any(random)].mean;
      for (std::size_t i = 0; i < kHostMetrics; ++i) {
        sample[i] = std::exp(std::max(0.0, mean[i] + 0.1 * normal(random))) - 1;
      }
    }
    fleet.seconds.push_back(std::move(samples));
  }
  return fleet;
}

void ProfileSecond(benchmark::State& state) {
  const auto hosts = static_cast<std::size_t>(state.range(0));
  const auto model = Model();
  const auto fleet = MakeFleet(model, hosts, 120);
  const Classifier classifier(model);
  ProfileHistograms histograms(kProfiles + 1, model.threshold, AlarmRule::kConsecutive);
  std::int64_t second = 0;
  std::vector<ProfileHistograms::Input> inputs(hosts);
  const auto step = [&] {
    const auto& samples = fleet.seconds[static_cast<std::size_t>(second) % fleet.seconds.size()];
    for (std::size_t host = 0; host < hosts; ++host) {
      inputs[host] = {.host = fleet.names[host],
                      .label = classifier.Classify(samples[host])->label};
    }
    return histograms.Observe(++second, inputs);
  };
  for (int i = 0; i < 120; ++i) {  // until all are compared
    benchmark::DoNotOptimize(step());
  }
  for (auto unused : state) {
    benchmark::DoNotOptimize(step());
  }
}
BENCHMARK(ProfileSecond)->Arg(5)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

// 14 series of every host are taken and its sample is made; parsing the page is not part of it.
void HostSamples(benchmark::State& state) {
  const auto hosts = static_cast<std::uint32_t>(state.range(0));
  HostReadings readings(std::chrono::seconds(10));
  std::int64_t second = 1'700'000'000;
  const auto add = [&](EntityKind kind, std::size_t index, std::uint32_t entity, double value) {
    (void)readings.Add({kind, static_cast<std::uint8_t>(index)}, entity,
                       UnixFromMilliseconds(second * 1000 + 3), value);
  };
  const auto step = [&] {
    ++second;
    const auto counted = static_cast<double>(second - 1'700'000'000) * 100;
    for (std::uint32_t host = 0; host < hosts; ++host) {
      for (std::size_t i = 0; i < kHostCounters + kHostGauges; ++i) {
        add(EntityKind::kHost, i, host, counted);
      }
      add(EntityKind::kDisk, static_cast<std::size_t>(DiskCounter::kReadBytes), host, counted);
      add(EntityKind::kDisk, static_cast<std::size_t>(DiskCounter::kWrittenBytes), host, counted);
      add(EntityKind::kInterface, static_cast<std::size_t>(NetCounter::kRxBytes), host, counted);
      add(EntityKind::kInterface, static_cast<std::size_t>(NetCounter::kTxBytes), host, counted);
    }
    const auto t = UnixFromSeconds(second);
    double sum = readings.Settled(t, t) ? 1 : 0;
    for (std::uint32_t host = 0; host < hosts; ++host) {
      HostReadings::Entities entities;
      for (const auto kind : {EntityKind::kHost, EntityKind::kDisk, EntityKind::kInterface}) {
        entities[Index(kind)] = {host};
      }
      sum += readings.SampleAt(entities, t)[0];
    }
    readings.Prune(t);
    return sum;
  };
  for (int i = 0; i < 10; ++i) {
    benchmark::DoNotOptimize(step());
  }
  for (auto unused : state) {
    benchmark::DoNotOptimize(step());
  }
}
BENCHMARK(HostSamples)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

void ClassifyOne(benchmark::State& state) {
  const auto model = Model();
  const auto fleet = MakeFleet(model, 1, 120);
  const Classifier classifier(model);
  std::size_t second = 0;
  for (auto unused : state) {
    benchmark::DoNotOptimize(classifier.Classify(fleet.seconds[second++ % 120][0]));
  }
}
BENCHMARK(ClassifyOne);

}  // namespace
}  // namespace limpet
