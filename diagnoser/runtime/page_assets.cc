#include "diagnoser/runtime/page_assets.h"

#include <string>
#include <string_view>
#include <utility>

#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/negotiate.h"

namespace limpet {
namespace {

// Nothing from elsewhere, no inline script or style, in nobody's frame.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// Names under /assets/ have a hash of the content in them: they never change.
bool IsImmutable(std::string_view path) { return path.starts_with("/assets/"); }

web::Response MakeResponse(const Asset& asset) {
  web::Response response;
  response.content_type = std::string(asset.content_type);
  response.content_encoding = "gzip";
  response.body = std::make_shared<const std::string>(asset.body_gzip);
  response.headers = {
      {"ETag", std::string(asset.etag)},
      {"Cache-Control",
       IsImmutable(asset.path) ? "public, max-age=31536000, immutable" : "no-cache"},
      {"Vary", "Accept-Encoding"},
      {"Content-Security-Policy", kPolicy},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"}};
  return response;
}

// For the few clients that do not say that they take gzip.
web::Response Unpacked(const web::Response& packed) {
  auto response = packed;
  response.content_encoding = "";
  const auto plain = Decode(Encoding::kGzip, *packed.body);
  response.body = std::make_shared<const std::string>(plain ? plain->text : "");
  return response;
}

// RFC 9110 §13.1.2: a list of tags, or "*"; a weak tag is as good as ours.
bool Matches(std::string_view if_none_match, std::string_view etag) {
  return if_none_match == "*" || if_none_match.find(etag) != std::string_view::npos;
}

web::Handler AssetHandler(const Asset& asset) {
  return [asset, packed = MakeResponse(asset)](const web::Request& request) {
    if (Matches(request.if_none_match, asset.etag)) {
      auto unchanged = packed;
      unchanged.status = 304;
      unchanged.content_encoding = "";
      unchanged.body.reset();
      return unchanged;
    }
    return Negotiate(request.accept, request.accept_encoding).gzip ? packed : Unpacked(packed);
  };
}

}  // namespace

void AddAssets(web::Router& router, std::span<const Asset> assets) {
  for (const auto& asset : assets) {
    router.Add(std::string(asset.path), AssetHandler(asset));
  }
}

void AddPage(web::Router& router, std::span<const Asset> assets) {
  AddAssets(router, assets);
  if (!assets.empty()) {
    auto moved = web::Text(308, "The page is at /\n");
    moved.headers.emplace_back("Location", "/");
    router.Add("/ui", [moved](const web::Request&) { return moved; });
  }
}

}  // namespace limpet
