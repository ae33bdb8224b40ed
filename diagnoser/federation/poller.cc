#include "diagnoser/federation/poller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kRound = 1s;
constexpr Duration kMerge = 500ms;
constexpr Duration kPollPatience = 3s;
constexpr Duration kHistory = 6h;      // of verdicts: what the page's timeline shows
constexpr std::uint64_t kRarely = 30;  // rounds: whether an old one has been upgraded
constexpr std::uint64_t kRounds = 2;   // between two requests for verdicts

}  // namespace

Poller::Poller(Fetcher& fetcher, const Clock& clock, const std::vector<FederationMember>& members,
               std::string program, Sink sink, LogSink log)
    : fetcher_(fetcher),
      clock_(clock),
      merger_(std::move(program)),
      sink_(std::move(sink)),
      watch_(std::move(log), clock.Now()) {
  Replace(members);
  sink_(merger_.Merge(states_, clock_.Now()));
}

void Poller::Start() {
  fetcher_.Post([this] {
    StartRounds();
    MergeOften();
  });
}

// Connections that are dropped call nobody any more; tasks that wait see the generation.
void Poller::SetMembers(std::vector<FederationMember> members) {
  fetcher_.Post([this, members = std::move(members)] {
    Replace(members);
    StartRounds();
  });
}

void Poller::Replace(const std::vector<FederationMember>& members) {
  ++generation_;
  loops_.clear();
  auto before = std::exchange(states_, {});
  for (const auto& member : members) {
    loops_.push_back({.endpoint = member.endpoint, .connection = nullptr, .steps = {}, .next = {}});
    MemberState state;
    state.name = member.name;
    state.url = FormatUrl(member.endpoint);
    state.problem = "it has not been asked yet";
    const auto known = std::ranges::find_if(before, [&](const MemberState& one) {
      return one.name == state.name && one.url == state.url;
    });
    states_.push_back(known == before.end() ? std::move(state) : std::move(*known));
  }
  merger_.Forget();
}

void Poller::StartRounds() {
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    loops_[i].connection = fetcher_.Open(loops_[i].endpoint);
    Round(i);
  }
}

std::function<void()> Poller::WhileSame(std::function<void()> task) const {
  return [this, task = std::move(task), generation = generation_] {
    if (generation == generation_) {
      task();
    }
  };
}

void Poller::MergeOften() {
  watch_.See(states_, clock_.Now());
  sink_(merger_.Merge(states_, clock_.Now()));
  fetcher_.RunAt(clock_.Steady() + kMerge, [this] { MergeOften(); });
}

void Poller::Round(std::size_t member) {
  auto& loop = loops_[member];
  const auto& state = states_[member];
  loop.next = clock_.Steady() + kRound;
  const bool rarely = loop.round % kRarely == 0;
  loop.steps.clear();
  if (loop.round % kRounds == 0) {
    loop.steps.push_back(Step::kVerdicts);
  }
  if (state.has_frames || rarely) {
    loop.steps.push_back(Step::kFrame);
  }
  // Without frames nothing says when its nodes change.
  if (loop.wants_cluster || (!state.has_frames && rarely)) {
    loop.steps.push_back(Step::kCluster);
  }
  ++loop.round;
  Next(member);
}

void Poller::Next(std::size_t member) {
  auto& loop = loops_[member];
  if (loop.steps.empty()) {
    fetcher_.RunAt(std::max(loop.next, clock_.Steady()),
                   WhileSame([this, member] { Round(member); }));
    return;
  }
  const auto step = loop.steps.back();
  loop.steps.pop_back();
  auto path = loop.endpoint.path;
  switch (step) {
    case Step::kCluster:
      path += "/api/v1/cluster";
      break;
    case Step::kFrame:
      path += "/api/v1/frame";
      break;
    case Step::kVerdicts:
      path += fmt::format("/api/v1/verdicts?from={}", WholeSeconds(clock_.Now() - kHistory));
      break;
  }
  loop.connection->SetPath(std::move(path));
  loop.connection->Get(kPollPatience, [this, member, step](const FetchResult& result) {
    Take(member, step, result);
    // Not from within the connection's own callback.
    fetcher_.Post(WhileSame([this, member] { Next(member); }));
  });
}

void Poller::Take(std::size_t member, Step step, const FetchResult& result) {
  auto& loop = loops_[member];
  auto& state = states_[member];
  const bool old = step == Step::kFrame && result.IsNotFound();
  if (result.failure && !old) {
    state.problem = result.error;
    loop.steps.clear();  // the rest of the round would fail alike
    return;
  }
  state.has_frames = step == Step::kFrame ? !old : state.has_frames;
  if (old) {
    state.values.clear();
    state.clock_ahead.reset();
    state.answered = clock_.Now();
    return;
  }
  Result<void> taken;
  if (step == Step::kFrame) {
    const auto fits = TakeFrame(result.body, result.asked_at + result.took / 2, state);
    taken = fits ? Result<void>() : Result<void>(fits.error());
    if (fits && !*fits) {
      loop.wants_cluster = true;
    }
  } else if (step == Step::kCluster) {
    taken = TakeCluster(result.body, state);
    loop.wants_cluster = !taken;
  } else {
    taken = TakeVerdicts(result.body, state);
  }
  if (taken) {
    state.answered = clock_.Now();
    state.problem.clear();
  } else {
    state.problem = taken.error().Text();
    loop.steps.clear();
  }
}

}  // namespace limpet
