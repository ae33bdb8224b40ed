// device_reader.h: what the files of single devices say, read beside the tick.
//
// A file of a sick device may not return for minutes, or never: `serial` of a dead drive,
// `rotational` while its queue is frozen, `speed` of an interface while another holds the RTNL
// lock. That costs the answer of this device alone: its thread is left behind, another goes on with
// the rest, and the tick, which has read its counters by then, waits for nobody. Only what has
// never answered is waited for a moment, so that a device's first page says what it is.
// Bound:   AbandonableWork::kMaxHanging threads are left behind; with so many no further device is
//          read, and facts_unreadable says so of each. A device is never read twice at once.
// Late:    an answer counts whenever it comes, from a thread left behind too.
// Files:   what `Read` reads by FileReader::Read stays open until a device is gone or hangs.
// Threads: one owner; `Read` runs on others and must touch nothing but its arguments.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/collectors/module.h"
#include "exporter/collectors/unreadable.h"
#include "exporter/common/abandoned.h"
#include "exporter/common/files.h"
#include "exporter/common/time.h"

namespace limpet {

struct DeviceReaderOptions {
  // Returns how long Take waits for the next answer while a device is new; ten times that in all.
  Duration first_wait = std::chrono::milliseconds(20);
  // The same for devices that have answered before, at ticks at which one is asked.
  Duration later_wait{};
  // An answer that takes longer is missing, and told as such.
  Duration patience = std::chrono::seconds(5);

  friend bool operator==(const DeviceReaderOptions&, const DeviceReaderOptions&) = default;
};

// Files that note what is about to be read, and what could not be.
class NotedFiles final : public FileReader {
 public:
  using Note = std::function<void(std::string_view path)>;
  // All three must outlive it.
  NotedFiles(FileReader& files, const Note& note, std::vector<UnreadableFile>& unreadable)
      : files_(files), note_(note), unreadable_(unreadable) {}

  Result<std::string_view> Read(std::string_view path) override;
  Result<std::string_view> ReadOnce(std::string_view path) override;
  Result<std::vector<std::string>> List(std::string_view folder) override;
  bool Exists(std::string_view path) override;

 private:
  void Complain(std::string_view path, const Error& error);

  FileReader& files_;
  const Note& note_;
  std::vector<UnreadableFile>& unreadable_;
};

template <class Answer>
class DeviceReader {
 public:
  // Returns what the files of `device` say.
  using Read = Answer (*)(FileReader& sys, FileReader& proc, const std::string& device);

  DeviceReader(std::string_view collector, const DeviceReaderOptions& options, CollectorInputs in,
               Read read)
      : options_(options), in_(std::move(in)), read_(read), unreadable_(collector, in_.log) {
    in_.bpf = nullptr;  // a thread left behind keeps nothing open
  }

  // Has those of `shown` (entries with a `name`) read that are new, or `all` of them, and forgets
  // the others.
  template <class Shown>
  void AskShown(const Shown& shown, bool all, SteadyTime now) {
    std::set<std::string_view> names;
    for (const auto* entry : shown) {
      names.insert(entry->name);
    }
    Retain([&](const std::string& device) { return names.contains(device); });
    for (const auto* entry : shown) {
      if (all || !devices_.contains(entry->name)) {
        Ask(entry->name, now);
      }
    }
  }
  // Has the device read, unless an answer is still to come.
  void Ask(const std::string& device, SteadyTime now) {
    auto& known = devices_[device];
    if (known.question) {
      return;
    }
    known.question = ++last_question_;
    known.asked = now;
    has_new_ = has_new_ || !known.has_answered;
    has_asked_ = true;
    is_quiet_ = false;
    const std::lock_guard lock(desk_->mutex);
    desk_->waiting.push_back({last_question_, device});
  }

