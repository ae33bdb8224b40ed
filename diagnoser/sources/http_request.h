// http_request.h: the request that asks an endpoint for its page.
//
// Includes Beast: for the two or three files that speak HTTP. Threads: pure.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <string>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/target.h"
#include "exporter/common/time.h"

namespace limpet {

// A GET with the endpoint's path, credentials and headers; `timeout` is announced as Prometheus
// does, so that a target can give up in time.
[[nodiscard]] boost::beast::http::request<boost::beast::http::string_body> MakeRequest(
    const Endpoint& endpoint, Duration timeout);

// A request that uploads, with the same fields.
[[nodiscard]] boost::beast::http::request<boost::beast::http::string_body> MakeUpload(
    const Endpoint& endpoint, Duration timeout, const Upload& upload);

}  // namespace limpet
