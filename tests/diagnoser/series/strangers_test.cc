#include "diagnoser/series/strangers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "diagnoser/series/stats.h"
#include "tests/support/property.h"
#include "tests/support/server_bytes.h"

namespace limpet::strangers_test {
namespace {

using testing::kMB;
using testing::Load;
using testing::RowNumber;
using testing::Server;

struct Answers {
  bool explained = false;
  bool surplus = false;
  bool deficit = false;
  bool starved = false;
};

// Of one server among these, what it reads and sends; or writes and receives.
Answers Ask(std::vector<MemberSamples> servers, std::size_t server, bool writes = false) {
  std::vector<FlowDirection> all;
  for (const auto* name : {"unsent", "unreceived"}) {
    all.push_back(MeasureDirection(rows::kInterfaces, RowNumber(name), servers));
  }
  const auto& direction = all[writes ? 1 : 0];
  const DisksByPlace disks(servers, writes);
  const Suspect suspect{.all = all,
                        .direction = &direction,
                        .samples = servers,
                        .peers = FindPeerBytes(direction, servers),
                        .group_explained = IsGroupExplained(all, direction),
                        .member = server,
                        .disks = &disks,
                        .alone = disks.FindAlone(server)};
  return {.explained = IsExplained(suspect),
          .surplus = MayReadOrWrite(suspect, suspect.peers.disks),
          .deficit = MaySendOrReceive(suspect, suspect.peers.disks),
          .starved = IsStarved(suspect)};
}

DiskAlone FindAlone(const std::vector<MemberSamples>& servers, std::size_t server) {
  return DisksByPlace(servers, false).FindAlone(server);
}

// Replicas that servers pass on, or what caches save: all send more than they read.
TEST(Strangers, ClientsStarveAtABusyDiskThatDoesNoMoreForThem) {
  std::vector<MemberSamples> servers(6, Server({.read = 30 * kMB, .sent = 80 * kMB}));
  for (auto& server : servers) {
    server.disk_await = 6;
    server.disk_busy = 0.3;
  }
  const auto last = [&](const Load& load, double busy, double await) {
    auto all = servers;
    all[5] = Server(load);
    all[5].disk_busy = busy;
    all[5].disk_await = await;
    return Ask(all, 5).starved;
  };
  EXPECT_TRUE(last({.read = 70 * kMB, .sent = 80 * kMB}, 0.97, 90));
  EXPECT_TRUE(last({.read = 70 * kMB, .sent = 60 * kMB}, 0.97, 90));
  EXPECT_FALSE(last({.read = 70 * kMB, .sent = 80 * kMB}, 0.7, 90)) << "it could do more";
  EXPECT_FALSE(last({.read = 70 * kMB, .sent = 80 * kMB}, 0.97, 11)) << "nobody waits";
  EXPECT_FALSE(last({.read = 70 * kMB, .sent = 110 * kMB}, 0.97, 90)) << "for more work";
  EXPECT_FALSE(last({.read = 70 * kMB, .sent = 80 * kMB, .received = 60 * kMB}, 0.97, 90));
  EXPECT_FALSE(last({.read = 70 * kMB, .sent = 0.1 * kMB}, 0.97, 90)) << "by another interface";
  for (auto& server : servers) {
    server = Server({.read = 30 * kMB, .sent = 0.1 * kMB});
    server.disk_await = 6;
  }
  EXPECT_FALSE(last({.read = 170 * kMB, .sent = 0.1 * kMB}, 0.97, 900)) << "InfiniBand";
}

// Of 24 disks even a starved one moves little of what its server does.
TEST(Strangers, OneDiskIsHeldAgainstTheOtherServersDisksInItsPlace) {
  auto server = Server({.read = 6 * kMB, .sent = 6 * kMB});
  server.disks = {{.read = 1 * kMB}, {.read = 2 * kMB}, {.read = 3 * kMB}};
  std::vector<MemberSamples> servers(4, server);
  EXPECT_EQ(FindAlone(servers, 0).more, 0);
  servers[0].disks[1].read = 9 * kMB;
  EXPECT_DOUBLE_EQ(FindAlone(servers, 0).more, 6 * kMB);
  EXPECT_DOUBLE_EQ(FindAlone(servers, 0).usual, 3 * kMB);
  EXPECT_EQ(FindAlone(servers, 1).more, 0);
  servers[0].disks = {{.read = 9 * kMB}};
  EXPECT_EQ(FindAlone(servers, 0).more, 0) << "its only disk is the server's sum";
}

// To the letter: for each place the median of the others' disks in it.
DiskAlone FindAloneByHand(const std::vector<MemberSamples>& servers, std::size_t server) {
  const auto sorted = [](const MemberSamples& member) {
    std::vector<double> rates;
    for (const auto& disk : member.disks) {
      rates.push_back(disk.read);
    }
    std::ranges::sort(rates, std::greater());
    return rates;
  };
  const auto own = sorted(servers[server]);
  DiskAlone alone;
  for (std::size_t place = 0; place < own.size(); ++place) {
    std::vector<double> like;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      if (const auto disks = sorted(servers[i]); i != server && !disks.empty()) {
        like.push_back(disks[std::min(place, disks.size() - 1)]);
      }
    }
    if (own.size() < 2 || like.size() < 2) {
      return {};
    }
    const double usual = Median(std::move(like));
    if (own[place] - usual > alone.more) {
      alone = {.more = own[place] - usual, .usual = usual};
    }
  }
  return alone;
}

RC_GTEST_PROP(Strangers, DisksSortedOnceSayTheSameAsServerByServer, ()) {
  // Few values, so that many are equal.
  const auto numbers = *rc::gen::container<std::vector<std::vector<int>>>(
      rc::gen::resize(8, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 9))));
  std::vector<MemberSamples> servers(numbers.size());
  for (std::size_t i = 0; i < servers.size(); ++i) {
    for (const auto number : numbers[i]) {
      servers[i].disks.push_back({.read = number / 7.0});
    }
  }
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const auto alone = FindAlone(servers, i);
    const auto wanted = FindAloneByHand(servers, i);
    RC_ASSERT(alone.more == wanted.more);
    RC_ASSERT(alone.usual == wanted.usual);
  }
}

