#include "exporter/common/web/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/verify_context.hpp>
#include <cerrno>
#include <climits>
#include <compare>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "exporter/common/regular_file.h"

namespace limpet::web {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

constexpr std::size_t kMaxPemBytes = std::size_t{4} << 20U;  // Debian's bundle has 220 kB

// The reason of OpenSSL's oldest error, which names the cause; the rest is dropped.
std::string PopReason() {
  const auto code = ::ERR_get_error();
  ::ERR_clear_error();
  const char* reason = ::ERR_reason_error_string(code);
  return reason != nullptr ? reason : "unknown error";
}

int ToOpenSsl(TlsVersion version) {
  switch (version) {
    case TlsVersion::kTls10:
      return TLS1_VERSION;
    case TlsVersion::kTls11:
      return TLS1_1_VERSION;
    case TlsVersion::kTls12:
      return TLS1_2_VERSION;
    case TlsVersion::kTls13:
      return TLS1_3_VERSION;
  }
  return TLS1_2_VERSION;
}

// What tells one state of the files from another.
// Not the modification time alone: a renewed file may be put there with an older one.
struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t changed_ns = 0;
  auto operator<=>(const FileState&) const = default;
};

std::vector<FileState> States(const TlsConfig& config) {
  std::vector<FileState> states;
  for (const auto* path : {&config.cert_file, &config.key_file, &config.client_ca_file}) {
    struct stat found {};
    FileState state;
    if (!path->empty() && ::stat(path->c_str(), &found) == 0) {
      state = {found.st_dev, found.st_ino, found.st_size,
               found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec};
    }
    states.push_back(state);
  }
  return states;
}

Error FileError(std::string_view key, const std::string& path, const std::string& message) {
  return {ErrorCode::kInvalid, message, "tls_server_config." + std::string(key) + " " + path};
}

// OpenSSL reports a missing file as "system lib"; we say it as the system does.
Error Unusable(std::string_view key, const std::string& path, std::string_view wanted) {
  const auto reason = PopReason();
  struct stat ignored {};
  if (::stat(path.c_str(), &ignored) != 0) {
    const int number = errno;
    return FileError(key, path,
                     std::generic_category().message(number) + "; expected " + std::string(wanted));
  }
  return FileError(
      key, path,
      "not usable (" + reason + "); expected " + std::string(wanted) + ", readable by this user");
}

