// state_saver.h: writes the state on a thread of its own, since fsync on a sick disk may take
// minutes and the diagnosis must not wait for it.
//
// Threads: Offer by one thread; the destructor writes what was offered last and waits for it.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "diagnoser/runtime/mailbox.h"

namespace limpet {

class StateSaver {
 public:
  using Save = std::function<void(const std::string& encoded)>;

  explicit StateSaver(Save save) : save_(std::move(save)), thread_([this] { Run(); }) {}
  ~StateSaver();
  StateSaver(const StateSaver&) = delete;
  StateSaver& operator=(const StateSaver&) = delete;

  // Takes the place of one that still waits to be written.
  void Offer(std::string encoded) { mailbox_.Replace(std::move(encoded)); }

 private:
  void Run();

  Save save_;
  Mailbox<std::variant<std::string>> mailbox_{0};  // one state waits at most
  std::thread thread_;                             // last: it uses the others
};

}  // namespace limpet
