// slowdisk: a modelled disk, served as the file "disk" of a FUSE mount.
//
//   slowdisk [--mb-per-second 20] [--channels 1] [--control FILE] BACKING_FILE MOUNTPOINT
//
// A loop device is put on MOUNTPOINT/disk (losetup --direct-io=on). Requests then stay in flight
// in the loop device for as long as the modelled disk needs, so its line in /proc/diskstats has
// real queues and service times. arm.h describes the disk, third_party.h the control file, which
// is read four times a second.
//
// With --channels N it is an array of N such arms, or a LUN behind a controller: they take requests
// from one queue and serve N at once, each in its own time.
//
// One thread for all arms: they only wait. Written zeros become holes, so that dd of zeros stores
// nothing.
// Ends with 0 when it is unmounted, 1 when it cannot start, 2 on wrong use.
#include <fcntl.h>
#include <linux/falloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "tests/lab/slowdisk/arm.h"
#include "tests/lab/slowdisk/fuse_file.h"
#include "tests/lab/slowdisk/third_party.h"

namespace limpet::slowdisk {
namespace {

constexpr auto kControlEvery = std::chrono::milliseconds(250);
constexpr std::uint64_t kThirdPartyTag = std::uint64_t{1} << 63;  // plus the lane; else a work id

Instant Now() { return std::chrono::steady_clock::now(); }

bool AllZero(const std::vector<char>& data) {
  return !data.empty() && data[0] == 0 &&
         std::memcmp(data.data(), data.data() + 1, data.size() - 1) == 0;
}

class Disk {
 public:
  Disk(const Shape& shape, std::size_t channels, int backing, FuseFile& file,
       std::string control_path)
      : shape_(shape),
        arms_(channels),
        backing_(backing),
        file_(file),
        control_path_(std::move(control_path)),
        third_party_(shape.size),
        queue_(Patience(shape)) {}

  void RunUntilUnmounted() {
    while (!file_.Unmounted()) {
      ReadControl();
      TakeWork();
      for (auto& arm : arms_) {
        if (arm.serving && Now() >= arm.finish) {
          Finish(*std::exchange(arm.serving, std::nullopt));
        }
        if (!arm.serving) {
          Begin(arm);
        }
      }
      Wait();
    }
  }

 private:
  struct Arm {
    std::optional<Request> serving;
    Instant finish{};  // when the arm is or was free
    std::uint64_t head = 0;
  };

  void ReadControl() {
    if (Now() < next_control_) {
      return;
    }
    next_control_ = Now() + kControlEvery;
    std::ifstream stream(control_path_);
    control_ = ParseControl(std::string(std::istreambuf_iterator<char>(stream), {}));
    for (std::size_t lane = 0; lane < control_.depth; ++lane) {
      if (!lane_live_.at(lane)) {
        lane_live_.at(lane) = true;
        AddThirdParty(lane);
      }
    }
  }

  void AddThirdParty(std::size_t lane) {
    queue_.Add({third_party_.NextOffset(lane, control_.request_bytes), control_.request_bytes,
                Now(), kThirdPartyTag | lane});
  }

  void TakeWork() {
    while (auto work = file_.Next()) {
      queue_.Add({work->offset, work->length, Now(), next_work_});
      work_.emplace(next_work_++, std::move(*work));
    }
  }

  void Begin(Arm& arm) {
    arm.serving = queue_.Take(arm.head, Now());
    if (!arm.serving) {
      return;
    }
    const auto& request = *arm.serving;
    // The arm moves on from when it became free, not from when this thread woke up.
    const Instant start = std::max(arm.finish, request.arrived);
    Nanoseconds time{0};
    if (control_.speed > 0) {
      const Nanoseconds modelled = ServiceTime(shape_, arm.head, request.offset, request.length);
      time = Nanoseconds(
          static_cast<std::int64_t>(static_cast<double>(modelled.count()) / control_.speed));
    }
    arm.finish = start + time;
    arm.head = request.offset + request.length;
  }