// Small files: hundreds of kB/s, and still they come by the network.
TEST(Strangers, WhereLittleIsDoneBothDirectionsTogetherTell) {
  const Load quiet{
      .read = 0.02 * kMB, .sent = 0.05 * kMB, .written = 0.4 * kMB, .received = 0.1 * kMB};
  std::vector<MemberSamples> servers(5, Server(quiet));
  servers.push_back(Server({.read = 50 * kMB, .sent = 0.05 * kMB}));
  EXPECT_FALSE(Ask(servers, 5).explained) << "a busy client that nobody sees";
  servers[5].disk_busy = 1;
  EXPECT_TRUE(Ask(servers, 5).surplus);
  for (std::size_t i = 0; i < 5; ++i) {
    servers[i] = Server({.sent = 0.05 * kMB, .written = 0.05 * kMB, .received = 0.05 * kMB});
  }
  EXPECT_FALSE(Ask(servers, 5).surplus) << "nobody does anything";
}

// Under the 1 MiB/s that count as traffic.
TEST(Strangers, AtNightAServerWhoseNetworkDoesWhatThePeersDoesIsExplained) {
  const Load night{
      .read = 0.4 * kMB, .sent = 0.4 * kMB, .written = 0.3 * kMB, .received = 0.3 * kMB};
  std::vector<MemberSamples> servers(5, Server(night));
  auto hog = night;
  hog.read = 40 * kMB;
  servers.push_back(Server(hog));
  EXPECT_TRUE(Ask(servers, 5).explained);
  EXPECT_TRUE(Ask(servers, 5).surplus);
  hog.sent = hog.received = 0.06 * kMB;
  servers[5] = Server(hog);
  EXPECT_FALSE(Ask(servers, 5).explained) << "its own interface is hidden";
}

TEST(Strangers, OneServersInterfaceMayBeHidden) {
  std::vector<MemberSamples> servers(5, Server({.read = 100 * kMB, .sent = 100 * kMB}));
  servers.push_back(Server({.read = 200 * kMB, .sent = 0.1 * kMB}));
  EXPECT_FALSE(Ask(servers, 5).explained);
  EXPECT_TRUE(Ask(servers, 0).explained);
  servers[5].disk_busy = 0.9;
  EXPECT_TRUE(Ask(servers, 5).surplus) << "a stranger keeps an idle server's disk busy";
}