std::vector<std::string> AlternativeNames(X509* certificate) {
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, decltype(&::GENERAL_NAMES_free)> all(
      static_cast<GENERAL_NAMES*>(
          ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      &::GENERAL_NAMES_free);
  for (int i = 0; all && i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const auto* name = sk_GENERAL_NAME_value(all.get(), i);
    if (name->type == GEN_DNS || name->type == GEN_EMAIL || name->type == GEN_URI) {
      const auto* text = name->d.ia5;
      names.emplace_back(reinterpret_cast<const char*>(::ASN1_STRING_get0_data(text)),
                         static_cast<std::size_t>(::ASN1_STRING_length(text)));
    } else if (name->type == GEN_IPADD) {
      const auto* address = name->d.iPAddress;
      std::array<char, INET6_ADDRSTRLEN> text{};
      const int family = ::ASN1_STRING_length(address) == 4 ? AF_INET : AF_INET6;
      if (::ASN1_STRING_length(address) == 4 || ::ASN1_STRING_length(address) == 16) {
        ::inet_ntop(family, ::ASN1_STRING_get0_data(address), text.data(), text.size());
        names.emplace_back(text.data());
      }
    }
  }
  return names;
}

int VerifyMode(ClientAuth auth) {
  switch (auth) {
    case ClientAuth::kNone:
      return SSL_VERIFY_NONE;
    case ClientAuth::kRequest:
    case ClientAuth::kVerifyIfGiven:
      return SSL_VERIFY_PEER;
    case ClientAuth::kRequireAny:
    case ClientAuth::kRequireAndVerify:
      return SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  }
  return SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
}

Error ConfigError(std::string_view key, std::string message) {
  return {ErrorCode::kInvalid, std::move(message), "tls_server_config." + std::string(key)};
}

Result<void> SetCiphers(SSL_CTX* context, const TlsConfig& config) {
  std::string list;
  for (const auto& suite : config.cipher_suites) {
    const char* name = ::OPENSSL_cipher_name(suite.c_str());
    if (name == nullptr || std::string_view(name) == "(NONE)") {
      return ConfigError("cipher_suites", "OpenSSL has no suite " + suite);
    }
    list += (list.empty() ? "" : ":") + std::string(name);
  }
  // Those of TLS 1.3 alone leave the list for 1.2 empty, which OpenSSL reports as no match.
  if (!list.empty() && ::SSL_CTX_set_cipher_list(context, list.c_str()) != 1 &&
      config.min_version < TlsVersion::kTls13) {
    return ConfigError("cipher_suites",
                       "no suite for TLS 1.2 and below among " + list + " (" + PopReason() + ")");
  }
  ::ERR_clear_error();  // or the next call's error would be this one
  return {};
}

Result<void> SetCurves(SSL_CTX* context, const TlsConfig& config) {
  std::string list;
  for (const auto& curve : config.curve_preferences) {
    list += (list.empty() ? "" : ":") + curve;
  }
  if (!list.empty() && SSL_CTX_set1_groups_list(context, list.c_str()) != 1) {
    return ConfigError("curve_preferences",
                       "OpenSSL does not accept " + list + " (" + PopReason() + ")");
  }
  return {};
}

void SetOptions(SSL_CTX* context, const TlsConfig& config) {
  // No resumption: it would let a client in that a new client_ca_file refuses.
  ::SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  // The cache above is TLS 1.2's, tickets are 1.3's.
  ::SSL_CTX_set_num_tickets(context, 0);
  ::SSL_CTX_set_options(context,
                        SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                            SSL_OP_IGNORE_UNEXPECTED_EOF |
                            (config.prefer_server_cipher_suites ? SSL_OP_CIPHER_SERVER_PREFERENCE
                                                                : std::uint64_t{0}));
  ::SSL_CTX_set_min_proto_version(context, ToOpenSsl(config.min_version));
  ::SSL_CTX_set_max_proto_version(context, ToOpenSsl(config.max_version));
  if (config.min_version < TlsVersion::kTls12) {
    ::SSL_CTX_set_security_level(context, 0);  // else OpenSSL 3 offers no suite for them
  }
}

// OpenSSL would read a device for ever and wait for the writer of a pipe; whatever else is wrong
// with the file it says better itself.
Result<void> CheckRegular(std::string_view key, const std::string& path) {
  const auto text = ReadRegularFile(path, kMaxPemBytes);
  const bool endless = !text && (text.error().code == ErrorCode::kInvalid ||
                                 text.error().code == ErrorCode::kTooLarge);
  return endless ? Result<void>(FileError(key, path, text.error().message)) : Result<void>();
}

Result<void> LoadCertificate(SSL_CTX* context, const TlsConfig& config) {
  for (const auto& [key, path] :
       {std::pair("cert_file", &config.cert_file), std::pair("key_file", &config.key_file)}) {
    if (auto regular = CheckRegular(key, *path); !regular) {
      return regular;
    }
  }
  if (::SSL_CTX_use_certificate_chain_file(context, config.cert_file.c_str()) != 1) {
    return Unusable("cert_file", config.cert_file, "a PEM certificate with its chain");
  }
  if (::SSL_CTX_use_PrivateKey_file(context, config.key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Unusable(
        "key_file", config.key_file,
        "the PEM key of the certificate in " + config.cert_file + ", without passphrase");
  }
  if (::SSL_CTX_check_private_key(context) != 1) {
    return FileError("key_file", config.key_file,
                     "is not the key of the certificate in " + config.cert_file);
  }
  return {};
}

bool HasAllowedName(X509* certificate, const std::vector<std::string>& allowed) {
  const auto names = AlternativeNames(certificate);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(allowed.begin(), allowed.end(), name) != allowed.end();
  });
}

