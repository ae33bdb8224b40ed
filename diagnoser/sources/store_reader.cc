#include "diagnoser/sources/store_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "diagnoser/sources/range_answer.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstPause = 1s;
constexpr Duration kLongestPause = 60s;
// Steps before the batch that are asked for again: what came late to the store is new then.
constexpr int kOverlap = 2;

// All steps lie on one grid, so that a restart asks for the same ones.
UnixTime Floor(UnixTime at, Duration step) {
  return UnixTime(step * (at.time_since_epoch() / step));
}

Duration Pause(int tries) {
  const auto doubled = kFirstPause * (1 << std::min(tries, 6));
  return std::min<Duration>(doubled, kLongestPause);
}

std::string UnixSeconds(UnixTime at) { return std::to_string(WholeSeconds(at)); }

}  // namespace

void StoreReader::Start(StoreSettings settings, StoreWants wants, std::optional<UnixTime> resume) {
  fetcher_.Post([this, settings = std::move(settings), wants = std::move(wants), resume] {
    Begin(settings, wants, resume);
  });
}

void StoreReader::Begin(StoreSettings settings, const StoreWants& wants,
                        std::optional<UnixTime> resume) {
  ++turn_;
  connection_.reset();
  // Only unchanged settings keep what went out before: another label names other nodes.
  const bool same_nodes = pages_ && settings == settings_ && pages_->Whole() == wants.series;
  settings_ = std::move(settings);
  queries_ = StoreQueries(settings_, wants);
  settings_.endpoint.accept = "application/json";
  connection_ = fetcher_.Open(settings_.endpoint);
  if (!same_nodes) {
    pages_.emplace(settings_, wants.series);
  }
  if (!done_ && resume) {
    done_ = Floor(*resume, settings_.step) - settings_.step;  // the last step may be there in part
    begun_ = true;
  }
  done_ = done_ ? std::optional(Floor(*done_, settings_.step)) : std::nullopt;
  steps_ = kMaxSteps;
  tries_ = 0;
  partial_tries_ = 0;
  if (!handed_out_) {
    Next();
  }
}

void StoreReader::Stop() {
  fetcher_.Post([this] {
    ++turn_;
    connection_.reset();
  });
}

void StoreReader::ReadNext() {
  fetcher_.Post([this] {
    if (std::exchange(handed_out_, false) && connection_) {
      Next();
    }
  });
}

void StoreReader::After(Duration wait, void (StoreReader::*step)()) {
  fetcher_.RunAt(clock_.Steady() + std::max(wait, Duration::zero()), [this, step, turn = turn_] {
    if (turn == turn_) {
      (this->*step)();
    }
  });
}

// What is there to read now, or when there will be.
void StoreReader::Next() {
  const auto newest = Floor(clock_.Now() - settings_.lag, settings_.step);
  const auto oldest = Floor(newest - settings_.catch_up, settings_.step);
  const bool set_back = done_ && *done_ > newest + settings_.catch_up;  // somebody set the clock
  if (!begun_ || !done_ || set_back) {
    done_ = std::max(done_ && !set_back ? *done_ : oldest, oldest);
  }
  if (*done_ < oldest) {
    status_.skipped += oldest - *done_;
    passed_over_ += oldest - *done_;
    done_ = oldest;
  }
  if (*done_ >= newest) {
    After(*done_ + settings_.step + settings_.lag - clock_.Now(), &StoreReader::Next);
    return;
  }
  first_ = *done_ - (kOverlap - 1) * settings_.step;
  last_ = std::min(newest, *done_ + steps_ * settings_.step);
  answers_.clear();
  took_ = {};
  Ask();
}

void StoreReader::Ask() {
  ++status_.queries;
  connection_->SetPath(RangePath(settings_, queries_[answers_.size()], first_, last_));
  connection_->Get(settings_.timeout + 1s, [this, turn = turn_](FetchResult result) {
    if (turn == turn_) {
      Answered(std::move(result));
    }
  });
}

