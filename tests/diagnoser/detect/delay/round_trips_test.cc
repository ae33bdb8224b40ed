#include "diagnoser/detect/delay/round_trips.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace limpet::round_trips_test {
namespace {

constexpr double kMs = 0.001;

TEST(SplitTrips, AFarEndIsNoServersPart) {
  const auto split = SplitTrips({{0, 0, 0.1 * kMs},
                                 {0, 1, 0.1 * kMs},
                                 {0, 2, 0.1 * kMs},
                                 {1, 0, 20 * kMs},
                                 {1, 1, 20 * kMs},
                                 {1, 2, 20 * kMs}},
                                3);
  for (const auto& server : split) {
    ASSERT_TRUE(server);
    EXPECT_DOUBLE_EQ(server->part, 0);
    EXPECT_DOUBLE_EQ(server->level, 0.1 * kMs) << "of two the lower";
  }
}

TEST(SplitTrips, AnEndThatKnowsTwoServersHasNoVoice) {
  const auto split = SplitTrips({{0, 0, 1 * kMs}, {0, 1, 2 * kMs}}, 2);
  EXPECT_FALSE(split[0]);
  EXPECT_FALSE(split[1]);
}

TEST(SplitTrips, ConnectionsOfOneEndHaveOneVoice) {
  std::vector<MeasuredTrip> trips = {{0, 0, 1 * kMs}, {0, 1, 1 * kMs}, {0, 2, 1 * kMs}};
  for (int i = 0; i < 1000; ++i) {  // to one server, all slow
    trips.push_back({0, 2, 9 * kMs});
  }
  for (std::size_t end = 1; end < 3; ++end) {
    for (std::size_t server = 0; server < 3; ++server) {
      trips.push_back({end, server, 1 * kMs});
    }
  }
  EXPECT_DOUBLE_EQ(SplitTrips(trips, 3)[2]->part, 0) << "two others say that it is like its peers";
}

TEST(SumUpTrips, AreLowerQuartilesOfHalfTheSecondsAtLeast) {
  const ServerTrip trips[] = {{4, 40}, {1, 10}, {2, 20}, {3, 30}, {5, 50}};
  EXPECT_EQ(SumUpTrips(trips, 10)->part, 2);
  EXPECT_EQ(SumUpTrips(trips, 10)->level, 20);
  EXPECT_FALSE(SumUpTrips(trips, 11));
  EXPECT_FALSE(SumUpTrips({}, 0));
}

std::vector<ServerDelay> Quiet(std::size_t servers) {
  std::vector<ServerDelay> delays;
  for (std::size_t i = 0; i < servers; ++i) {
    delays.push_back({.trip = {.part = 0, .level = 0.2 * kMs}, .load = 1000});
  }
  return delays;
}

TEST(CompareDelays, ByHand) {
  auto servers = Quiet(5);
  servers[3].trip = {.part = 1.2 * kMs, .level = 1.4 * kMs};
  const auto found = CompareDelays(servers);
  EXPECT_NEAR(found.degree[3], 4, 1e-9) << "1.2 ms over the floor of 0.3";
  EXPECT_EQ(found.degree[0], 0);
  EXPECT_DOUBLE_EQ(found.s[3], 1.2 * kMs);
  EXPECT_DOUBLE_EQ(found.median_mean, 0.2 * kMs);
  EXPECT_EQ(found.direction[3], Direction::kHigh);
}

TEST(CompareDelays, HalfOfALongRoundTripIsLittle) {
  auto servers = Quiet(5);
  for (auto& server : servers) {
    server.trip.level = 8 * kMs;
  }
  servers[3].trip.part = 2 * kMs;
  EXPECT_NEAR(CompareDelays(servers).degree[3], 0.5, 1e-9);
}

TEST(CompareDelays, PeersThatScatterAskForMore) {
  auto servers = Quiet(5);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    servers[i].trip.part = static_cast<double>(i) * 0.2 * kMs;
  }
  EXPECT_LT(CompareDelays(servers).degree[4], 1);
}

TEST(CompareDelays, WhoWaitsBehindItsOwnTrafficHasNoDegree) {
  auto servers = Quiet(4);
  servers[1].trip.part = 5 * kMs;
  servers[1].load = 1500;
  const auto found = CompareDelays(servers);
  EXPECT_EQ(found.degree[1], 0);
  EXPECT_EQ(found.degree[0], 0);
}

TEST(CompareDelays, OfTwoNobodyCanBeTold) {
  const auto found = CompareDelays(Quiet(2));
  EXPECT_TRUE(found.undetermined);
  EXPECT_TRUE(found.degree.empty());
}

// A file system of six servers and some clients, seconds of healthy noise and what a test adds.
class Cluster {
 public:
  static constexpr std::size_t kServers = 6;
  static constexpr std::size_t kSeconds = 16;

  explicit Cluster(std::uint64_t seed) : random_(seed) {}

  // Adds to the trips of a client and server in one second, s.
  std::function<double(std::size_t client, std::size_t server)> extra = [](auto, auto) {
    return 0.0;
  };
  std::size_t clients = 4;
  std::size_t connections = 2;
  double base = 0.1 * kMs;
  std::array<double, kServers> load = {1000, 1050, 980, 1010, 990, 1020};

