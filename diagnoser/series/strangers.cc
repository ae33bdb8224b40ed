#include "diagnoser/series/strangers.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/course.h"
#include "diagnoser/series/stats.h"
#include "diagnoser/series/typical.h"

namespace limpet {
namespace {

constexpr double kSaturated = 0.85;     // of the time
constexpr double kMovedMore = 0.5;      // of a surplus, than the peers' disks
constexpr double kSlowAwait = 1.25;     // times the peers'
constexpr double kLeastAwait = 5;       // ms
constexpr double kStarvedAwait = 2;     // times the peers'
constexpr double kLikeTraffic = 1.2;    // times the peers': as much as they carry
constexpr double kCached = 0.5;         // disk bytes for a byte of the network
constexpr double kStrangers = 0.5;      // of a deficit, or of more traffic than the peers'
constexpr double kSegmentBytes = 1448;  // where no peer sends enough to tell
constexpr double kAtOneDisk = 0.5;      // of a surplus
constexpr double kAsMuch = 0.5;         // of what the disks move beyond the peers' now
// Of the disk's time that is left beside it: as much longer requests wait. A monitor's log of 5
// MB/s takes a tenth of a rotating disk.
constexpr double kTakenTime = 1.0 / 3;
constexpr double kLeastDeficit = 0.25;  // of what a median server's network carries
// Of what comes in while a disk is always busy: what is written anew before it is written to the
// disk never is. A healthy server of the lab lacked a third for three minutes; a stranger that
// takes as much of the link as the clients is half.
constexpr double kWrittenAnew = 0.4;
constexpr double kLikeNight = 0.5;     // of the peers' traffic
constexpr double kOwed = 0.25;         // of what servers carry, in an eighth of the course
constexpr double kWrittenBack = 4;     // times what is owed
constexpr double kHeldBackPart = 0.5;  // of what is written beyond what comes in

// `sign` times the balance, as it went; nullopt where that is not known.
std::optional<Course> CourseOf(const Suspect& suspect, double sign) {
  const auto& direction = *suspect.direction;
  const auto& course = suspect.Samples().course;
  if (course.empty()) {
    return std::nullopt;
  }
  Course balance{};
  for (std::size_t t = 0; t < balance.size(); ++t) {
    balance[t] =
        sign * (direction.disk * course[direction.metric][t] -
                direction.net * direction.own.own[suspect.member] * course[direction.network][t]);
  }
  return balance;
}

// Of the side that has less: what the other has beyond it is the question. What has been there for
// as long as anybody has looked may be a habit; whether it follows takes the whole course to tell.
bool FollowsOwnTraffic(const Suspect& suspect, bool surplus) {
  const auto course = CourseOf(suspect, surplus ? 1 : -1);
  if (!course) {
    return false;
  }
  const auto& samples = suspect.Samples();
  const auto& direction = *suspect.direction;
  const auto& traffic = samples.course[surplus ? direction.network : direction.metric];
  return Follows(*course, traffic) || (samples.course_begins && IsSteadyShare(*course, traffic));
}

// Whether a surplus keeps a disk busy, or makes its requests wait longer than the disk itself does;
// nullopt: nobody tells.
std::optional<bool> TakesDiskTime(const Suspect& suspect, double surplus, bool moves_more) {
  if (surplus <= 0) {
    return std::nullopt;
  }
  const auto& direction = *suspect.direction;
  const auto own = suspect.disks->Of(suspect.member);
  const auto moves = [&](std::size_t place) {
    return direction.disk * (own[place].read + own[place].written);
  };
  std::size_t first = 0;
  std::size_t end = own.size();
  double part = surplus;
  const double more = direction.disk * suspect.alone.more;
  if (more > 0 && more >= kAtOneDisk * surplus) {
    first = suspect.alone.place;
    end = first + 1;
    part = std::min(more, surplus);
  }
  double bytes = 0;
  for (auto place = first; place < end; ++place) {
    bytes += moves(place);
  }
  bool known = false;
  for (auto place = first; place < end; ++place) {
    if (const auto work = suspect.disks->FindWork(suspect.member, place)) {
      known = true;
      const double taken = bytes > 0 ? work->time * std::min(1.0, part / bytes) : 0;
      const bool is_much = moves_more && taken >= kTakenTime * (1 - work->time);
      // More load makes requests wait as well.
      const bool is_more_load = work->time - taken > kLikeTraffic * work->usual;
      if (is_much || (work->waits && !work->slower && !is_more_load)) {
        return true;
      }
    }
  }
  return known ? std::optional(false) : std::nullopt;
}

// Whether it shows at the disks, and not only as traffic that is missing.
bool ShowsAtDisks(const Suspect& suspect) {
  const auto& direction = *suspect.direction;
  const double surplus = direction.Balance(suspect.Own()) - suspect.peers.balance;
  const double more = direction.disk * suspect.Own().disks - suspect.peers.disks;
  const bool moves_more = more >= kMovedMore * surplus;
  if (const auto takes = TakesDiskTime(suspect, surplus, moves_more)) {
    return *takes;
  }
  const double await = suspect.Samples().disk_await;
  return moves_more || IsSaturated(suspect.Samples()) ||
         (await > kLeastAwait && await >= kSlowAwait * suspect.peers.await);
}

// Whether it is what had come in before and was not written then, as far as minutes tell.
bool WasHeldBack(const Suspect& suspect, double carried) {
  return suspect.peers.written > 0 && PartHeldBack(suspect.Samples().writes, suspect.peers.written,
                                                   kOwed * carried) >= kHeldBackPart;
}

// Whether what comes in and is not written is no more than it has held back before.
bool IsHeldBack(const Suspect& suspect, double carried) {
  return suspect.direction->writes && suspect.peers.written > 0 &&
         IsUsualDebt(suspect.Samples().writes, suspect.peers.written, kOwed * carried);
}

// What WasHeldBack says, by the course alone, which may begin while it is held back.
bool WritesBack(const Suspect& suspect, double carried) {
  const auto course = CourseOf(suspect, 1);
  if (!course) {
    return false;
  }
  double owed = 0;
  double written = 0;
  for (const double balance : *course) {
    if (!IsMissing(balance)) {
      owed += -balance > kOwed * carried ? -balance : 0;
      written += std::max(0.0, balance);
    }
  }
  return owed > 0 && written <= kWrittenBack * owed;
}

// Whether the network brings or takes what the disks of `one` move.
bool IsSeen(const FlowDirection& direction, const Sides& one) {
  return kMaxRatio * direction.net * one.network >= direction.disk * one.disks;
}

// Whether little traffic is the file system's: the median server's disks move what its network
// does, and this one's network half as much.
bool IsSeenAtNight(const FlowDirection& direction, const Sides& own) {
  std::vector<double> disks;
  std::vector<double> networks;
  for (const auto& sides : direction.sides) {
    if (sides) {
      disks.push_back(sides->disks);
      networks.push_back(sides->network);
    }
  }
  const Sides median{.disks = TypicalOf(std::move(disks), 0),
                     .network = TypicalOf(std::move(networks), 0)};
  return direction.seen != Seen::kNo && std::min(median.disks, median.network) > kQuiet &&
         IsSeen(direction, median) && own.network >= kLikeNight * median.network;
}

// Whether the member's own network carries a sixteenth of what it should, one way or the other.
bool IsItsNetworkSeen(const Suspect& suspect) {
  return std::ranges::any_of(suspect.all, [&](const FlowDirection& direction) {
    const auto& sides = direction.sides[suspect.member];
    return sides && IsSeen(direction, *sides) &&
           (sides->network > kMinTraffic || IsSeenAtNight(direction, *sides));
  });
}

// What a server moved in part `t` of its course, both ways together; nullopt where that is not
// known.
std::optional<Sides> MovedIn(const Suspect& suspect, std::size_t member, std::size_t t) {
  Sides moved;
  for (const auto& direction : suspect.all) {
    const auto& course = suspect.samples[member].course;
    if (course.empty() || IsMissing(course[direction.metric][t]) ||
        IsMissing(course[direction.network][t])) {
      return std::nullopt;
    }
    moved.disks += course[direction.metric][t];
    moved.network += direction.own.own[member] * course[direction.network][t];
  }
  return moved;
}

// Whether nobody has traffic any more, and what the server's busy disks move beyond the peers'
// began while the network still explained the group: where a request waits for the slowest server,
// all stop with it.
bool StallsGroup(const Suspect& suspect) {
  if (!IsGroupIdle(suspect.all) || !IsSaturated(suspect.Samples())) {
    return false;
  }
  std::optional<double> now;
  for (std::size_t t = kCourseBlocks; t-- > 0;) {
    std::vector<double> disks;
    std::vector<double> networks;
    for (std::size_t i = 0; i < suspect.samples.size(); ++i) {
      if (const auto moved = MovedIn(suspect, i, t)) {
        disks.push_back(moved->disks);
        networks.push_back(moved->network);
      }
    }
    const auto own = MovedIn(suspect, suspect.member, t);
    const double disk = TypicalOf(std::move(disks), 0);
    const double more = own ? own->disks - disk : 0;
    if (more <= 0 || more < kAsMuch * now.value_or(more)) {
      return false;
    }
    now = now.value_or(more);
    if (DoesNetworkExplain(disk, std::move(networks))) {
      return true;
    }
  }
  return false;
}

// Segments of connections for a byte that is sent, as large as the peers' are.
double SegmentsPerByte(const FlowDirection& direction, std::span<const MemberSamples> samples) {
  if (direction.writes) {
    return 0;
  }
  std::vector<double> all;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& sides = direction.sides[i];
    if (samples[i].segments && sides && IsTraffic(*sides)) {
      all.push_back(*samples[i].segments / sides->moved);
    }
  }
  return TypicalOf(std::move(all), 1 / kSegmentBytes);
}

// As much as most servers write of what they receive, and no less than somebody but one does, up to
// all: some may be holding it back.
double WrittenInTheLongRun(std::span<const MemberSamples> samples) {
  std::vector<double> shares;
  for (const auto& member : samples) {
    if (const auto share = WrittenShare(member.writes.stretches, kMinTraffic)) {
      shares.push_back(*share);
    }
  }
  if (shares.size() < kMinTypical) {
    return 0;
  }
  std::ranges::sort(shares);
  const double second = shares[shares.size() - 2];
  return std::max(std::min(1.0, second), Median(std::move(shares)));
}

bool IsShareOfTraffic(const FlowDirection& direction, std::span<const MemberSamples> samples) {
  std::size_t known = 0;
  std::size_t shares = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& course = samples[i].course;
    if (!direction.sides[i] || course.empty()) {
      continue;
    }
    auto beyond = course[direction.metric];
    for (std::size_t t = 0; t < beyond.size(); ++t) {
      beyond[t] -= direction.own.own[i] * course[direction.network][t];
    }
    ++known;
    shares += Follows(beyond, course[direction.network]) ? 1U : 0U;
  }
  return known >= kMinTypical && 2 * shares > known;
}