void StoreReader::Answered(FetchResult result) {
  took_ += result.took;
  if (result.failure) {
    const auto reason = ReadReason(result.body);
    // A store that is out of time or memory says so in one of these ways: fewer steps may do.
    const bool smaller = *result.failure == FetchFailure::kTimeout ||
                         *result.failure == FetchFailure::kTooLarge || result.status == 422 ||
                         result.status == 413 || result.status == 503 || result.status == 504;
    Failed(std::string(Name(*result.failure)), result.error + (reason.empty() ? "" : ": " + reason),
           result.retry_after, smaller);
    return;
  }
  auto answer = ParseRangeAnswer(result.body, first_, last_, settings_.step);
  if (!answer) {
    Failed("answer", answer.error().Text());
    return;
  }
  if (!answer->partial.empty()) {
    if (partial_tries_ < kPartialTries) {
      ++partial_tries_;
      Failed("partial", "the answer is partial: " + answer->partial);
      return;
    }
    ++status_.partial;
    log_(LogLevel::kWarning, "prometheus: taken although partial, up to Unix time " +
                                 UnixSeconds(last_) + ": " + answer->partial);
  }
  answers_.push_back({.kind = queries_[answers_.size()].kind, .answer = std::move(*answer)});
  if (answers_.size() < queries_.size()) {
    Ask();
  } else {
    Deliver();
  }
}

// Nothing is passed over: the same steps, or the first of them, later.
void StoreReader::Failed(const std::string& reason, const std::string& why,
                         std::optional<Duration> wait, bool smaller) {
  ++status_.failures[reason];
  if (status_.error != why) {
    log_(LogLevel::kWarning, "prometheus: " + FormatUrl(settings_.endpoint) + ": " + why +
                                 "; nothing is lost, it is asked again");
  }
  status_.tried = true;
  status_.good = false;
  status_.error = why;
  const auto pause = std::max(Pause(tries_++), wait.value_or(Duration::zero()));
  ReportStatus();
  if (smaller && steps_ > 1) {
    const auto asked = static_cast<int>((last_ - *done_) / settings_.step);
    steps_ = std::max(1, std::min(steps_, asked) / 2);
  }
  // From the beginning: the answers of one batch must be of the same steps, and fresh.
  After(pause, &StoreReader::Next);
}

StoreBatch StoreReader::MakeBatch(std::vector<NodePage> pages) const {
  StoreBatch batch{.until = last_, .targets = {}, .pages = {}};
  for (auto& page : pages) {
    batch.targets.push_back(page.target);
    if (page.present && page.text.empty()) {
      continue;  // nothing new, as when it is scraped less often than a step
    }
    FetchedPage fetched{.target = std::make_shared<const Target>(std::move(page.target)),
                        .result = {},
                        .arrived = clock_.Steady(),
                        .clock_skew = page.clock_skew};
    fetched.result.asked_at = last_;
    fetched.result.took = took_;
    if (page.text.empty()) {
      fetched.result.failure = FetchFailure::kAbsent;
      fetched.result.error = "the store has no samples of it at Unix time " + UnixSeconds(last_);
    } else {
      fetched.result.body = std::move(page.text);
    }
    batch.pages.push_back(std::move(fetched));
  }
  return batch;
}

// Each problem once, when it begins; the end of a failure, too.
void StoreReader::LogChanges(const StorePages::Made& made) {
  if (made.unnamed > 0 && status_.unnamed == 0) {
    log_(LogLevel::kWarning,
         fmt::format("prometheus: {} series have no usable label {}: they are left out",
                     made.unnamed, settings_.node_label));
  }
  for (const auto& host : made.shared_hosts) {
    log_(LogLevel::kWarning,
         fmt::format("prometheus: several instances of one job share the host {}: each is a node "
                     "with its port; prometheus.node_label may name a label that tells them apart",
                     host));
  }
  if (!status_.good && status_.tried) {
    log_(LogLevel::kInfo, "prometheus: answers again");
  }
  if (passed_over_ > Duration::zero()) {
    log_(LogLevel::kWarning,
         fmt::format("prometheus: {} s before Unix time {} were passed over: longer ago than "
                     "catch_up ({} s)",
                     ToSeconds(std::exchange(passed_over_, Duration::zero())), UnixSeconds(*done_),
                     ToSeconds(settings_.catch_up)));
  }
}

void StoreReader::Deliver() {
  auto made = pages_->Make(answers_, last_);
  answers_.clear();
  LogChanges(made);
  status_.unnamed = made.unnamed;
  status_.tried = true;
  status_.good = true;
  status_.error.clear();
  status_.read_until = last_;
  begun_ = true;
  done_ = last_;
  tries_ = 0;
  partial_tries_ = 0;
  // Growing by one a batch: a store that choked on many steps is not asked for all of them again.
  steps_ = std::min(kMaxSteps, steps_ + 1);
  handed_out_ = true;
  ReportStatus();
  sink_(MakeBatch(std::move(made.pages)));
}

void StoreReader::ReportStatus() { report_(status_); }

}  // namespace limpet
