#include "diagnoser/commands/act_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "exporter/common/descriptor.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr int kCannotStart = 127;
// A program that prints without end is ended: reading it would keep us busy for its whole time.
constexpr std::size_t kMostOutput = std::size_t{1} << 20U;
constexpr int kPollMilliseconds = 50;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

// Close-on-exec, so that no program inherits the ends of another one's.
bool MakePipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return false;
  }
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

// Nothing of ours but the folder in which systemd puts the keyrings and tokens of the unit.
std::vector<std::string> Environment() {
  std::vector<std::string> environment = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"};
  constexpr const char* kCredentials = "CREDENTIALS_DIRECTORY";
  if (const auto* const folder = std::getenv(kCredentials)) {  // NOLINT(concurrency-mt-unsafe)
    environment.push_back(std::string(kCredentials) + "=" + folder);
  }
  return environment;
}

// As exec wants them; valid as long as the words are.
std::vector<char*> Pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const auto& word : words) {
    pointers.push_back(const_cast<char*>(word.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

// In the child, between fork and exec: only what may be called there.
[[noreturn]] void Start(const std::vector<char*>& arguments, const std::vector<char*>& environment,
                        int in, int out) {
  ::setsid();
  if (::dup2(in, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0 &&
      ::dup2(out, STDERR_FILENO) >= 0) {
    // Whatever was inherited without close-on-exec.
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(arguments.front(), arguments.data(), environment.data());
  }
  ::_exit(kCannotStart);
}

// What goes to and comes from one running program.
class Talk {
 public:
  Talk(pid_t pid, Descriptor in, Descriptor out, const std::string& input)
      : pid_(pid), in_(std::move(in)), out_(std::move(out)), input_(input) {
    ::fcntl(in_.Get(), F_SETFL, O_NONBLOCK);
    ::fcntl(out_.Get(), F_SETFL, O_NONBLOCK);
  }

  // Until it has ended or the time is up. The status of waitpid; nullopt: it was killed by us.
  std::optional<int> Run(Duration timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    std::optional<int> status;
    while (!status && std::chrono::steady_clock::now() < end && printed_ <= kMostOutput) {
      std::array<pollfd, 2> wanted = {pollfd{.fd = out_.Get(), .events = POLLIN, .revents = 0},
                                      pollfd{.fd = in_.Get(), .events = POLLOUT, .revents = 0}};
      (void)::poll(wanted.data(), in_.IsOpen() ? 2 : 1, kPollMilliseconds);
      Write();
      Read();
      int ended = 0;
      if (::waitpid(pid_, &ended, WNOHANG) == pid_) {
        status = ended;
      }
    }
    ::kill(-pid_, SIGKILL);  // what it has left behind, or itself
    if (!status) {
      ::waitpid(pid_, nullptr, 0);
    }
    Read();
    return status;
  }

  [[nodiscard]] const std::string& Output() const { return output_; }
  [[nodiscard]] bool PrintsWithoutEnd() const { return printed_ > kMostOutput; }

 private:
  void Write() {
    while (in_.IsOpen() && written_ < input_.size()) {
      const auto bytes = ::write(in_.Get(), input_.data() + written_, input_.size() - written_);
      if (bytes <= 0) {
        if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) {
          return;
        }
        written_ = input_.size();  // it does not want the rest
        break;
      }
      written_ += static_cast<std::size_t>(bytes);
    }
    in_ = Descriptor();
  }

  void Read() {
    std::array<char, 4096> piece{};
    for (auto bytes = ::read(out_.Get(), piece.data(), piece.size()); bytes > 0;
         bytes = ::read(out_.Get(), piece.data(), piece.size())) {
      printed_ += static_cast<std::size_t>(bytes);
      output_.append(piece.data(), static_cast<std::size_t>(bytes));
      if (output_.size() > kKeptOutput) {
        output_.erase(0, output_.size() - kKeptOutput);
      }
      if (printed_ > kMostOutput) {
        return;
      }
    }
  }

  pid_t pid_;
  Descriptor in_;
  Descriptor out_;
  const std::string& input_;
  std::size_t written_ = 0;
  std::size_t printed_ = 0;
  std::string output_;
};

// What an operator reads in the history: why, then what the program itself said.
std::string Describe(const std::optional<int>& status, const Talk& talk, Duration timeout) {
  if (!status) {
    return talk.PrintsWithoutEnd()
               ? "it printed more than 1 MiB and was ended"
               : "it took longer than " + std::to_string(timeout / 1s) + " s and was ended";
  }
  if (WIFSIGNALED(*status)) {
    return "it was ended by signal " + std::to_string(WTERMSIG(*status));
  }
  const int code = WEXITSTATUS(*status);
  return code == 0              ? ""
         : code == kCannotStart ? "it could not be started, or ended with 127"
                                : "it ended with " + std::to_string(code);
}

}  // namespace

ProgramResult RunActProgram(const std::vector<std::string>& command, const std::string& input,
                            Duration timeout) {
  // A program that ends without reading its input must not end us; its own signal is as it was.
  ::signal(SIGPIPE, SIG_IGN);
  Pipe in;
  Pipe out;
  if (!MakePipe(in) || !MakePipe(out)) {
    return {.ok = false, .text = "no pipe: " + std::generic_category().message(errno)};
  }
  const auto words = Environment();
  const auto arguments = Pointers(command);
  const auto environment = Pointers(words);
  const auto pid = ::fork();
  if (pid < 0) {
    return {.ok = false, .text = "cannot fork: " + std::generic_category().message(errno)};
  }
  if (pid == 0) {
    Start(arguments, environment, in.read.Get(), out.write.Get());
  }
  in.read = Descriptor();
  out.write = Descriptor();
  Talk talk(pid, std::move(in.write), std::move(out.read), input);
  const auto status = talk.Run(timeout);
  ProgramResult result;
  const auto problem = Describe(status, talk, timeout);
  result.ok = problem.empty();
  const auto printed = PrintableLines(talk.Output());
  result.text = problem + (problem.empty() || printed.empty() ? "" : ": ") + printed;
  return result;
}

}  // namespace limpet
