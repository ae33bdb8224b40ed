#include "exporter/common/web/metrics_page.h"

#include "exporter/common/exposition/negotiate.h"

namespace limpet::web {

Response MetricsResponse(const Request& request, const PageSource& page) {
  const auto agreed = Negotiate(request.accept, request.accept_encoding);
  Response response;
  response.content_type = ContentType(agreed.format);
  response.content_encoding = agreed.gzip ? "gzip" : "";
  response.body = page(agreed.format, agreed.gzip);
  // On plain answers, too: a cache must not keep one of them for everybody.
  response.headers.emplace_back("Vary", "Accept, Accept-Encoding");
  return response;
}

}  // namespace limpet::web
