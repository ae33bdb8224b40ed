#include "diagnoser/publish/judgement_pages.h"

#include <utility>

#include "diagnoser/publish/api_seconds.h"
#include "exporter/common/exposition/catalog/verdicts.h"

namespace limpet {
namespace {

// The page asks every few seconds, also while 10,000 servers do not answer.
constexpr std::size_t kMaxNotJudged = 1000;

ApiJson InstantOrNull(const std::optional<UnixTime>& at) {
  return at ? ApiJson(ApiSeconds(*at)) : ApiJson(nullptr);
}

ApiJson ToJson(const ServerJudgement& one) {
  const bool judged = one.reason == NotJudged::kJudged;
  return {{"node", one.node},
          {"state", Name(one.standing)},
          {"reason", judged ? ApiJson(nullptr) : ApiJson(Name(one.reason))},
          {"text", one.text},
          {"compared", InstantOrNull(one.compared)},
          {"first_verdict", InstantOrNull(one.possible)}};
}

}  // namespace

ApiJson SummaryToJson(const Judgements& judgements) {
  return {{"limps", judgements.limping},
          {"like_peers", judgements.like_peers},
          {"not_judged", judgements.not_judged},
          {"in_no_group", judgements.outside},
          {"first_verdict", InstantOrNull(judgements.possible)},
          {"text", judgements.text}};
}

std::string JudgedJson(const Judgements& judgements, std::string_view node, JudgedList list) {
  auto json = SummaryToJson(judgements);
  auto servers = ApiJson::array();
  for (const auto& one : judgements.servers) {
    const bool wanted = node.empty()
                            ? list == JudgedList::kAll || one.standing == Standing::kNotJudged
                            : one.node == node;
    if (wanted && (list == JudgedList::kAll || servers.size() < kMaxNotJudged)) {
      servers.push_back(ToJson(one));
    }
  }
  json["servers"] = std::move(servers);
  return PrintApiJson(json);
}

Families JudgementFamilies(const Judgements& judgements) {
  Family judged{.info = &catalog::kNodeJudged, .samples = {}};
  Family reasons{.info = &catalog::kNodeNotJudged, .samples = {}};
  for (const auto& one : judgements.servers) {
    const bool is_judged = one.standing != Standing::kNotJudged;
    // 0 and 1 for every server: a series that ends would look like a server that is gone.
    judged.samples.push_back({MakeLabels({{"node", one.node}}), is_judged ? 1.0 : 0.0});
    if (!is_judged) {
      reasons.samples.push_back(
          {MakeLabels({{"node", one.node}, {"reason", std::string(Name(one.reason))}}), 1.0});
    }
  }
  Families families;
  families.push_back(std::move(judged));
  families.push_back(std::move(reasons));
  return families;
}

}  // namespace limpet
