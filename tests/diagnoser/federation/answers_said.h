// answers_said.h: answers of a diagnoser for the tests of federations.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "diagnoser/federation/member_state.h"

namespace limpet {

inline std::string ClusterSaid(std::string_view nodes = "io01 io02", int version = 7,
                               std::string_view program = "0.1.0") {
  auto list = ApiJson::array();
  for (std::size_t begin = 0; begin < nodes.size();) {
    const auto end = std::min(nodes.find(' ', begin), nodes.size());
    const std::string name(nodes.substr(begin, end - begin));
    list.push_back(
        {{"node", name},
         {"role", "oss"},
         {"up", true},
         {"labels", {{"rack", "r1"}}},
         {"peer_groups", {"disks"}},
         {"components",
          {{{"component", name + "/sda"}, {"device", "sda"}, {"peer_group", "disks"}}}}});
    begin = end + 1;
  }
  const ApiJson group = {{"peer_group", "disks"}, {"preset", "default"},  {"kind", "storage"},
                         {"roles", {"oss"}},      {"metrics", {"await"}}, {"taking_part", 2},
                         {"missing", 0},          {"masked", 0}};
  const ApiJson preset = {{"preset", "default"},
                          {"step_seconds", 1},
                          {"window_seconds", 64},
                          {"shift_seconds", 16},
                          {"k", 3},
                          {"named_after", ApiJson::array()}};
  return PrintOneLine({{"time", 1000},
                       {"version", version},
                       {"program", program},
                       {"live", true},
                       {"recording", nullptr},
                       {"presets", {preset}},
                       {"nodes", list},
                       {"peer_groups", {group}},
                       {"metrics", ApiJson::array()},
                       {"causes", {"disk-busy", "disk-hog"}}});
}

// Columns up and cause of both nodes; `row`: of the first.
inline std::string FrameSaid(double now = 1000, double time = 1000, int version = 7,
                             std::string_view row = "[0,1,0]") {
  const auto column = [](std::string_view name) {
    for (const auto& one : ColumnRows()) {
      if (one.name == name) {
        return ApiJson{{"name", name},
                       {"scale", {{"kind", "index"}, {"low", one.low}, {"high", one.high}}}};
      }
    }
    return ApiJson();
  };
  ApiJson frame = {{"time", time},
                   {"base", true},
                   {"version", version},
                   {"columns", {column("up"), column("cause")}},
                   {"rows", {ApiJson::parse(row), {1, 1, nullptr}}}};
  return PrintOneLine({{"now", now}, {"frame", frame}});
}

inline std::string VerdictsSaid(double begin = 900, std::string_view node = "io01",
                                std::string_view id = "00000000000000aa") {
  const ApiJson verdict = {
      {"id", id},       {"node", node},      {"preset", "default"},     {"cause", "disk-busy"},
      {"begin", begin}, {"since", begin},    {"named", begin},          {"end", nullptr},
      {"last", begin},  {"indicted", true},  {"secondary_to", nullptr}, {"rank", 1},
      {"degree", 2.5},  {"reason", "await"}, {"text", "is slow"}};
  return PrintOneLine(
      {{"from", 0}, {"to", 1000}, {"complete_since", nullptr}, {"verdicts", {verdict}}});
}

inline MemberState StateOf(const std::string& name, UnixTime answered = UnixFromSeconds(1000)) {
  MemberState state;
  state.name = name;
  state.url = "http://" + name;
  (void)TakeCluster(ClusterSaid(), state);
  (void)TakeFrame(FrameSaid(), UnixFromSeconds(1000), state);
  (void)TakeVerdicts(VerdictsSaid(), state);
  state.answered = answered;
  return state;
}

}  // namespace limpet
