// outgoing.h: a response on its way out: which bytes are to be sent next.
//
// The head is made for this response; the body stays where it lies.
// Threads: one connection's.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace limpet::web {

class Outgoing {
 public:
  Outgoing() = default;
  // `body` may be null (HEAD). The first `body_with_head` bytes of it are copied behind the head:
  // over TLS the head would be a packet of its own otherwise.
  Outgoing(std::string head, std::shared_ptr<const std::string> body,
           std::size_t body_with_head = 0)
      : head_(std::move(head)), body_(std::move(body)) {
    if (body_) {
      body_sent_ = std::min(body_with_head, body_->size());
      head_.append(*body_, 0, body_sent_);
    }
  }

  // What is left: of the head, of the body. Valid until the next call that changes anything.
  [[nodiscard]] std::array<std::string_view, 2> Pieces() const {
    return {std::string_view(head_).substr(head_sent_),
            body_ ? std::string_view(*body_).substr(body_sent_) : std::string_view()};
  }
  [[nodiscard]] bool IsDone() const {
    const auto pieces = Pieces();
    return pieces[0].empty() && pieces[1].empty();
  }
  // `bytes` of the pieces, in their order, are out.
  void Sent(std::size_t bytes) {
    const auto of_head = std::min(bytes, head_.size() - head_sent_);
    head_sent_ += of_head;
    body_sent_ += bytes - of_head;
  }

 private:
  std::string head_;
  std::shared_ptr<const std::string> body_;
  std::size_t head_sent_ = 0;
  std::size_t body_sent_ = 0;
};

}  // namespace limpet::web
