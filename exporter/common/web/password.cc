#include "exporter/common/web/password.h"

#include <crypt.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "exporter/common/text.h"

namespace limpet::web {
namespace {

constexpr std::size_t kMaxWrong = 64;
constexpr std::ptrdiff_t kMaxWaitingOfClient = 4;
constexpr std::size_t kBcryptLength = 60;
constexpr std::size_t kSaltLength = 29;  // "$2y$10$" and 22 characters

constexpr int kPauses = 9;  // a wrong password's check is followed by so many times its length

// For the calling thread. Anybody can make us compute, and the exporter may run at a raised
// priority (Nice= of its unit), which is for sampling in time. Not the lowest one: beside programs
// that use all processors the right password would wait for many seconds.
void RunAtOrdinaryPriority() {
  ::pthread_setname_np(::pthread_self(), "password");
  // Giving priority up needs no privilege. Where a filter of system calls forbids it all the same,
  // the work is still bounded by the brake.
  ::setpriority(PRIO_PROCESS, 0, 0);
}

// What the calling thread has computed.
Duration ProcessorTime() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

std::optional<int> BcryptCost(std::string_view hash) {
  constexpr std::string_view kDigits =
      "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  if (hash.size() != kBcryptLength || hash[6] != '$' ||
      !(hash.starts_with("$2a$") || hash.starts_with("$2b$") || hash.starts_with("$2y$")) ||
      hash.find_first_not_of(kDigits, 7) != std::string_view::npos) {
    return std::nullopt;
  }
  const auto cost = ParseU64(hash.substr(4, 2));
  return cost && *cost >= 4 && *cost <= 31 ? std::optional(static_cast<int>(*cost)) : std::nullopt;
}

bool BcryptMatches(const std::string& password, const std::string& hash) {
  // On the heap: 32 kB are much of a thread's stack.
  const auto scratch = std::make_unique<crypt_data>();
  const char* made = ::crypt_r(password.c_str(), hash.c_str(), scratch.get());
  return made != nullptr && SameText(made, hash);
}

bool SameText(std::string_view a, std::string_view b) {
  // No early end: the time must not tell how many characters of a guess are right.
  unsigned differences = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    differences |= static_cast<unsigned>(a[i] ^ b[i]);
  }
  return differences == 0;
}

PasswordChecker::PasswordChecker(std::map<std::string, std::string> users, const Clock& clock,
                                 std::size_t max_waiting)
    : users_(std::move(users)), clock_(clock), max_waiting_(max_waiting) {
  if (::RAND_bytes(key_.data(), static_cast<int>(key_.size())) != 1) {
    throw std::runtime_error("no random numbers for a key: the passwords could not be kept safe");
  }
  for (const auto& [user, hash] : users_) {
    if (BcryptCost(hash) > BcryptCost(nobodys_hash_)) {
      nobodys_hash_ = hash;
    }
  }
  // The salt of the costliest, and a digest that no password gives: in the last character bcrypt
  // uses four bits of six, never '9'.
  nobodys_hash_.resize(std::min(nobodys_hash_.size(), kSaltLength));
  nobodys_hash_.append(kBcryptLength - kSaltLength, '9');
  worker_ = std::thread([this] { Work(); });
}

PasswordChecker::~PasswordChecker() {
  std::deque<Waiting> left;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  worker_.join();
  for (const auto& one : waiting_) {
    for (const auto& done : one.done) {
      done(Verdict::kBusy);
    }
  }
}

PasswordChecker::Digest PasswordChecker::MakeDigest(const Credentials& credentials) const {
  // A user's name has no NUL (basic_auth.h), so no two pairs give one text.
  const auto text = credentials.user + '\0' + credentials.password;
  Digest digest{};
  ::HMAC(::EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), nullptr);
  return digest;
}

void PasswordChecker::Inherit(PasswordChecker& earlier) {
  const std::scoped_lock lock(mutex_, earlier.mutex_);
  key_ = earlier.key_;
  for (const auto& [user, digest] : earlier.right_) {
    const auto before = earlier.users_.find(user);
    const auto now = users_.find(user);
    if (now != users_.end() && now->second == before->second) {
      right_.emplace(user, digest);
    }
  }
}