  void Finish(const Request& request) {
    if ((request.tag & kThirdPartyTag) != 0) {
      const std::size_t lane = request.tag & ~kThirdPartyTag;
      if (lane < control_.depth) {
        AddThirdParty(lane);  // a closed loop: ask again
      } else {
        lane_live_.at(lane) = false;
      }
      return;
    }
    const auto found = work_.find(request.tag);
    if (found->second.is_write) {
      Write(found->second);
    } else {
      Read(found->second);
    }
    work_.erase(found);
  }

  void Read(const Work& work) {
    buffer_.resize(work.length);
    const ssize_t got =
        ::pread(backing_, buffer_.data(), work.length, static_cast<off_t>(work.offset));
    if (got < 0) {
      file_.AnswerError(work.unique, errno);
    } else {
      file_.AnswerRead(work.unique, buffer_.data(), static_cast<std::size_t>(got));
    }
  }

  void Write(const Work& work) {
    const auto offset = static_cast<off_t>(work.offset);
    const bool hole =
        AllZero(work.data) && ::fallocate(backing_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                          offset, static_cast<off_t>(work.length)) == 0;
    if (!hole) {
      const ssize_t put = ::pwrite(backing_, work.data.data(), work.length, offset);
      if (put != static_cast<ssize_t>(work.length)) {
        return file_.AnswerError(work.unique, put < 0 ? errno : ENOSPC);
      }
    }
    file_.AnswerWrite(work.unique, work.length);
  }

  void Wait() {
    Instant until = next_control_;
    for (const auto& arm : arms_) {
      until = arm.serving ? std::min(until, arm.finish) : until;
    }
    if (until <= Now()) {
      return;
    }
    const auto left =
        std::max(std::chrono::duration_cast<Nanoseconds>(until - Now()), Nanoseconds(0));
    const timespec timeout{.tv_sec = static_cast<time_t>(left.count() / 1'000'000'000),
                           .tv_nsec = static_cast<long>(left.count() % 1'000'000'000)};
    pollfd poll{.fd = file_.Descriptor(), .events = POLLIN, .revents = 0};
    ::ppoll(&poll, 1, &timeout, nullptr);
  }

  Shape shape_;
  std::vector<Arm> arms_;
  int backing_;
  FuseFile& file_;
  std::string control_path_;
  ThirdParty third_party_;
  std::array<bool, kMaxDepth> lane_live_{};
  Control control_;
  Instant next_control_{};
  Queue queue_;
  std::map<std::uint64_t, Work> work_;  // by tag
  std::uint64_t next_work_ = 0;
  std::vector<char> buffer_;
};

int Serve(double mb_per_second, std::size_t channels, const std::string& control,
          const std::string& backing_path, const std::string& mountpoint) {
  const int backing = ::open(backing_path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat status {};
  if (backing < 0 || ::fstat(backing, &status) != 0) {
    throw std::system_error(errno, std::generic_category(), backing_path);
  }
  const Shape shape{.size = static_cast<std::uint64_t>(status.st_size),
                    .bytes_per_second = mb_per_second * 1e6};
  FuseFile file(mountpoint, shape.size);
  ::prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);  // no write-back that waits for ourselves
  ::prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
  Disk(shape, channels, backing, file, control).RunUntilUnmounted();
  return 0;
}

}  // namespace
}  // namespace limpet::slowdisk

int main(int argc, char** argv) {
  CLI::App app("A modelled disk with one arm, served as MOUNTPOINT/disk", "slowdisk");
  double mb_per_second = 20;
  std::size_t channels = 1;
  std::string control;
  std::string backing;
  std::string mountpoint;
  app.add_option("--mb-per-second", mb_per_second, "Transfer rate of an arm, 10^6 bytes a second")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--channels", channels, "Arms that serve one request each, at the same time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--control", control, "Control file: DEPTH SIZE_KIB SPEED");
  app.add_option("BACKING_FILE", backing, "What the disk holds; its size is the disk's")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("MOUNTPOINT", mountpoint, "An empty folder")
      ->required()
      ->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return limpet::slowdisk::Serve(mb_per_second, channels, control, backing, mountpoint);
  } catch (const std::system_error& error) {
    std::cerr << "slowdisk: " << error.what() << '\n';
    return 1;
  }
}
