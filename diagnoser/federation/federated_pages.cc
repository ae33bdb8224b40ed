#include "diagnoser/federation/federated_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "diagnoser/federation/answers.h"
#include "diagnoser/federation/past_answers.h"
#include "diagnoser/federation/qualified_names.h"
#include "diagnoser/runtime/documents.h"
#include "diagnoser/runtime/live_pages.h"
#include "diagnoser/runtime/live_stream.h"
#include "diagnoser/runtime/page_assets.h"
#include "diagnoser/sources/address.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/negotiate.h"
#include "exporter/common/exposition/rendered_page.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"
#include "exporter/common/web/metrics_page.h"
#include "exporter/common/web/router.h"
#include "exporter/common/web/target.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 4s;  // less than what a client of ours waits
constexpr std::size_t kMaxAsked = 128;

// Requests to members that are under way, bounded over all viewers.
struct Desk {
  FederationSource source;
  std::atomic<std::size_t> asked{0};

  [[nodiscard]] const FederationMember* Find(std::string_view name) const {
    const auto found = std::ranges::find(source.members, name, &FederationMember::name);
    return found == source.members.end() ? nullptr : &*found;
  }
  // False: too many are under way; `done` is not called then. On the fetcher's thread.
  [[nodiscard]] bool Ask(const FederationMember& member, const std::string& path,
                         std::function<void(FetchResult)> done) {
    if (asked >= kMaxAsked) {
      return false;
    }
    ++asked;
    auto endpoint = member.endpoint;
    endpoint.path += path;
    auto& fetcher = *source.fetcher;
    fetcher.Post([this, &fetcher, endpoint = std::move(endpoint), done = std::move(done)] {
      auto connection = std::make_shared<std::unique_ptr<Connection>>(fetcher.Open(endpoint));
      (*connection)->Get(kPatience, [this, &fetcher, connection, done](FetchResult result) {
        --asked;
        done(std::move(result));
        fetcher.Post([connection] { connection->reset(); });  // not within its own callback
      });
    });
    return true;
  }
};
using DeskPtr = std::shared_ptr<Desk>;

web::Response Busy() {
  auto response = ErrorResponse(503, "unavailable", "too many requests to diagnosers; try again");
  response.headers.emplace_back("Retry-After", "2");
  return response;
}

// An answer of one of them with its names qualified, or why there is none.
web::Response Relayed(const web::Request& request, const FetchResult& result,
                      const std::string& member) {
  if (result.IsNotFound()) {
    return ErrorResponse(404, "not_found", "the diagnoser " + member + " keeps nothing of that");
  }
  if (result.failure) {
    return ErrorResponse(503, "unavailable", "the diagnoser " + member + ": " + result.error);
  }
  auto json = ParseAnswer(result.body);
  if (!json) {
    return ErrorResponse(503, "unavailable",
                         "the diagnoser " + member + ": " + json.error().message);
  }
  Qualify(*json, member);
  return JsonResponse(request, PrintOneLine(*json) + "\n");
}

web::Response AskOne(const DeskPtr& desk, const web::Request& request, const std::string& name,
                     const std::string& path) {
  const auto* const member = desk->Find(name);
  if (member == nullptr) {
    return ErrorResponse(404, "not_found", "there is no diagnoser of that name: /api/v1/members");
  }
  web::Response response;
  response.later = [desk, request, member, path](const web::Reply& reply) {
    const auto done = [request, reply, name = member->name](const FetchResult& result) {
      reply(Relayed(request, result, name));
    };
    if (!desk->Ask(*member, path, done)) {
      reply(Busy());
    }
  };
  return response;
}

// Empty: no diagnoser has an answer.
using Join = std::function<std::string(const MergedView&, const std::vector<MemberAnswer>&)>;

Join AsText(ApiJson (*join)(const std::vector<MemberAnswer>&)) {
  return [join](const MergedView&, const std::vector<MemberAnswer>& answers) {
    const auto joined = join(answers);
    return joined.is_null() || joined.empty() ? std::string() : PrintOneLine(joined) + "\n";
  };
}

struct Gathered {
  std::vector<MemberAnswer> answers;
  std::size_t missing = 0;
};

std::size_t NodesOf(const MergedView& view, const std::string& member) {
  const auto found = std::ranges::find(view.places, member, &MemberPlaces::member);
  return found == view.places.end() ? 0 : found->nodes;
}