// Of what it sends, the share that its connections with clients and servers do not account for. 1:
// nobody counts them.
double UnaccountedShare(const Suspect& suspect) {
  const auto& segments = suspect.Samples().segments;
  const double expected = suspect.peers.segments * suspect.Own().moved;
  return segments && expected > 0 ? std::max(0.0, 1 - *segments / expected) : 1;
}

// Whether the member's interfaces carry no more than the median server's, either way.
bool CarriesNoMore(const Suspect& suspect) {
  return std::ranges::all_of(suspect.all, [&](const FlowDirection& direction) {
    const auto& own = direction.sides[suspect.member];
    std::vector<double> all;
    for (const auto& sides : direction.sides) {
      if (sides) {
        all.push_back(sides->moved);
      }
    }
    const double usual = std::max(TypicalOf(std::move(all), 0), kMinTraffic);
    return own && own->moved <= kLikeTraffic * usual;
  });
}

// Whether its network moves more than its disks by themselves do. What others' disks move beside
// the network, a log or a journal, is in the ratio, and no reason to call a server odd that has
// none.
bool IsDeficitByItself(const Suspect& suspect) {
  const auto& direction = *suspect.direction;
  const double usual = suspect.peers.network / direction.net;
  return direction.net <= 1 || suspect.peers.share ||
         suspect.Own().network - suspect.Own().disks >=
             std::max(kMinTraffic, kLeastDeficit * usual);
}

