// state_saver.h: encodes and writes the state on a thread of its own, since fsync on a sick disk
// may take minutes, encoding a large fleet's state half a second, and the diagnosis must not wait.
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
  using Encode = std::function<std::string()>;

  explicit StateSaver(Save save) : save_(std::move(save)), thread_([this] { Run(); }) {}
  ~StateSaver();
  StateSaver(const StateSaver&) = delete;
  StateSaver& operator=(const StateSaver&) = delete;

  // Takes the place of one that still waits to be written. `encode` is called on the saver's
  // thread, and destroyed before what it returned is written.
  void Offer(Encode encode) { mailbox_.Replace(std::move(encode)); }

 private:
  void Run();

  Save save_;
  Mailbox<std::variant<Encode>> mailbox_{0};  // one state waits at most
  std::thread thread_;                        // last: it uses the others
};

}  // namespace limpet