TEST(Strangers, LocalReadersAreNoSurplusUnlessTheDisksShowIt) {
  std::vector<MemberSamples> servers(5, Server({.read = 100 * kMB, .sent = 100 * kMB}));
  for (auto& server : servers) {
    server.disk_await = 8;
  }
  servers.push_back(Server({.read = 100 * kMB, .sent = 60 * kMB}));
  EXPECT_FALSE(Ask(servers, 5).surplus);
  servers[5].disk_await = 9;
  EXPECT_FALSE(Ask(servers, 5).surplus);
  servers[5].disk_await = 11;
  EXPECT_TRUE(Ask(servers, 5).surplus);
  servers[5] = Server({.read = 140 * kMB, .sent = 100 * kMB});
  EXPECT_TRUE(Ask(servers, 5).surplus);
}

// One disk each, that serves 20 MB/s at 10 ms a request of 256 kB.
MemberSamples Serving(double surplus, double busy = 0.4, double await = 10) {
  auto server = Server(
      {.read = 12 * kMB, .sent = 12 * kMB, .written = 8 * kMB + surplus, .received = 8 * kMB});
  const double requests = (20 * kMB + surplus) / 262144;
  server.disks = {{.read = 12 * kMB,
                   .written = 8 * kMB + surplus,
                   .requests = requests,
                   .taken = requests * await / 1000,
                   .busy = busy}};
  server.disk_busy = busy;
  server.disk_await = await;
  return server;
}

// A monitor beside the storage.
TEST(Strangers, WhatTakesLittleOfADisksTimeAndMakesNothingWaitIsHarmless) {
  const auto last = [](const MemberSamples& server, double busy = 0.4) {
    std::vector<MemberSamples> servers(5, Serving(0, busy));
    servers.push_back(server);
    return Ask(servers, 5, true).surplus;
  };
  EXPECT_FALSE(last(Serving(5 * kMB, 0.5)));
  EXPECT_TRUE(last(Serving(5 * kMB, 0.5, 13))) << "requests wait";
  EXPECT_TRUE(last(Serving(5 * kMB, 0.9), 0.75)) << "the disk can do no more";
  EXPECT_FALSE(last(Serving(5 * kMB, 0.9, 90))) << "it is slow";
  EXPECT_TRUE(last(Serving(10 * kMB, 0.6))) << "it takes half of the time that is left";
  EXPECT_TRUE(last(Serving(5 * kMB, 0, 0))) << "nobody tells how busy it is";
}

// Its peers wait for it, and its clients write anew what it has not written yet.
TEST(Strangers, WhatADiskThatIsAlwaysBusyDoesNotWriteIsNoStrangersUpToTwoFifths) {
  const auto deficit = [](double received, double busy) {
    std::vector<MemberSamples> servers(5, Server({.written = kMB, .received = kMB}));
    servers.push_back(Server({.written = 4.8 * kMB, .received = received}));
    servers[5].disk_busy = busy;
    return Ask(servers, 5, true).deficit;
  };
  EXPECT_FALSE(deficit(7 * kMB, 1));
  EXPECT_TRUE(deficit(7 * kMB, 0.5));
  EXPECT_TRUE(deficit(9.4 * kMB, 1)) << "a stranger has nearly as much of the link as the clients";
}

// Two of three write a log: what their disks move beside the network is in the ratio.
TEST(Strangers, AServerWithoutTheOthersLogHasNoDeficit) {
  std::vector<MemberSamples> servers(2, Server({.written = 12 * kMB, .received = 8 * kMB}));
  servers.push_back(Server({.written = 10 * kMB, .received = 10 * kMB}));
  EXPECT_FALSE(Ask(servers, 2, true).deficit);
  servers[2] = Server({.written = 16 * kMB, .received = 16 * kMB});
  EXPECT_FALSE(Ask(servers, 2, true).deficit);
  servers[2] = Server({.written = 12 * kMB, .received = 20 * kMB});
  EXPECT_TRUE(Ask(servers, 2, true).deficit) << "a stranger sends it";
}

// The disks of all write ten times what the network shows: a share of it, or something that knows
// nothing of it.
TEST(Strangers, WhereAShareOfTheTrafficIsSeenADeficitIsAStrangers) {
  constexpr Course kLoad = {100 * kMB, 92 * kMB, 111 * kMB, 104 * kMB,
                            88 * kMB,  97 * kMB, 115 * kMB, 93 * kMB};
  const auto deficit = [&](const std::function<double(double)>& received) {
    std::vector<MemberSamples> servers(5, Server({.written = 100 * kMB, .received = 10 * kMB}));
    servers.push_back(Server({.written = 100 * kMB, .received = 20 * kMB}));
    for (auto& server : servers) {
      server.course.resize(rows::kInterfaces.size());
      server.course[RowNumber("unreceived")] = kLoad;
      auto& net = server.course[RowNumber("rxbyt")];
      std::ranges::transform(kLoad, net.begin(), received);
    }
    for (double& net : servers[5].course[RowNumber("rxbyt")]) {
      net += 10 * kMB;
    }
    return Ask(servers, 5, true).deficit;
  };
  EXPECT_TRUE(deficit([](double load) { return load / 10; }));
  EXPECT_FALSE(deficit([](double load) { return load - 90 * kMB; })) << "they write a log";
}