Result<void> SetClientVerification(ssl::context& context, const TlsConfig& config,
                                   const LogSink& log) {
  const bool is_verified = config.client_auth == ClientAuth::kVerifyIfGiven ||
                           config.client_auth == ClientAuth::kRequireAndVerify;
  if (is_verified) {
    if (auto regular = CheckRegular("client_ca_file", config.client_ca_file); !regular) {
      return regular;
    }
    // The names are sent to clients, which choose among their certificates by them.
    auto* names = ::SSL_load_client_CA_file(config.client_ca_file.c_str());
    if (names == nullptr ||
        ::SSL_CTX_load_verify_file(context.native_handle(), config.client_ca_file.c_str()) != 1) {
      sk_X509_NAME_pop_free(names, ::X509_NAME_free);
      return Unusable("client_ca_file", config.client_ca_file, "PEM certificates");
    }
    ::SSL_CTX_set_client_CA_list(context.native_handle(), names);
  }
  context.set_verify_mode(VerifyMode(config.client_auth));
  // Called for each certificate of the chain; the client's own is at depth 0.
  context.set_verify_callback([is_verified, allowed = config.client_allowed_sans, log](
                                  bool is_good, ssl::verify_context& chain) {
    // With the types that do not verify, OpenSSL still finds fault with every self-signed one.
    if (is_verified && !is_good) {
      return false;
    }
    auto* const handle = chain.native_handle();
    if (allowed.empty() || ::X509_STORE_CTX_get_error_depth(handle) != 0 ||
        HasAllowedName(::X509_STORE_CTX_get_current_cert(handle), allowed)) {
      return true;
    }
    log(LogLevel::kDebug, "no subject alternative name of the client is in client_allowed_sans");
    ::X509_STORE_CTX_set_error(handle, X509_V_ERR_APPLICATION_VERIFICATION);
    return false;
  });
  return {};
}

Result<std::unique_ptr<ssl::context>> Load(const TlsConfig& config, const LogSink& log) {
  ::ERR_clear_error();
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  auto* const handle = context->native_handle();
  SetOptions(handle, config);
  if (auto set = SetCiphers(handle, config); !set) {
    return set.error();
  }
  if (auto set = SetCurves(handle, config); !set) {
    return set.error();
  }
  if (auto loaded = LoadCertificate(handle, config); !loaded) {
    return loaded.error();
  }
  if (auto set = SetClientVerification(*context, config, log); !set) {
    return set.error();
  }
  return context;
}

class ReloadingContext final : public TlsContext {
 public:
  ReloadingContext(std::unique_ptr<ssl::context> context, TlsConfig config,
                   std::vector<FileState> states, const Clock& clock, LogSink log)
      : context_(std::move(context)),
        config_(std::move(config)),
        states_(std::move(states)),
        clock_(clock),
        log_(std::move(log)),
        looked_(clock.Steady()) {}

  ssl::context& Current() override {
    ReloadWhenChanged();
    return *context_;
  }

 private:
  void ReloadWhenChanged() {
    const auto now = clock_.Steady();
    // A new connection must not cost three stat calls in a flood of them.
    if (now - looked_ < std::chrono::seconds(1)) {
      return;
    }
    looked_ = now;
    auto states = States(config_);
    if (states == states_) {
      return;
    }
    states_ = std::move(states);  // also of files that do not work: say so once for each change
    auto context = Load(config_, log_);
    if (!context) {
      log_(LogLevel::kError, "the changed TLS files are not used, the earlier ones are kept: " +
                                 context.error().Text());
      return;
    }
    context_ = *std::move(context);
    log_(LogLevel::kInfo, "TLS certificate read again from " + config_.cert_file);
  }

  std::unique_ptr<ssl::context> context_;
  TlsConfig config_;
  std::vector<FileState> states_;
  const Clock& clock_;
  LogSink log_;
  SteadyTime looked_;
};

}  // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::Create(const TlsConfig& config, const Clock& clock,
                                                       LogSink log) {
  auto states = States(config);
  auto context = Load(config, log);
  if (!context) {
    return context.error();
  }
  return std::unique_ptr<TlsContext>(std::make_unique<ReloadingContext>(
      *std::move(context), config, std::move(states), clock, std::move(log)));
}

bool IsPlainHttp(const error_code& problem) {
  return problem.category() == boost::asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(problem.value())) == SSL_R_HTTP_REQUEST;
}

}  // namespace limpet::web
