#include "diagnoser/commands/replay_ui.h"

#include <chrono>
#include <memory>
#include <utility>

#include "diagnoser/publish/metrics.h"
#include "diagnoser/runtime/web_pages.h"
#include "exporter/common/command_line.h"
#include "exporter/common/service.h"
#include "exporter/common/web/server.h"

namespace limpet {
namespace {

// The other pages show the replay as it stood at its end.
std::shared_ptr<const Published> PublishReplay(const PipelineView& view) {
  auto published = std::make_shared<Published>();
  published->page = std::make_shared<const RenderedPage>(
      std::vector{std::make_shared<const Families>(VerdictFamilies(view, DetailOptions()))});
  published->view = std::make_shared<const PipelineView>(view);
  published->ready = true;
  return published;
}

}  // namespace

int ServeReplay(ReplayRecorder& recorder, const PipelineView& view,
                const std::string& listen_address, const LogSink& log) {
  Signals signals;  // before the server's thread
  Viewers viewers;
  auto recording = recorder.Finish();
  auto server = web::Server::Start(
      {.listen_addresses = {listen_address}, .config = std::nullopt, .limits = {}},
      WebPages([published = PublishReplay(view)] { return published; },
               {.latest = [live = std::move(recording.live)] { return live; },
                .viewers = &viewers,
                .recorded = std::move(recording.recorded),
                .ui = true}),
      log);
  if (!server) {
    log(LogLevel::kError, server.error().Text());
    return kExitFailed;
  }
  log(LogLevel::kInfo, "the replay is at http://" + (*server)->Addresses().front() + "/");
  while (signals.Wait(std::chrono::hours(24)) != Wake::kStop) {
  }
  (*server)->Stop();
  return kExitOk;
}

}  // namespace limpet