// Three of four bytes come from memory: more load is as much more traffic, and nothing at the
// disks.
TEST(Strangers, WhereMostComesFromMemoryADeficitIsNobodys) {
  std::vector<MemberSamples> servers(5, Server({.read = 25 * kMB, .sent = 100 * kMB}));
  servers.push_back(Server({.read = 37 * kMB, .sent = 150 * kMB}));
  EXPECT_FALSE(Ask(servers, 5).deficit);
  servers[5] = Server({.read = 25 * kMB, .sent = 200 * kMB});
  EXPECT_FALSE(Ask(servers, 5).deficit);
  for (std::size_t i = 0; i < servers.size(); ++i) {
    servers[i].segments = 100 * kMB / 9000;
  }
  EXPECT_TRUE(Ask(servers, 5).deficit) << "the file system sent no more than elsewhere";
  servers[5].segments = 200 * kMB / 9000;
  EXPECT_FALSE(Ask(servers, 5).deficit);
}

TEST(Strangers, AHotFileIsTheFileSystemsOwn) {
  std::vector<MemberSamples> servers(5, Server({.read = 100 * kMB, .sent = 100 * kMB}));
  servers.push_back(Server({.read = 100 * kMB, .sent = 150 * kMB}));
  EXPECT_TRUE(Ask(servers, 5).deficit);
  for (auto& server : servers) {
    server.segments = Mean(server.metrics.Of(RowNumber("txbyt"))) / 1448;
  }
  EXPECT_FALSE(Ask(servers, 5).deficit);
}

TEST(Strangers, WhatCameInBeforeAndIsWrittenNowIsNoSurplus) {
  std::vector<MemberSamples> servers(5, Server({.written = 100 * kMB, .received = 100 * kMB}));
  servers.push_back(Server({.written = 180 * kMB, .received = 100 * kMB}));
  auto& last = servers[5];
  last.course.resize(rows::kInterfaces.size());
  last.course[RowNumber("rxbyt")].fill(100 * kMB);
  auto& written = last.course[RowNumber("unreceived")];
  const auto surplus = [&] { return Ask(servers, 5, true).surplus; };
  written = {100 * kMB, 100 * kMB, 100 * kMB, 100 * kMB,
             180 * kMB, 180 * kMB, 180 * kMB, 180 * kMB};
  EXPECT_TRUE(surplus());
  written = {0, 0, 0, 100 * kMB, 180 * kMB, 180 * kMB, 180 * kMB, 180 * kMB};
  EXPECT_FALSE(surplus());
}

// For longer than the course; the peers tell that it is not what servers write always.
TEST(Strangers, WhatCameInMinutesAgoAndIsWrittenNowIsNoSurplus) {
  std::vector<MemberSamples> servers(5, Server({.written = 100 * kMB, .received = 100 * kMB}));
  servers.push_back(Server({.written = 180 * kMB, .received = 100 * kMB}));
  const auto write = [&](std::size_t server, double before, double now) {
    auto& history = servers[server].writes;
    history.stretches.clear();
    for (int part = 0; part < 40; ++part) {
      history.stretches.push_back({.end = UnixFromSeconds(4 * part),
                                   .seconds = 4,
                                   .written = part < 20 ? before : now,
                                   .received = 100 * kMB});
    }
    history.window_begin = UnixFromSeconds(4 * 35);
  };
  for (std::size_t i = 0; i < 5; ++i) {
    write(i, 100 * kMB, 100 * kMB);
  }
  write(5, 100 * kMB, 180 * kMB);
  EXPECT_TRUE(Ask(servers, 5, true).surplus);
  write(5, 20 * kMB, 180 * kMB);
  EXPECT_FALSE(Ask(servers, 5, true).surplus);
  for (std::size_t i = 0; i < 5; ++i) {
    write(i, 20 * kMB, 20 * kMB);
  }
  EXPECT_TRUE(Ask(servers, 5, true).surplus) << "nobody writes more of it";
}

