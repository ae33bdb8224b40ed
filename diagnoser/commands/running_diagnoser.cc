#include "diagnoser/commands/running_diagnoser.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "diagnoser/commands/ask.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/sources/address.h"
#include "exporter/common/regular_file.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

// It answers within milliseconds; a host that hangs should not hold up a terminal for long.
constexpr Duration kPatience = 10s;
constexpr std::uint16_t kPort = 9837;
constexpr const char* kDefaultUrl = "http://localhost:9837";

Result<std::string> ReadPassword(const std::string& file) {
  const auto password = ReadRegularFile(file);
  if (!password) {
    return Error{ErrorCode::kInvalid, "cannot read the password: " + password.error().Text(),
                 "--password-file"};
  }
  return std::string(Trim(*password));  // editors end the file with a newline
}

Result<Endpoint> MakeEndpoint(const RunningDiagnoser& diagnoser, std::string_view path) {
  auto endpoint = ParseUrl(diagnoser.url.value_or(kDefaultUrl), kPort);
  if (!endpoint) {
    return Error{ErrorCode::kInvalid, endpoint.error().Text(), "--url"};
  }
  endpoint->path += (endpoint->path.ends_with('/') ? "" : "/") + std::string(path);
  endpoint->accept = "application/json";
  endpoint->tls.ca_file = diagnoser.ca_file;
  if (!diagnoser.username.empty()) {
    auto password = ReadPassword(diagnoser.password_file);
    if (!password) {
      return password.error();
    }
    endpoint->basic_auth = {.username = diagnoser.username, .password = *std::move(password)};
  }
  return endpoint;
}

}  // namespace

void RunningDiagnoser::Bind(Flags& flags) {
  flags.Add(url, "--url", "URL", "running diagnoser to ask", kDefaultUrl);
  flags.Add(username, "--username", "NAME", "user name for its basic authentication");
  flags.Add(password_file, "--password-file", "FILE", "file with the password of --username");
  flags.Add(ca_file, "--ca-file", "FILE", "certificate authority to trust for https");
}

std::string RunningDiagnoser::Problem() const {
  return username.empty() == password_file.empty()
             ? ""
             : "expected --username and --password-file together";
}

Result<std::string> AskDiagnoser(const RunningDiagnoser& diagnoser, std::string_view path) {
  const auto endpoint = MakeEndpoint(diagnoser, path);
  if (!endpoint) {
    return endpoint.error();
  }
  auto result = Ask(*endpoint, kPatience);
  if (result.failure) {
    return Error{ErrorCode::kUnavailable,
                 result.error + "; is limpet-diagnoser running there? --url says where",
                 FormatUrl(*endpoint)};
  }
  return std::move(result.body);
}

Result<std::string> TellDiagnoser(const RunningDiagnoser& diagnoser, std::string_view path,
                                  const std::string& body) {
  const auto endpoint = MakeEndpoint(diagnoser, path);
  if (!endpoint) {
    return endpoint.error();
  }
  auto result = Tell(*endpoint, body, kPatience);
  if (result.failure) {
    const auto reason = PrintableLines(Trim(result.body));
    return Error{ErrorCode::kUnavailable, result.error + (reason.empty() ? "" : ": " + reason),
                 FormatUrl(*endpoint)};
  }
  return std::move(result.body);
}

int PrintAll(std::string_view text, std::string_view command) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0
             ? kExitOk
             : Fail(fmt::format("{}: standard output cannot be written", command), kExitFailed);
}

}  // namespace limpet