std::optional<PasswordChecker::Verdict> PasswordChecker::Check(const Credentials& credentials,
                                                               ClientKey client, Done done) {
  std::unique_lock lock(mutex_);
  const auto digest = MakeDigest(credentials);
  if (const auto verdict = Remembered(credentials.user, digest)) {
    return verdict;
  }
  for (auto& waiting : waiting_) {
    if (waiting.digest == digest) {
      waiting.done.push_back(std::move(done));
      return std::nullopt;
    }
  }
  const auto attempts_left = TakeAttempt(client);
  if (!attempts_left) {
    return Verdict::kTooMany;
  }
  // A flood of guesses must not grow the queue or delay those who know their password for long.
  if (waiting_.size() >= max_waiting_ &&
      (waiting_.size() == 1 || waiting_.back().attempts_left >= *attempts_left)) {
    return Verdict::kBusy;
  }
  const auto displaced = Enqueue({credentials, digest, client, *attempts_left, {std::move(done)}});
  wake_.notify_one();
  lock.unlock();
  for (const auto& one : displaced) {
    one(Verdict::kBusy);
  }
  return std::nullopt;
}

std::optional<int> PasswordChecker::TakeAttempt(ClientKey client) {
  // On a busy machine the worker checks fewer a second than the brake allows.
  const auto waiting =
      std::count_if(waiting_.begin(), waiting_.end(),
                    [client](const Waiting& other) { return other.client == client; });
  return waiting < kMaxWaitingOfClient ? brake_.TakeAttempt(client, clock_.Steady()) : std::nullopt;
}

std::vector<PasswordChecker::Done> PasswordChecker::Enqueue(Waiting waiting) {
  std::vector<Done> displaced;
  if (waiting_.size() >= max_waiting_) {
    displaced = std::move(waiting_.back().done);
    waiting_.pop_back();
  }
  // A scraper's first password goes before the guesses of a client that has made many.
  const auto after_front = waiting_.begin() + (waiting_.empty() ? 0 : 1);  // it is being checked
  const auto place = std::find_if(after_front, waiting_.end(), [&](const Waiting& other) {
    return other.attempts_left < waiting.attempts_left;
  });
  waiting_.insert(place, std::move(waiting));
  return displaced;
}

std::optional<PasswordChecker::Verdict> PasswordChecker::Remembered(const std::string& user,
                                                                    const Digest& digest) const {
  // Comparing digests may end early: without the key nobody can aim at one.
  const auto right = right_.find(user);
  if (right != right_.end() && right->second == digest) {
    return Verdict::kRight;
  }
  return std::find(wrong_.begin(), wrong_.end(), digest) != wrong_.end()
             ? std::optional(Verdict::kWrong)
             : std::nullopt;
}

void PasswordChecker::Remember(const Waiting& checked, Verdict verdict) {
  if (verdict == Verdict::kRight) {
    right_[checked.credentials.user] = checked.digest;
    brake_.Forgive(checked.client);
    return;
  }
  wrong_.push_back(checked.digest);
  // Bounded: guesses are free to make.
  if (wrong_.size() > kMaxWrong) {
    wrong_.pop_front();
  }
}

PasswordChecker::Verdict PasswordChecker::Compute(const Credentials& credentials) const {
  const auto user = users_.find(credentials.user);
  const bool is_known = user != users_.end();
  const bool matches = BcryptMatches(credentials.password, is_known ? user->second : nobodys_hash_);
  return is_known && matches ? Verdict::kRight : Verdict::kWrong;
}

void PasswordChecker::Work() {
  RunAtOrdinaryPriority();
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (closing_) {
      return;
    }
    // The entry stays in the queue meanwhile: who asks the same joins it (Check).
    const auto credentials = waiting_.front().credentials;
    lock.unlock();
    const auto began = ProcessorTime();
    const auto verdict = Compute(credentials);
    const auto pause =
        verdict == Verdict::kRight ? Duration() : kPauses * (ProcessorTime() - began);
    lock.lock();
    Remember(waiting_.front(), verdict);
    const auto done = std::move(waiting_.front().done);
    waiting_.pop_front();
    lock.unlock();
    for (const auto& one : done) {
      one(verdict);
    }
    lock.lock();
    // Guesses take a tenth of a processor, however many clients make them.
    wake_.wait_for(lock, pause, [this] { return closing_; });
  }
}

}  // namespace limpet::web
