#include "diagnoser/sources/tls_client.h"

#include <openssl/ssl.h>

#include <boost/asio/ssl/host_name_verification.hpp>
#include <stdexcept>

#include "exporter/common/regular_file.h"

namespace limpet {

namespace ssl = boost::asio::ssl;

namespace {

constexpr std::size_t kMaxPemBytes = std::size_t{4} << 20U;  // Debian's bundle has 220 kB

// OpenSSL would read a device for ever and wait for the writer of a pipe, and with it the thread of
// all scrapes.
const std::string& CheckRegular(const std::string& path) {
  const auto text = ReadRegularFile(path, kMaxPemBytes);
  if (!text) {
    throw std::runtime_error(text.error().Text());
  }
  return path;
}

}  // namespace

ssl::context MakeTlsContext(const TlsClient& tls) {
  ssl::context context(ssl::context::tls_client);
  context.set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  // As in Prometheus: a ca_file replaces the system's authorities, it does not join them.
  if (tls.ca_file.empty()) {
    context.set_default_verify_paths();
  } else {
    context.load_verify_file(CheckRegular(tls.ca_file));
  }
  if (!tls.cert_file.empty()) {
    context.use_certificate_chain_file(CheckRegular(tls.cert_file));
    context.use_private_key_file(CheckRegular(tls.key_file), ssl::context::pem);
  }
  context.set_verify_mode(tls.insecure_skip_verify ? ssl::verify_none : ssl::verify_peer);
  return context;
}

void ExpectName(ssl::stream<boost::asio::ip::tcp::socket&>& stream, const std::string& name,
                const TlsClient& tls) {
  if (!tls.insecure_skip_verify) {
    stream.set_verify_callback(
        [matches = ssl::host_name_verification(name)](bool trusted, ssl::verify_context& context) {
          if (trusted && !matches(trusted, context)) {
            // OpenSSL would say "certificate verify failed" for this as for a missing authority.
            X509_STORE_CTX_set_error(context.native_handle(), X509_V_ERR_HOSTNAME_MISMATCH);
            return false;
          }
          return trusted;
        });
  }
  boost::system::error_code not_an_address;
  (void)boost::asio::ip::make_address(name, not_an_address);
  // A server of many names picks its certificate by this one; RFC 6066 §3 forbids addresses here.
  if (not_an_address) {
    SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             const_cast<char*>(name.c_str()));
  }
}

int VerifyResult(ssl::stream<boost::asio::ip::tcp::socket&>& stream) {
  return static_cast<int>(SSL_get_verify_result(stream.native_handle()));
}

}  // namespace limpet