  std::vector<double> Degrees() {
    std::array<std::vector<ServerTrip>, kServers> seconds;
    for (std::size_t second = 0; second < kSeconds; ++second) {
      std::vector<MeasuredTrip> trips;
      for (std::size_t client = 0; client < clients; ++client) {
        for (std::size_t server = 0; server < kServers; ++server) {
          for (std::size_t i = 0; i < connections; ++i) {
            // As measured under load: mostly short, now and then a queue of some milliseconds.
            const double queue = noise_(random_) < 0.1 ? 3 * kMs * noise_(random_) : 0;
            trips.push_back(
                {client, server, base * (1 + noise_(random_)) + queue + extra(client, server)});
          }
        }
      }
      const auto split = SplitTrips(std::move(trips), kServers);
      for (std::size_t server = 0; server < kServers; ++server) {
        seconds[server].push_back(*split[server]);
      }
    }
    std::vector<ServerDelay> delays;
    for (std::size_t server = 0; server < kServers; ++server) {
      delays.push_back({.trip = *SumUpTrips(seconds[server], kSeconds), .load = load[server]});
    }
    return CompareDelays(delays).degree;
  }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> noise_{0, 1};
};

void ExpectNobody(const std::function<void(Cluster&)>& change, const char* what) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Cluster cluster(seed);
    change(cluster);
    for (const double degree : cluster.Degrees()) {
      EXPECT_LE(degree, 1) << what << ", seed " << seed;
    }
  }
}

TEST(Delays, HealthyServersAreNotNamed) {
  ExpectNobody([](Cluster&) {}, "healthy");
  ExpectNobody([](Cluster& c) { c.clients = 1; }, "one client");
  ExpectNobody([](Cluster& c) { c.base = 5 * kMs; }, "a slow network for all");
}

TEST(Delays, AFarClientNamesNobody) {
  const auto far = [](Cluster& c) {
    c.extra = [](std::size_t client, auto) { return client == 0 ? 20 * kMs : 0.0; };
  };
  ExpectNobody(far, "a client 20 ms away");
  ExpectNobody(
      [&](Cluster& c) {
        far(c);
        c.clients = 2;
      },
      "one of two clients 20 ms away");
}

TEST(Delays, ASaturatedClientNamesNobody) {
  for (const std::size_t clients : {2U, 5U}) {
    std::mt19937_64 random(clients);
    std::exponential_distribution<double> queue(1 / (8 * kMs));
    ExpectNobody(
        [&](Cluster& c) {
          c.clients = clients;
          c.extra = [&](std::size_t client, auto) { return client == 0 ? queue(random) : 0.0; };
        },
        "a client whose link is full");
  }
}

TEST(Delays, AClientOfAThousandConnectionsAndAProxyNameNobody) {
  ExpectNobody(
      [](Cluster& c) {
        c.connections = 100;  // of a proxy: all clients in one end
        c.clients = 1;
      },
      "a proxy");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::vector<MeasuredTrip> trips;
    for (std::size_t server = 0; server < 6; ++server) {
      for (std::size_t client = 1; client < 4; ++client) {
        trips.push_back({client, server, 0.1 * kMs});
      }
      trips.push_back({0, server, 0.1 * kMs});
    }
    trips.insert(trips.end(), 1000, MeasuredTrip{0, seed, 30 * kMs});
    EXPECT_DOUBLE_EQ(SplitTrips(trips, 6)[seed]->part, 0);
  }
}

TEST(Delays, OneTwoAndTenMillisecondsAtOneServerAreNamed) {
  for (const double delay : {1 * kMs, 2 * kMs, 10 * kMs}) {
    for (const std::size_t clients : {1U, 2U, 6U}) {
      for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Cluster cluster(seed);
        cluster.clients = clients;
        cluster.extra = [&](auto, std::size_t server) { return server == 2 ? delay : 0.0; };
        const auto degrees = cluster.Degrees();
        for (std::size_t server = 0; server < degrees.size(); ++server) {
          EXPECT_EQ(degrees[server] > 1, server == 2)
              << delay << " s, " << clients << " clients, seed " << seed << ", server " << server;
        }
      }
    }
  }
}

TEST(Delays, BesideAFarAndABusyClientTheServerIsNamedStill) {
  Cluster cluster(7);
  cluster.extra = [](std::size_t client, std::size_t server) {
    return (client == 0 ? 20 * kMs : 0.0) + (server == 4 ? 2 * kMs : 0.0);
  };
  const auto degrees = cluster.Degrees();
  EXPECT_GT(degrees[4], 1);
  EXPECT_LE(degrees[0], 1);
}

TEST(Delays, TheOrderOfServersDoesNotMatter) {
  std::vector<MeasuredTrip> trips;
  std::vector<MeasuredTrip> turned;
  std::mt19937_64 random(3);
  for (std::size_t end = 0; end < 5; ++end) {
    for (std::size_t server = 0; server < 5; ++server) {
      const auto value = static_cast<double>(random() % 1000) * 1e-6;
      trips.push_back({end, server, value});
      turned.push_back({4 - end, 4 - server, value});
    }
  }
  const auto split = SplitTrips(trips, 5);
  const auto other = SplitTrips(turned, 5);
  for (std::size_t server = 0; server < 5; ++server) {
    EXPECT_DOUBLE_EQ(split[server]->part, other[4 - server]->part);
  }
}

}  // namespace
}  // namespace limpet::round_trips_test