TEST(Strangers, WhereNobodyDoesAnythingASurplusIsUnexplained) {
  std::vector<MemberSamples> servers(5, Server({}));
  servers.push_back(Server({.read = 50 * kMB}));
  EXPECT_FALSE(Ask(servers, 5).explained);
  EXPECT_FALSE(Ask(servers, 5).surplus);
  for (auto& server : servers) {
    server = Server({.read = server.metrics.Of(RowNumber("unsent")).front(),
                     .written = 20 * kMB,
                     .received = 20 * kMB});
  }
  EXPECT_TRUE(Ask(servers, 5).surplus) << "that the network brings writes is known";
}

// A write waits for the slowest server: the hog that stalls one stalls all.
TEST(Strangers, WhereClientsStopWithTheServerItsSurplusCounts) {
  std::vector<MemberSamples> servers(5, Server({}));
  servers.push_back(Server({.read = 50 * kMB}));
  for (auto& server : servers) {
    server.course.resize(rows::kInterfaces.size());
    for (std::size_t t = 0; t < 3; ++t) {
      server.course[RowNumber("unreceived")][t] = server.course[RowNumber("rxbyt")][t] = 20 * kMB;
    }
  }
  auto& hog = servers[5];
  auto& read = hog.course[RowNumber("unsent")];
  std::fill(read.begin() + 3, read.end(), 50 * kMB);
  hog.disk_busy = 1;
  EXPECT_FALSE(Ask(servers, 5).surplus) << "it began when all was done";
  read[2] = 30 * kMB;
  EXPECT_TRUE(Ask(servers, 5).surplus);
  EXPECT_FALSE(Ask(servers, 0).surplus);
  read[4] = 0;
  EXPECT_FALSE(Ask(servers, 5).surplus) << "another one";
  read[4] = 50 * kMB;
  hog.disk_busy = 0.5;
  EXPECT_FALSE(Ask(servers, 5).surplus) << "nobody waits for this disk";
}

TEST(Strangers, WhatIsAShareOfTheOwnLoadIsItsOwn) {
  std::vector<MemberSamples> servers(5, Server({.read = 100 * kMB, .sent = 100 * kMB}));
  servers.push_back(Server({.read = 150 * kMB, .sent = 100 * kMB}));
  auto& last = servers[5];
  last.course.resize(rows::kInterfaces.size());
  auto& sent = last.course[RowNumber("txbyt")];
  auto& read = last.course[RowNumber("unsent")];
  sent = {100 * kMB, 92 * kMB, 111 * kMB, 104 * kMB, 88 * kMB, 97 * kMB, 115 * kMB, 93 * kMB};
  for (std::size_t i = 0; i < sent.size(); ++i) {
    read[i] = sent[i] + 50 * kMB;
  }
  EXPECT_TRUE(Ask(servers, 5).surplus) << "a stranger's";
  last.course_begins = true;
  EXPECT_FALSE(Ask(servers, 5).surplus) << "it may always have read as much";
  read[0] = sent[0];
  read[1] = sent[1];
  EXPECT_TRUE(Ask(servers, 5).surplus) << "it began";
  for (std::size_t i = 0; i < sent.size(); ++i) {
    read[i] = 1.5 * sent[i];
  }
  EXPECT_FALSE(Ask(servers, 5).surplus) << "it reads ahead";
}

// Whatever the loads, and whatever share of them is seen, journals write and caches serve at all
// servers: as long as they are alike, only what the network explains may be anybody's.
RC_GTEST_PROP(Strangers, AreNotWhereAllServersAreAlike, ()) {
  const double seen = *rc::gen::inRange(0, 101) / 100.0;
  const double disk = *rc::gen::inRange(1, 40) / 10.0 + 0.013;  // never 16 times what is seen
  const auto loads = *rc::gen::container<std::vector<int>>(6, rc::gen::inRange(120, 400));
  std::vector<MemberSamples> servers;
  for (const int load : loads) {
    servers.push_back(Server({.read = disk * load * kMB, .sent = seen * load * kMB}));
    servers.back().disk_await = 1 + load / 10.0;
  }
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const auto answers = Ask(servers, i);
    RC_ASSERT(answers.explained == (seen > 0 && disk <= kMaxRatio * seen));
    RC_ASSERT(answers.explained || !answers.surplus);
  }
}

}  // namespace
}  // namespace limpet::strangers_test
