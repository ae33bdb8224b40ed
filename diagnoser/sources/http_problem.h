// http_problem.h: why an exchange with a target ended without an answer, in words.
//
// Includes Beast's errors: for the fetcher only. Threads: pure.
#pragma once

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "diagnoser/sources/page.h"

namespace limpet {

// The step that a request is waiting for.
enum class Stage : std::uint8_t { kResolving, kConnecting, kHandshake, kSending, kHeader, kBody };

// "connecting", for messages.
[[nodiscard]] std::string_view Describe(Stage stage);

// Explains how `code` ended an exchange in `stage`; untouched: no byte of an answer has come.
// `https`: what we spoke.
[[nodiscard]] FetchProblem ExplainBreak(boost::system::error_code code, Stage stage, bool untouched,
                                        std::size_t max_body, bool https);

// Why a TLS handshake failed and what to do about it. `verified`: OpenSSL's verdict on the
// certificate (X509_V_…); `named`: the name that was expected in it.
[[nodiscard]] std::string ExplainHandshake(boost::system::error_code code, int verified,
                                           const std::string& named);

}  // namespace limpet
