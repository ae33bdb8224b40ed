#include "exporter/common/web/password.h"

#include <crypt.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "exporter/common/text.h"

namespace limpet::web {
namespace {

constexpr std::size_t kMaxWrong = 64;
constexpr std::size_t kBcryptLength = 60;
constexpr std::size_t kSaltLength = 29;  // "$2y$10$" and 22 characters

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

PasswordChecker::PasswordChecker(std::map<std::string, std::string> users, std::size_t max_waiting)
    : users_(std::move(users)), max_waiting_(max_waiting) {
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

std::optional<PasswordChecker::Verdict> PasswordChecker::Check(const Credentials& credentials,
                                                               Done done) {
  const std::lock_guard lock(mutex_);
  if (const auto verdict = Remembered(credentials)) {
    return verdict;
  }
  for (auto& one : waiting_) {
    if (SameText(one.credentials.user, credentials.user) &&
        SameText(one.credentials.password, credentials.password)) {
      one.done.push_back(std::move(done));
      return std::nullopt;
    }
  }
  // A flood of guesses must not grow the queue or delay those who know their password for long.
  if (waiting_.size() >= max_waiting_) {
    return Verdict::kBusy;
  }
  waiting_.push_back({credentials, {std::move(done)}});
  wake_.notify_one();
  return std::nullopt;
}

std::optional<PasswordChecker::Verdict> PasswordChecker::Remembered(
    const Credentials& credentials) const {
  const auto right = right_.find(credentials.user);
  if (right != right_.end() && SameText(right->second, credentials.password)) {
    return Verdict::kRight;
  }
  const auto is_same = [&](const Credentials& one) {
    return SameText(one.user, credentials.user) && SameText(one.password, credentials.password);
  };
  return std::any_of(wrong_.begin(), wrong_.end(), is_same) ? std::optional(Verdict::kWrong)
                                                            : std::nullopt;
}

void PasswordChecker::Remember(const Credentials& credentials, Verdict verdict) {
  if (verdict == Verdict::kRight) {
    right_[credentials.user] = credentials.password;
    return;
  }
  wrong_.push_back(credentials);
  // Bounded: guesses are free to make.
  if (wrong_.size() > kMaxWrong) {
    wrong_.pop_front();
  }
}

void PasswordChecker::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (closing_) {
      return;
    }
    // The entry stays in the queue meanwhile: who asks the same joins it (Check).
    const auto credentials = waiting_.front().credentials;
    lock.unlock();
    const auto user = users_.find(credentials.user);
    const bool is_known = user != users_.end();
    const bool matches =
        BcryptMatches(credentials.password, is_known ? user->second : nobodys_hash_);
    const auto verdict = is_known && matches ? Verdict::kRight : Verdict::kWrong;
    lock.lock();
    Remember(credentials, verdict);
    const auto done = std::move(waiting_.front().done);
    waiting_.pop_front();
    lock.unlock();
    for (const auto& one : done) {
      one(verdict);
    }
    lock.lock();
  }
}

}  // namespace limpet::web
