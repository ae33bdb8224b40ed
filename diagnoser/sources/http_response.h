// http_response.h: from an HTTP answer to a page, or to the reason why it is none.
//
// Includes Beast: for the fetcher only. Threads: pure.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "diagnoser/sources/fetcher.h"
#include "diagnoser/sources/target.h"

namespace limpet {

// The times of the result are left to the caller.
[[nodiscard]] FetchResult ReadResponse(
    boost::beast::http::response<boost::beast::http::string_body> message,
    const Endpoint& endpoint);

// The same of the answer to a POST: whatever it holds, 200 to 299 is success. `body` is its first
// 2048 bytes, also of a failure.
[[nodiscard]] FetchResult ReadReceipt(
    const boost::beast::http::response<boost::beast::http::string_body>& message);

}  // namespace limpet
