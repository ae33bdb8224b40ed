// tls_client.h: TLS towards a target, from its tls_config.
//
// Includes Asio and OpenSSL: for the fetcher only. Threads: a context belongs to one connection.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <string>

#include "diagnoser/sources/target.h"

namespace limpet {

// TLS 1.2 and later, with the endpoint's authorities and our certificate if it names one. Throws
// boost::system::system_error when a file cannot be used, std::runtime_error when it is no regular
// file of at most 4 MiB.
[[nodiscard]] boost::asio::ssl::context MakeTlsContext(const TlsClient& tls);

// Sets the name that the target's certificate must be good for, and that it is asked for by (SNI).
void ExpectName(boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>& stream,
                const std::string& name, const TlsClient& tls);

// OpenSSL's verdict on the certificate, X509_V_…; X509_V_OK before there was one.
[[nodiscard]] int VerifyResult(boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>& stream);

}  // namespace limpet