// Whether a disk that writes as much as it can explains what is not written.
bool IsBehind(const Suspect& suspect, double deficit, double network) {
  return suspect.direction->writes && IsSaturated(suspect.Samples()) &&
         deficit < kWrittenAnew * network;
}

}  // namespace

PeerBytes FindPeerBytes(const FlowDirection& direction, std::span<const MemberSamples> samples) {
  const auto typical = [&](const auto& value) {
    std::vector<double> all;
    for (const auto& sides : direction.sides) {
      if (sides) {
        all.push_back(value(*sides));
      }
    }
    return TypicalOf(std::move(all), 0);
  };
  std::vector<double> awaits;
  for (const auto& member : samples) {
    if (member.disk_await > 0) {
      awaits.push_back(member.disk_await);
    }
  }
  return {.disks = typical([&](const Sides& one) { return direction.disk * one.disks; }),
          .network = typical([&](const Sides& one) { return direction.net * one.network; }),
          .balance = typical([&](const Sides& one) { return direction.Balance(one); }),
          .await = TypicalOf(std::move(awaits), 0),
          .segments = SegmentsPerByte(direction, samples),
          .share = direction.net > 1 && IsShareOfTraffic(direction, samples),
          .written = direction.writes ? WrittenInTheLongRun(samples) : 0};
}