// Asks all members the same; those that do not answer in time are left out by `join`.
web::Response AskAll(const DeskPtr& desk, const web::Request& request, const std::string& path,
                     const Join& join) {
  web::Response response;
  response.later = [desk, request, path, join](const web::Reply& reply) {
    const auto view = desk->source.latest();
    const auto& members = desk->source.members;
    if (desk->asked + members.size() > kMaxAsked) {
      reply(Busy());
      return;
    }
    auto gathered = std::make_shared<Gathered>();
    gathered->missing = members.size();
    for (const auto& member : members) {
      gathered->answers.push_back(
          {.member = member.name, .json = nullptr, .nodes = NodesOf(*view, member.name)});
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto done = [request, reply, view, gathered, i, join](const FetchResult& result) {
        auto& answer = gathered->answers[i];
        auto json = result.failure ? Result<ApiJson>(ApiJson(nullptr)) : ParseAnswer(result.body);
        answer.json = json ? *std::move(json) : ApiJson(nullptr);
        Qualify(answer.json, answer.member);
        if (--gathered->missing == 0) {
          auto joined = join(*view, gathered->answers);
          reply(joined.empty() ? ErrorResponse(503, "unavailable", "no diagnoser answers")
                               : JsonResponse(request, std::move(joined)));
        }
      };
      (void)desk->Ask(members[i], path, done);
    }
  };
  return response;
}

// The query again, with plain names: those of one member, which is returned; empty: no node.
struct PlainQuery {
  std::string member;
  std::string query;
};
constexpr const char* kKeys[] = {"node", "component", "cause", "metric", "from",
                                 "to",   "at",        "limit", "hourly", "all"};
PlainQuery MakePlain(std::string_view query) {
  PlainQuery plain;
  for (const auto* const name : kKeys) {
    const std::string key(name);
    auto value = web::QueryValue(query, key);
    if (!value) {
      continue;
    }
    if (key == "node" || key == "component") {
      if (auto split = SplitName(*value)) {
        plain.member = key == "node" ? split->member : plain.member;
        value = std::move(split->name);
      }
    }
    plain.query += (plain.query.empty() ? "?" : "&") + key + "=" + UrlEncoded(*value);
  }
  return plain;
}

void AddOfOne(web::Router& router, const DeskPtr& desk, const std::string& path) {
  router.Add(path, [desk, path](const web::Request& request) {
    const auto plain = MakePlain(request.query);
    return plain.member.empty()
               ? ErrorResponse(400, "bad_request", "expected node: such as north/io01")
               : AskOne(desk, request, plain.member, path + plain.query);
  });
}

void AddById(web::Router& router, const DeskPtr& desk, const std::string& prefix) {
  router.AddPrefix(prefix, [desk, prefix](const web::Request& request) {
    const auto id = SplitId(std::string_view(request.path).substr(prefix.size()));
    return id ? AskOne(desk, request, id->member, prefix + UrlEncoded(id->name))
              : ErrorResponse(404, "not_found", "expected an id such as north.0123456789abcdef");
  });
}

// Where the query names a node, only its diagnoser is asked.
void AddOfAll(web::Router& router, const DeskPtr& desk, const std::string& path, const Join& join) {
  router.Add(path, [desk, path, join](const web::Request& request) {
    const auto plain = MakePlain(request.query);
    return plain.member.empty() ? AskAll(desk, request, path + plain.query, join)
                                : AskOne(desk, request, plain.member, path + plain.query);
  });
}

// Made once for each cluster: that of 10,000 nodes takes a tenth of a second to compress.
class ClusterAnswer {
 public:
  web::Response Get(const std::shared_ptr<const std::string>& text, const web::Request& request) {
    const bool gzip = Negotiate(request.accept, request.accept_encoding).gzip;
    if (made_of_ != text) {
      made_of_ = text;
      plain_ = JsonResponse({}, *text);
      packed_ = plain_;
      packed_.content_encoding = "gzip";
      packed_.body = std::make_shared<const std::string>(GzipEncode(*text));
    }
    return gzip ? packed_ : plain_;
  }

 private:
  std::shared_ptr<const std::string> made_of_;
  web::Response plain_;
  web::Response packed_;
};

std::optional<double> Seconds(std::string_view query, std::string_view key, double absent) {
  const auto text = web::QueryValue(query, key);
  const auto seconds = text ? ParseDouble(*text) : std::optional(absent);
  return seconds && IsInstant(*seconds) ? seconds : std::nullopt;
}

