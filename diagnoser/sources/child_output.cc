#include "diagnoser/sources/child_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kPipeBytes = 64U << 10U;
constexpr std::size_t kMaxComplaint = 500;

// Both ends are closed whatever happens: a descriptor that stays open would keep the reader
// waiting.
class Pipe {
 public:
  Pipe() { good_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    CloseEnd(0);
    CloseEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool Good() const { return good_; }
  [[nodiscard]] int From() const { return ends_[0]; }
  [[nodiscard]] int To() const { return ends_[1]; }
  void CloseEnd(std::size_t end) {
    if (ends_.at(end) >= 0) {
      ::close(std::exchange(ends_.at(end), -1));
    }
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
  bool good_ = false;
};

// As exec wants them: the texts must stay where they are while these are in use.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (auto& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

class Child {
 public:
  ~Child() {
    if (id_ > 0) {
      ::kill(id_, SIGKILL);
      (void)Wait();
    }
  }
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // 0, or errno.
  int Start(ChildCommand& command) {
    // Hundreds of files may be open at once, each with a program of its own.
    if (!output_.Good() || !complaints_.Good()) {
      return EMFILE;
    }
    auto arguments = Pointers(command.arguments);
    auto environment = Pointers(command.environment);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    // It must not read what belongs to us, such as a terminal.
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output_.To(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, complaints_.To(), STDERR_FILENO);
    const int failed = ::posix_spawnp(&id_, arguments.front(), &actions, nullptr, arguments.data(),
                                      environment.data());
    ::posix_spawn_file_actions_destroy(&actions);
    // While we hold these ends, the pipes never end.
    output_.CloseEnd(1);
    complaints_.CloseEnd(1);
    id_ = failed == 0 ? id_ : -1;
    return failed;
  }

  // What it printed, nothing at its end; nullopt when `patience` is over first.
  std::optional<std::string> Read(Duration patience) {
    while (true) {
      std::array<pollfd, 2> polled = {pollfd{output_.From(), POLLIN, 0},
                                      pollfd{complaints_.From(), POLLIN, 0}};
      const auto limit = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
      const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(limit));
      if (ready == 0) {
        return std::nullopt;
      }
      // A full pipe of complaints would stop it; closed ones are passed over by poll (-1).
      if (polled[1].revents != 0) {
        const auto text = ReadSome(complaints_.From());
        said_.append(text, 0, kMaxComplaint - std::min(kMaxComplaint, said_.size()));
        if (text.empty()) {
          complaints_.CloseEnd(0);
        }
      }
      if (polled[0].revents != 0) {
        return ReadSome(output_.From());
      }
    }
  }

  // Its exit code; 128 and the signal when one ended it.
  int Wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  [[nodiscard]] std::string Said() {
    if (complaints_.From() >= 0) {
      said_ += ReadSome(complaints_.From()).substr(0, kMaxComplaint);
    }
    return std::string(Trim(said_.substr(0, kMaxComplaint)));
  }

 private:
  static std::string ReadSome(int descriptor) {
    std::string bytes(kPipeBytes, '\0');
    ssize_t got = -1;
    do {
      got = ::read(descriptor, bytes.data(), bytes.size());
    } while (got < 0 && errno == EINTR);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
  }

  Pipe output_;
  Pipe complaints_;
  pid_t id_ = -1;
  std::string said_;
};

class ChildOutput final : public ByteSource {
 public:
  explicit ChildOutput(ChildCommand command) : command_(std::move(command)) {}

  Result<std::string> Read() override {
    if (ended_) {
      return std::string();
    }
    if (!child_) {
      child_ = std::make_unique<Child>();
      if (const int failed = child_->Start(command_); failed != 0) {
        return Fail(failed == ENOENT ? ErrorCode::kNotFound : ErrorCode::kInternal,
                    failed == ENOENT ? "is missing; install the package " + command_.package
                                     : std::string("cannot be run: ") + std::strerror(failed));
      }
    }
    auto bytes = child_->Read(command_.patience);
    if (!bytes) {
      return Fail(ErrorCode::kTimeout, "printed nothing for too long, and was stopped");
    }
    printed_ += bytes->size();
    if (printed_ > command_.max_bytes) {
      return Fail(ErrorCode::kTooLarge, "printed more than expected, and was stopped");
    }
    if (bytes->empty()) {
      return End();
    }
    return *std::move(bytes);
  }

  // Killed and started once more; looking into a day of sysstat costs some milliseconds.
  bool Rewind() override {
    child_.reset();
    ended_ = false;
    printed_ = 0;
    return true;
  }

 private:
  Result<std::string> End() {
    // Half of an output is no output: the caller hears of it before the end.
    auto said = child_->Said();
    const int code = child_->Wait();
    if (code != 0) {
      return Fail(ErrorCode::kInvalid, "ended with exit code " + std::to_string(code) +
                                           (said.empty() ? "" : ": " + said));
    }
    child_.reset();
    ended_ = true;
    return std::string();
  }
  Error Fail(ErrorCode code, std::string what) {
    child_.reset();
    ended_ = true;
    return {code, command_.arguments.front() + " " + std::move(what), command_.subject};
  }

  ChildCommand command_;
  std::unique_ptr<Child> child_;  // while it runs
  std::uint64_t printed_ = 0;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> RunChild(ChildCommand command) {
  return std::make_unique<ChildOutput>(std::move(command));
}

}  // namespace limpet
