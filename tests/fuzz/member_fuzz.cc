// What another diagnoser answers, which is another machine's: whatever the bytes, what is kept is
// bounded, and a list that is printed is read as it was. The input is cut at its NULs: a cluster, a
// frame and verdicts in turns.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "diagnoser/federation/federation_config.h"
#include "diagnoser/federation/member_state.h"
#include "diagnoser/federation/past_answers.h"
#include "diagnoser/publish/top.h"
#include "tests/fuzz/number_mutator.h"

namespace {

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

// Whatever it has kept of an instant: a list of the same nodes, or none.
void TakePast(std::string_view body, const limpet::MemberState& state) {
  const auto json = limpet::ParseAnswer(body);
  if (!json) {
    return;
  }
  const auto values = limpet::ReadMemberFrame(*json, limpet::PlacesOf(state));
  Require(!values || values->size() == limpet::kColumns * state.nodes.size());
  limpet::MergedView view;
  view.cluster = std::make_shared<limpet::Cluster>();
  view.places.push_back({.member = state.name, .version = state.version, .nodes = 0, .causes = {}});
  const auto past = limpet::JoinPast(view, {{state.name, *json, 0}});
  Require(limpet::ParseAnswer(past).has_value());
}

void Take(std::string_view body, std::size_t turn, limpet::MemberState& state) {
  switch (turn % 3) {
    case 0:
      (void)limpet::TakeCluster(body, state);
      break;
    case 1:
      (void)limpet::TakeFrame(body, limpet::UnixFromSeconds(1'795'314'848), state);
      break;
    default:
      (void)limpet::TakeVerdicts(body, state);
      break;
  }
  TakePast(body, state);
  Require(state.nodes.size() <= limpet::kMaxMemberNodes);
  Require(state.verdicts.size() <= limpet::kMaxMemberVerdicts);
  Require(state.values.empty() || state.values.size() == limpet::kColumns * state.nodes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  limpet::MemberState state;
  state.name = "north";
  auto rest = text;
  for (std::size_t turn = 0; turn < 12; ++turn) {
    const auto end = rest.find('\0');
    Take(rest.substr(0, end), turn, state);
    if (end == std::string_view::npos) {
      break;
    }
    rest.remove_prefix(end + 1);
  }
  if (const auto top = limpet::ParseTopJson(text)) {
    const auto again = limpet::ParseTopJson(limpet::TopJson(*top));
    Require(again && again->entries.size() == top->entries.size());
  }
  const auto config = limpet::ParseFederation(
      text, "f.yml", [](const std::string&) { return limpet::Result<std::string>("x"); });
  Require(config ? !config->members.empty() && config->members.size() <= limpet::kMaxMembers
                 : !config.error().Text().empty());
  return 0;
}
