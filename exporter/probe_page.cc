#include "exporter/probe_page.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "exporter/common/utf8.h"
#include "exporter/common/web/target.h"

namespace limpet {
namespace {

using Json = nlohmann::ordered_json;
using State = ProbeAnswer::State;

web::Response Answer(const Json& json) {
  auto response = web::Text(200, json.dump() + "\n");
  response.content_type = "application/json";
  return response;
}

web::Response Write(const std::string& device, const ProbeAnswer& answer) {
  Json json = {{"device", device}};
  switch (answer.state) {
    case State::kRunning:
      json["state"] = "running";
      break;
    case State::kDone:
      json["state"] = "done";
      json["age_seconds"] = ToSeconds(answer.age);
      json["reads"] = answer.reads.reads;
      json["block_bytes"] = kProbeBlock;
      json["median_seconds"] = ToSeconds(answer.reads.median);
      json["max_seconds"] = ToSeconds(answer.reads.longest);
      break;
    case State::kNoAnswer:
      json["state"] = "no_answer";
      json["waited_seconds"] = ToSeconds(answer.waited);
      break;
    default:  // kFailed; the others have no such answer
      json["state"] = "failed";
      json["age_seconds"] = ToSeconds(answer.age);
      // Whether the disk itself refused, or somebody in front of it.
      json["disk_error"] = answer.error.code == ErrorCode::kUnavailable;
      json["error"] = Printable(answer.error.Text());
      break;
  }
  return Answer(json);
}

}  // namespace

web::Handler ProbePage(Prober& prober) {
  return [&prober](const web::Request& request) {
    // A link checker must not make disks work.
    if (request.method != "GET") {
      auto response = web::Text(405, "expected GET\n");
      response.headers.emplace_back("Allow", "GET");
      return response;
    }
    const auto device = web::QueryValue(request.query, "device").value_or("");
    const auto answer = prober.Ask(device);
    switch (answer.state) {
      case State::kOff:
        return web::Text(403, "probes are off; probe.enabled in exporter.yml turns them on\n");
      case State::kBadName:
        return web::Text(400, "expected the name of a disk, such as /probe/disk?device=sdb\n");
      case State::kBusy: {
        auto response = web::Text(429, "another disk is being read, or too many hang\n");
        response.headers.emplace_back("Retry-After", "1");
        return response;
      }
      default:
        return Write(device, answer);
    }
  };
}

}  // namespace limpet