  // Hands use(device, answer) what has been answered since the last call; miss(device) is told of
  // each device whose answer takes longer than it may.
  template <class Use, class Miss>
  void Take(SteadyTime now, const Use& use, const Miss& miss) {
    if (is_quiet_) {
      return;
    }
    Serve(now);
    const auto later = std::exchange(has_asked_, false) ? options_.later_wait : Duration();
    Wait(std::exchange(has_new_, false) ? options_.first_wait : later);
    for (auto& reply : TakeReplies()) {
      const auto found = devices_.find(reply.question.device);
      // Another device may have the name now.
      if (found == devices_.end() || found->second.question != reply.question.number) {
        continue;
      }
      auto& known = found->second;
      known.question.reset();
      known.has_answered = true;
      known.unreadable = std::move(reply.unreadable);
      use(found->first, std::move(reply.answer));
    }
    Tell(now, miss);
  }

  // The answer that is still to come is another device's.
  void Forget(const std::string& device) { is_quiet_ = devices_.erase(device) == 0 && is_quiet_; }
  // Forgets all of which is_there(device) is false.
  template <class IsThere>
  void Retain(const IsThere& is_there) {
    const auto gone =
        std::erase_if(devices_, [&](const auto& one) { return !is_there(one.first); });
    is_quiet_ = gone == 0 && is_quiet_;
    must_reopen_ = must_reopen_ || gone > 0;
  }
  [[nodiscard]] const UnreadableFiles& Unreadable() const { return unreadable_; }

 private:
  struct Device {
    std::optional<std::uint64_t> question;  // without an answer yet
    SteadyTime asked{};
    bool has_answered = false;
    std::vector<UnreadableFile> unreadable;
  };
  struct Question {
    std::uint64_t number = 0;
    std::string device;
  };
  struct Reply {
    Question question;
    Answer answer{};
    std::vector<UnreadableFile> unreadable;
  };
  // State that the owner and the threads share.
  struct Desk {
    std::mutex mutex;
    std::condition_variable done;  // a thread whose turn it is has answered all
    std::deque<Question> waiting;
    std::map<std::uint64_t, std::string> places;  // paths, of questions that are being answered
    std::vector<Reply> replies;
    std::uint64_t begun = 0;  // questions
    std::uint64_t ended = 0;  // questions
    std::uint64_t turn = 0;   // whose turn it is; threads of earlier ones are left behind
    bool is_served = false;   // by a thread whose turn it is
    bool is_reading = false;  // that thread

    // Nullopt when the thread is no longer needed.
    std::optional<Question> Next(std::uint64_t mine) {
      const std::lock_guard lock(mutex);
      if (turn != mine) {
        return std::nullopt;
      }
      is_reading = is_served = !waiting.empty();
      if (waiting.empty()) {
        done.notify_all();  // once, not after each answer: waking the owner costs more than most
        return std::nullopt;
      }
      ++begun;
      auto question = std::move(waiting.front());
      waiting.pop_front();
      return question;
    }
    void Enter(std::uint64_t question, std::string_view path) {
      const std::lock_guard lock(mutex);
      places[question] = path;
    }
    void Put(Reply reply) {
      const std::lock_guard lock(mutex);
      places.erase(reply.question.number);
      replies.push_back(std::move(reply));
      ++ended;
    }
  };

  static constexpr Duration kStall = std::chrono::milliseconds(400);

  static void Work(Desk& desk, std::uint64_t turn, FileReader& sys, FileReader& proc, Read read) {
    while (auto question = desk.Next(turn)) {
      Reply reply{.question = *std::move(question), .answer = {}, .unreadable = {}};
      const NotedFiles::Note note = [&](std::string_view path) {
        desk.Enter(reply.question.number, path);
      };
      NotedFiles noted_sys(sys, note, reply.unreadable);
      NotedFiles noted_proc(proc, note, reply.unreadable);
      try {
        reply.answer = read(noted_sys, noted_proc, reply.question.device);
      } catch (const std::exception& thrown) {
        reply.unreadable.push_back({.path = reply.question.device, .problem = thrown.what()});
      }
      desk.Put(std::move(reply));
    }
  }

