#include "diagnoser/federation/answers.h"

#include <algorithm>
#include <cmath>

namespace limpet {
namespace {

constexpr std::int64_t kMaxSteps = 10'000;

std::uint64_t Count(const ApiJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

double Number(const ApiJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

void Append(const ApiJson& json, const char* key, ApiJson& list) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_array()) {
    list.insert(list.end(), found->begin(), found->end());
  }
}

// A run moved by `steps`, cut to those from 0 on; null when nothing is left of it.
ApiJson Moved(const ApiJson& run, std::int64_t steps) {
  if (!run.is_array() || run.size() != 3 ||
      !std::all_of(run.begin(), run.end(), [](const ApiJson& one) {
        return one.is_number_unsigned() && one.get<std::uint64_t>() <= kMaxSteps;
      })) {
    return nullptr;
  }
  const auto begin = run[0].get<std::int64_t>() - steps;
  const auto end = begin + run[1].get<std::int64_t>();
  const auto first = std::max<std::int64_t>(begin, 0);
  return end > first ? ApiJson{first, end - first, run[2]} : ApiJson(nullptr);
}

}  // namespace

ApiJson JoinJudged(const std::vector<MemberAnswer>& answers) {
  std::uint64_t limps = 0;
  std::uint64_t like_peers = 0;
  std::uint64_t not_judged = 0;
  std::uint64_t in_no_group = 0;
  auto servers = ApiJson::array();
  ApiJson first = nullptr;
  std::string silent;
  for (const auto& [member, json, nodes] : answers) {
    if (!json.is_object()) {
      not_judged += std::max<std::size_t>(nodes, 1);  // never nothing: that would look healthy
      silent += (silent.empty() ? "" : ", ") + member;
      continue;
    }
    limps += Count(json, "limps");
    like_peers += Count(json, "like_peers");
    not_judged += Count(json, "not_judged");
    in_no_group += Count(json, "in_no_group");
    Append(json, "servers", servers);
    if (const auto its = Number(json, "first_verdict");
        its > 0 && (first.is_null() || first < its)) {
      first = its;
    }
  }
  auto text = std::to_string(limps) + " limp, " + std::to_string(like_peers) +
              " are like their peers, " + std::to_string(not_judged) + " are not judged";
  text += silent.empty() ? "" : "; no answer from " + silent;
  return {{"limps", limps},
          {"like_peers", like_peers},
          {"not_judged", not_judged},
          {"in_no_group", in_no_group},
          {"first_verdict", first},
          {"text", text},
          {"servers", std::move(servers)}};
}

ApiJson JoinHeat(const std::vector<MemberAnswer>& answers) {
  const MemberAnswer* latest = nullptr;
  for (const auto& answer : answers) {
    if (answer.json.is_object() && Number(answer.json, "step_seconds") > 0 &&
        (latest == nullptr || Number(answer.json, "begin") > Number(latest->json, "begin"))) {
      latest = &answer;
    }
  }
  if (latest == nullptr) {
    return nullptr;
  }
  auto joined = latest->json;
  joined["nodes"] = ApiJson::array();
  const auto step = Number(latest->json, "step_seconds");
  for (const auto& answer : answers) {
    const auto apart = Number(latest->json, "begin") - Number(answer.json, "begin");
    if (!answer.json.is_object() || Number(answer.json, "step_seconds") != step ||
        !(apart >= 0 && apart < step * kMaxSteps)) {
      continue;
    }
    auto nodes = ApiJson::array();
    Append(answer.json, "nodes", nodes);
    for (auto& node : nodes) {
      auto runs = ApiJson::array();
      if (node.is_object() && node.contains("runs") && node["runs"].is_array()) {
        for (const auto& run : node["runs"]) {
          if (auto moved = Moved(run, std::llround(apart / step)); !moved.is_null()) {
            runs.push_back(std::move(moved));
          }
        }
        node["runs"] = std::move(runs);
        joined["nodes"].push_back(std::move(node));
      }
    }
  }
  return joined;
}

ApiJson JoinLists(const std::vector<MemberAnswer>& answers) {
  auto joined = ApiJson::object();
  for (const auto& answer : answers) {
    if (!answer.json.is_object()) {
      continue;
    }
    for (const auto& [key, value] : answer.json.items()) {
      auto& ours = joined[key];
      if (ours.is_null()) {
        ours = value;
      } else if (ours.is_array() && value.is_array()) {
        ours.insert(ours.end(), value.begin(), value.end());
      } else if (ours.is_object() && value.is_object()) {
        ours.update(value);
      } else if (key == "complete") {  // a list of incidents: true when nothing is missing
        ours = ours == true && value == true;
      }
    }
  }
  return joined;
}

}  // namespace limpet