// Without from and to: those that go on.
web::Response Verdicts(const MergedView& view, const web::Request& request) {
  const bool open =
      !web::QueryValue(request.query, "from") && !web::QueryValue(request.query, "to");
  const auto from = Seconds(request.query, "from", 0);
  const auto to = Seconds(request.query, "to", ToSeconds(kLatestInstant.time_since_epoch()));
  if (!from || !to) {
    return ErrorResponse(400, "bad_request",
                         "expected from and to: Unix seconds, such as 1795314848.5");
  }
  auto text = fmt::format(R"({{"from":{},"to":{},"complete_since":null,"verdicts":[)", *from, *to);
  bool first = true;
  for (const auto& verdict : view.verdicts) {
    const bool wanted =
        open ? !verdict.end : verdict.begin <= *to && (!verdict.end || *verdict.end >= *from);
    if (wanted) {
      text += (first ? "" : ",") + verdict.line;
      first = false;
    }
  }
  return JsonResponse(request, text + "]}\n");
}

// All of them at the same instant, each by its own clock.
void AddPast(web::Router& router, const DeskPtr& desk) {
  static constexpr const char* kPath = "/api/v1/past";
  router.Add(kPath, [desk](const web::Request& request) {
    const bool given = web::QueryValue(request.query, "at").has_value();
    if (!given || !Seconds(request.query, "at", 0)) {
      return ErrorResponse(400, "bad_request", "expected at: Unix seconds, such as 1795314848.5");
    }
    return AskAll(desk, request, kPath + MakePlain(request.query).query, JoinPast);
  });
}

void AddStream(web::Router& router, const FederationSource& source) {
  router.Add(
      "/api/v1/stream",
      StreamHandler(
          {.cluster = [latest = source.latest] { return latest()->cluster; },
           .view =
               [latest = source.latest](ViewerOptions options, std::optional<UnixTime>, double) {
                 return std::make_unique<FederatedViewer>(std::move(options), latest);
               },
           .viewers = source.viewers}));
}

web::Handler Always(std::string text, std::string content_type) {
  auto page = web::Text(200, std::move(text));
  page.content_type = std::move(content_type);
  return [page](const web::Request&) { return page; };
}

}  // namespace

web::Handler FederatedPages(const FederationSource& source) {
  web::Router router;
  const auto desk = std::make_shared<Desk>();
  desk->source = source;
  const auto latest = source.latest;
  AddPage(router, PageAssets());
  AddAssets(router, DocumentAssets());
  router.Add("/api/v1/openapi.yaml", Always(std::string(OpenApiText()), "application/yaml"));
  router.Add("/api/v1/cluster",
             [latest, answer = std::make_shared<ClusterAnswer>()](const web::Request& request) {
               return answer->Get(latest()->cluster_json, request);
             });
  router.Add("/api/v1/members", [latest](const web::Request& request) {
    return JsonResponse(request, *latest()->members_json);
  });
  router.Add("/api/v1/verdicts",
             [latest](const web::Request& request) { return Verdicts(*latest(), request); });
  router.Add("/metrics", [latest, reload_ok = source.reload_ok](const web::Request& request) {
    return web::MetricsResponse(request, [&](Format format, bool gzip) {
      auto families = MemberFamilies(latest()->members, !reload_ok || reload_ok());
      return RenderedPage({std::make_shared<const Families>(std::move(families))})
          .Get(format, gzip);
    });
  });
  AddStream(router, source);
  AddPast(router, desk);
  AddOfAll(router, desk, "/api/v1/judged", AsText(JoinJudged));
  AddOfAll(router, desk, "/api/v1/heat", AsText(JoinHeat));
  AddOfAll(router, desk, "/api/v1/groups", AsText(JoinLists));
  AddOfAll(router, desk, "/api/v1/top", AsText(JoinLists));
  AddOfAll(router, desk, "/api/v1/incidents", AsText(JoinLists));
  AddOfOne(router, desk, "/api/v1/series");
  AddOfOne(router, desk, "/api/v1/activity");
  AddOfOne(router, desk, "/api/v1/evidence");
  AddById(router, desk, "/api/v1/evidence/");
  AddById(router, desk, "/api/v1/incidents/");
  router.AddHealth("limpet-diagnoser federate", [latest] { return latest()->frame != nullptr; });
  return [pages = router.AsHandler()](const web::Request& request) {
    if (request.method == "POST") {
      return ErrorResponse(405, "method_not_allowed", "answers go to the diagnoser itself");
    }
    return pages(request);
  };
}

}  // namespace limpet