  // Sees to it that a thread is at work on what waits.
  void Serve(SteadyTime now) {
    std::unique_lock lock(desk_->mutex);
    if (std::exchange(seen_begun_, desk_->begun) != desk_->begun) {
      seen_at_ = now;
    }
    const bool is_served = desk_->is_served;
    const bool is_stuck = is_served && desk_->is_reading && now - seen_at_ >= kStall;
    const bool is_needed = !desk_->waiting.empty();
    lock.unlock();
    if (is_needed && is_stuck) {
      LeaveBehind();
    } else if (is_needed && !is_served) {
      Start();
    }
  }

  void Start() {
    // The thread may have run out of questions only just now.
    (void)work_.Take(kStall);
    (void)work_.Hanging();  // forgets those that are back
    if (work_.IsRunning() || !work_.HasRoom()) {
      return;
    }
    if (std::exchange(must_reopen_, false)) {
      // Not in_.Sys(): what fails is told by UnreadableFiles.
      sys_ = in_.open(in_.sysfs);
      proc_ = in_.open(in_.procfs);
    }
    std::unique_lock lock(desk_->mutex);
    desk_->is_served = true;
    const auto turn = desk_->turn;
    lock.unlock();
    const bool started = work_.Start(
        [desk = desk_, turn, sys = sys_, proc = proc_, read = read_](WorkPlace& /*place*/) {
          Work(*desk, turn, *sys, *proc, read);
          return true;
        });
    if (!started) {
      lock.lock();
      desk_->is_served = false;  // tried again at the next tick
    }
  }

  void LeaveBehind() {
    {
      const std::lock_guard lock(desk_->mutex);
      ++desk_->turn;
      desk_->is_served = desk_->is_reading = false;
    }
    (void)work_.Abandon();
    must_reopen_ = true;  // the thread left behind has the others
    Start();
  }

  // Waits until all is answered, ten steps at most. Whoever takes two steps while others wait is
  // left behind; a thread that has not begun is not late, but the machine is busy.
  void Wait(Duration step) {
    const auto end = std::chrono::steady_clock::now() + 10 * step;
    std::unique_lock lock(desk_->mutex);
    while (desk_->is_served && std::chrono::steady_clock::now() < end) {
      const auto before = desk_->ended;
      const bool is_done = desk_->done.wait_for(lock, step, [&] { return !desk_->is_served; });
      const bool moves = is_done || desk_->ended != before;
      if (!moves && desk_->is_reading && !desk_->waiting.empty()) {
        lock.unlock();
        LeaveBehind();
        lock.lock();
      }
    }
  }

  std::vector<Reply> TakeReplies() {
    const std::lock_guard lock(desk_->mutex);
    return std::exchange(desk_->replies, {});
  }

  template <class Miss>
  void Tell(SteadyTime now, const Miss& miss) {
    std::vector<UnreadableFile> files;
    is_quiet_ = true;
    std::unique_lock lock(desk_->mutex);
    for (const auto& [name, device] : devices_) {
      is_quiet_ = is_quiet_ && !device.question;
      files.insert(files.end(), device.unreadable.begin(), device.unreadable.end());
      if (device.question && now - device.asked >= options_.patience) {
        miss(name);
        const auto place = desk_->places.find(*device.question);
        using enum UnreadableFile::Reason;
        files.push_back(place == desk_->places.end()
                            ? UnreadableFile{.path = name, .reason = kWaits}
                            : UnreadableFile{.path = place->second, .reason = kHangs});
      }
    }
    lock.unlock();
    unreadable_.Set(files);
  }

  DeviceReaderOptions options_;
  CollectorInputs in_;
  Read read_;
  UnreadableFiles unreadable_;
  std::map<std::string, Device> devices_;
  std::shared_ptr<Desk> desk_ = std::make_shared<Desk>();
  AbandonableWork<bool> work_;
  std::shared_ptr<FileReader> sys_;  // both of the thread that is at work
  std::shared_ptr<FileReader> proc_;
  bool must_reopen_ = true;
  std::uint64_t last_question_ = 0;
  std::uint64_t seen_begun_ = 0;  // when last looked at
  SteadyTime seen_at_{};          // since when it is so
  bool has_new_ = false;
  bool has_asked_ = false;
  bool is_quiet_ = true;  // nothing is being read
};

}  // namespace limpet