bool IsSaturated(const MemberSamples& member) { return member.disk_busy >= kSaturated; }

bool IsExplained(const Suspect& suspect) {
  return suspect.group_explained && (IsItsNetworkSeen(suspect) || IsSaturated(suspect.Samples()));
}

bool MayReadOrWrite(const Suspect& suspect, double carried) {
  return (IsExplained(suspect) || StallsGroup(suspect)) && ShowsAtDisks(suspect) &&
         !FollowsOwnTraffic(suspect, true) &&
         !(suspect.direction->writes &&
           (WritesBack(suspect, carried) || WasHeldBack(suspect, carried)));
}

bool IsStarved(const Suspect& suspect) {
  const double await = suspect.Samples().disk_await;
  return IsSaturated(suspect.Samples()) && await > kLeastAwait &&
         await >= kStarvedAwait * suspect.peers.await && suspect.peers.await > 0 &&
         IsItsNetworkSeen(suspect) && suspect.group_explained && CarriesNoMore(suspect);
}

bool MaySendOrReceive(const Suspect& suspect, double carried) {
  const auto& direction = *suspect.direction;
  const double network = direction.net * suspect.Own().network;
  const double more = network - suspect.peers.network;
  const double deficit = suspect.peers.balance - direction.Balance(suspect.Own());
  const double unaccounted = UnaccountedShare(suspect);
  if (more < kStrangers * deficit || unaccounted * network < kStrangers * more ||
      !IsDeficitByItself(suspect) || IsBehind(suspect, deficit, network)) {
    return false;
  }
  const bool cached = direction.ratio && *direction.ratio < kCached;
  return (!cached || unaccounted < 1) && !IsHeldBack(suspect, carried) &&
         !FollowsOwnTraffic(suspect, false);
}

}  // namespace limpet
