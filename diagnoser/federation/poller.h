// poller.h: asks the diagnosers of a federation, each in its own rhythm, and merges what they say.
//
// Once a second each is asked for its readings, every other second for its verdicts, and for its
// nodes whenever they have changed. One that hangs or fails holds up no other. What comes is
// bounded (Endpoint::max_body, member_state.h).
// Threads: everything on the fetcher's thread, the sink too. The fetcher must outlive the poller
// and be stopped before it is destroyed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "diagnoser/federation/federation_config.h"
#include "diagnoser/federation/merged_view.h"
#include "diagnoser/sources/fetcher.h"

namespace limpet {

class Poller {
 public:
  using Sink = std::function<void(std::shared_ptr<const MergedView>)>;

  // `program`: our version. The sink gets a view at once, of nothing yet. `log` is told who goes
  // down or comes back.
  Poller(Fetcher& fetcher, const Clock& clock, const std::vector<FederationMember>& members,
         std::string program, Sink sink, LogSink log);

  void Start();  // from any thread, once
  // Asks these instead, from any thread after Start. What one of the same name and address has said
  // stays.
  void SetMembers(std::vector<FederationMember> members);

 private:
  enum class Step { kCluster, kFrame, kVerdicts };
  struct Loop {
    Endpoint endpoint;
    std::unique_ptr<Connection> connection;
    std::vector<Step> steps;  // of this round, the next one last
    bool wants_cluster = true;
    std::uint64_t round = 0;
    SteadyTime next;
  };

  void Replace(const std::vector<FederationMember>& members);
  void StartRounds();
  void Round(std::size_t member);
  void Next(std::size_t member);
  void Take(std::size_t member, Step step, const FetchResult& result);
  // The task, unless the members are other ones by then.
  [[nodiscard]] std::function<void()> WhileSame(std::function<void()> task) const;
  void MergeOften();

  Fetcher& fetcher_;
  const Clock& clock_;
  std::vector<Loop> loops_;
  std::vector<MemberState> states_;  // of the same places
  std::uint64_t generation_ = 0;     // of the members
  Merger merger_;
  Sink sink_;
  MemberWatch watch_;
};

}  // namespace limpet
