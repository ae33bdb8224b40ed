#include "diagnoser/federation/past_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "diagnoser/federation/member_frame.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/frame_text.h"
#include "exporter/common/instants.h"

namespace limpet {
namespace {

std::optional<UnixTime> InstantOf(const ApiJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? InstantFromSeconds(found->get<double>())
                                                   : std::nullopt;
}

struct Step {
  UnixTime begin;
  UnixTime end;
  std::vector<std::int16_t> values;  // of its nodes
};

// nullopt: it has none of then.
std::optional<Step> StepOf(const ApiJson& answer, const MemberPlaces& places) {
  const auto frame = answer.find("frame");
  const auto begin = InstantOf(answer, "begin");
  const auto end = InstantOf(answer, "end");
  auto values = frame == answer.end() ? std::nullopt : ReadMemberFrame(*frame, places);
  if (!begin || !end || !values) {
    return std::nullopt;
  }
  return Step{.begin = *begin, .end = *end, .values = *std::move(values)};
}

template <class Pick>
void Extend(std::optional<UnixTime>& bound, UnixTime at, Pick pick) {
  bound = bound ? pick(*bound, at) : at;
}

std::string Text(std::optional<UnixTime> at) {
  return at ? fmt::format("{}", ApiSeconds(*at)) : "null";
}

constexpr auto kEarlier = [](UnixTime a, UnixTime b) { return std::min(a, b); };
constexpr auto kLater = [](UnixTime a, UnixTime b) { return std::max(a, b); };

}  // namespace

std::string JoinPast(const MergedView& view, const std::vector<MemberAnswer>& answers) {
  Frame frame;
  frame.cluster = view.cluster;
  std::optional<UnixTime> since;
  std::optional<UnixTime> begin;
  std::optional<UnixTime> end;
  auto missing = ApiJson::array();
  bool answered = false;
  for (const auto& places : view.places) {
    const auto found = std::ranges::find(answers, places.member, &MemberAnswer::member);
    const bool answers_us = found != answers.end() && found->json.is_object();
    answered = answered || answers_us;
    if (const auto its = answers_us ? InstantOf(found->json, "since") : std::nullopt) {
      Extend(since, *its, kEarlier);
    }
    auto step = answers_us ? StepOf(found->json, places) : std::nullopt;
    if (!step) {
      missing.push_back(places.member);
      frame.values.resize(frame.values.size() + places.nodes * kColumns, kUnknown);
      continue;
    }
    Extend(begin, step->begin, kEarlier);
    Extend(end, step->end, kLater);
    std::ranges::move(step->values, std::back_inserter(frame.values));
  }
  if (!answered) {
    return {};
  }
  auto text = fmt::format(R"({{"since":{},"missing":{})", Text(since), PrintOneLine(missing));
  if (begin && end) {
    frame.time = *end;
    const FrameFilter all{.columns = *ParseColumns(""), .groups = {}};
    text += fmt::format(R"(,"begin":{},"end":{},"frame":{})", Text(begin), Text(end),
                        FrameJson(nullptr, frame, all, all.Pick(*frame.cluster)));
  }
  return text + "}\n";
}

}  // namespace limpet
