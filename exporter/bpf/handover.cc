#include "exporter/bpf/handover.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "exporter/common/text.h"

namespace limpet::bpf {
namespace {

constexpr std::size_t kMaxMessage = 16U << 10U;
constexpr std::size_t kMaxDescriptors = 64;

std::optional<Handed> DecodeLine(std::string_view line) {
  Fields fields(line);
  const auto kind = ParseU64(fields.Next());
  const auto bytes = ParseU64(fields.Next());
  const auto name = fields.Next();
  if (!kind || *kind > static_cast<std::uint64_t>(Kind::kLink) || !bytes || name.empty()) {
    return std::nullopt;
  }
  Handed handed;
  handed.kind = static_cast<Kind>(*kind);
  handed.name = name;
  handed.bytes = *bytes;
  return handed;
}

}  // namespace

Error SystemProblem(const char* what) {
  return {ErrorCode::kInternal, std::string(what) + ": " + std::generic_category().message(errno),
          "bpf-loader"};
}

std::string EncodeHandover(const Result<std::vector<Handed>>& loaded) {
  if (!loaded) {
    return "error " + std::to_string(static_cast<int>(loaded.error().code)) + " " +
           loaded.error().Text();
  }
  std::string text;
  for (const auto& one : *loaded) {
    text += std::to_string(static_cast<int>(one.kind)) + " " + std::to_string(one.bytes) + " " +
            one.name + "\n";
  }
  return text;
}

std::optional<Result<std::vector<Handed>>> DecodeHandover(std::string_view text) {
  constexpr std::string_view kError = "error ";
  if (text.starts_with(kError)) {
    text.remove_prefix(kError.size());
    const auto blank = text.find(' ');
    const auto code = ParseU64(text.substr(0, blank));
    if (!code || *code > static_cast<std::uint64_t>(ErrorCode::kInternal) ||
        blank == std::string_view::npos) {
      return std::nullopt;
    }
    return Result<std::vector<Handed>>(
        Error{static_cast<ErrorCode>(*code), std::string(text.substr(blank + 1)), ""});
  }
  std::vector<Handed> all;
  Lines lines(text);
  while (const auto line = lines.Next()) {
    auto handed = DecodeLine(*line);
    if (!handed) {
      return std::nullopt;
    }
    all.push_back(*std::move(handed));
  }
  return Result(std::move(all));
}

Result<void> Send(int socket, const Result<std::vector<Handed>>& loaded) {
  std::string text = EncodeHandover(loaded);
  text.resize(std::min(text.size(), kMaxMessage));
  iovec part{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  std::vector<int> descriptors;
  if (loaded) {
    for (const auto& one : *loaded) {
      descriptors.push_back(one.descriptor.Get());
    }
  }
  const auto bytes = descriptors.size() * sizeof(int);
  std::vector<char> control(CMSG_SPACE(bytes));
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(header), descriptors.data(), bytes);
  }
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? Result<void>(SystemProblem("sendmsg"))
                                                       : Result<void>();
}

Result<std::vector<Handed>> Receive(int socket) {
  std::string text(kMaxMessage, '\0');
  iovec part{text.data(), text.size()};
  std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const auto length = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (length < 0) {
    return SystemProblem("recvmsg");
  }
  // Owned at once: whatever else is wrong, none of them stays open.
  std::vector<Descriptor> descriptors;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      std::vector<int> numbers((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(numbers.data(), CMSG_DATA(header), numbers.size() * sizeof(int));
      for (const int number : numbers) {
        descriptors.emplace_back(number);
      }
    }
  }
  auto decoded = DecodeHandover(std::string_view(text).substr(0, static_cast<std::size_t>(length)));
  if (length == 0 || !decoded) {
    return Error{ErrorCode::kInternal, "the loader ended without a result", "bpf-loader"};
  }
  if (!*decoded) {
    return decoded->error();
  }
  auto handed = *std::move(*decoded);
  if (handed.size() != descriptors.size()) {
    return Error{ErrorCode::kInternal, "descriptors were lost on their way", "bpf-loader"};
  }
  for (std::size_t i = 0; i < handed.size(); ++i) {
    handed[i].descriptor = std::move(descriptors[i]);
  }
  return handed;
}

}  // namespace limpet::bpf
