// state_saver.h: writes the state on a thread of its own, since fsync on a sick disk may take
// minutes and the diagnosis must not wait for it.
//
// Threads: Offer by one thread; the destructor writes what was offered last and waits for it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace limpet {

class StateSaver {
 public:
  using Save = std::function<void(const std::string& encoded)>;

  explicit StateSaver(Save save) : save_(std::move(save)), thread_([this] { Run(); }) {}
  ~StateSaver();
  StateSaver(const StateSaver&) = delete;
  StateSaver& operator=(const StateSaver&) = delete;

  // Takes the place of one that still waits to be written.
  void Offer(std::string encoded);

 private:
  void Run();

  Save save_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace limpet
