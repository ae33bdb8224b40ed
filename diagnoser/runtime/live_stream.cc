#include "diagnoser/runtime/live_stream.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "diagnoser/publish/viewer.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"
#include "exporter/common/web/target.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxGroups = 1000;  // of a filter

// A place among the viewers for as long as the connection lasts.
class ViewerStream final : public web::Stream {
 public:
  ViewerStream(std::unique_ptr<Viewer> viewer, std::shared_ptr<FrameTexts> texts, Viewers& viewers,
               std::uint64_t client)
      : viewer_(std::move(viewer)), texts_(std::move(texts)), viewers_(viewers), client_(client) {}
  ~ViewerStream() override { viewers_.Leave(client_); }
  ViewerStream(const ViewerStream&) = delete;
  ViewerStream& operator=(const ViewerStream&) = delete;

  [[nodiscard]] Piece Next(SteadyTime now) override {
    auto output = viewer_->Next(now, *texts_);
    viewers_.frames += output.has_frame ? 1 : 0;
    viewers_.thinned += output.thinned;
    return {.bytes = std::move(output.text), .is_last = output.is_last};
  }

 private:
  std::unique_ptr<Viewer> viewer_;
  std::shared_ptr<FrameTexts> texts_;
  Viewers& viewers_;
  std::uint64_t client_;
};

struct Wishes {
  ViewerOptions options;
  std::optional<UnixTime> from;
  double speed = 1;
};

// Absent: `usual`. nullopt: no number, or out of bounds.
std::optional<double> ReadNumber(std::string_view query, std::string_view key, double usual,
                                 double min, double max) {
  const auto text = web::QueryValue(query, key);
  const auto number = text ? ParseDouble(*text) : usual;
  return number && *number >= min && *number <= max ? number : std::nullopt;
}

constexpr double kLatest = ToSeconds(kLatestInstant.time_since_epoch());

Result<Wishes> ReadWishes(const web::Request& request, const Cluster& cluster) {
  const auto& query = request.query;
  const auto wrong = [](const char* reason) { return Error{ErrorCode::kInvalid, reason, ""}; };
  Wishes wishes;
  const auto columns = ParseColumns(web::QueryValue(query, "columns").value_or(""));
  if (!columns) {
    return wrong("expected columns: names of columns, separated by commas, such as load,degree");
  }
  wishes.options.filter.columns = *columns;
  for (auto& group : web::QueryValues(query, "group")) {
    const bool known = std::any_of(cluster.groups.begin(), cluster.groups.end(),
                                   [&](const ClusterGroup& one) { return one.group == group; });
    if (!known || wishes.options.filter.groups.size() == kMaxGroups) {
      return wrong("expected group: a peer group of /api/v1/cluster; may be repeated");
    }
    wishes.options.filter.groups.push_back(std::move(group));
  }
  if (const auto places = web::QueryValue(query, "places")) {
    wishes.options.filter.places = ParsePlaces(*places);
    if (!wishes.options.filter.places) {
      return wrong(
          "expected places: a version of /api/v1/cluster and at most 256 ranges of places of its "
          "nodes, such as 7:0-79,200");
    }
  }
  const auto rate = ReadNumber(query, "rate", 2, 0.1, 4);
  const auto speed = ReadNumber(query, "speed", 1, 0, 1000);
  const auto from = ReadNumber(query, "from", 0, 0, kLatest);
  if (!rate || !speed || !from) {
    return wrong("expected rate: 0.1 to 4 frames a second; speed: 0 to 1000; from: Unix seconds");
  }
  wishes.options.period = std::chrono::milliseconds(std::llround(1000 / *rate));
  wishes.options.last_id = ParseU64(request.last_event_id);
  wishes.speed = *speed;
  if (*from > 0) {
    wishes.from = InstantFromSeconds(*from);
  }
  return wishes;
}

}  // namespace

web::Handler StreamHandler(StreamSource source) {
  return [source = std::move(source),
          texts = std::make_shared<FrameTexts>()](const web::Request& request) {
    auto wishes = ReadWishes(request, *source.cluster());
    if (!wishes) {
      return ErrorResponse(400, "bad_request", wishes.error().message);
    }
    web::Response response;
    response.content_type = "text/event-stream";
    response.headers.emplace_back("Cache-Control", "no-store");
    // nginx would collect a page of events before it hands on the first.
    response.headers.emplace_back("X-Accel-Buffering", "no");
    if (request.method == "HEAD") {
      return response;
    }
    if (!source.viewers->Admit(request.client)) {
      auto busy = ErrorResponse(503, "too_many_viewers",
                                "as many viewers as there may be watch already; try again");
      busy.headers.emplace_back("Retry-After", "5");
      return busy;
    }
    response.stream = std::make_shared<ViewerStream>(
        source.view(std::move(wishes->options), wishes->from, wishes->speed), texts,
        *source.viewers, request.client);
    return response;
  };
}

web::Handler StreamHandler(const LiveSource& source) {
  return StreamHandler(
      StreamSource{.cluster = [latest = source.latest] { return latest()->cluster; },
                   .view = [source](ViewerOptions options, std::optional<UnixTime> from,
                                    double speed) -> std::unique_ptr<Viewer> {
                     if (source.recorded) {
                       return std::make_unique<ReplayViewer>(std::move(options),
                                                             source.recorded->frames, from, speed);
                     }
                     return std::make_unique<LiveViewer>(std::move(options), source.latest);
                   },
                   .viewers = source.viewers});
}

}  // namespace limpet
