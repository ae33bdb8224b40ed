// result.h: Result<T>, a value or an Error, for everything that may go wrong in a healthy program.
//
// Member names follow std::expected, which GCC 12 does not have yet.
//   Result<int> r = Parse(text);
//   if (!r) return r.error();
//   Use(*r);
// Threads: a value like any other.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace limpet {

enum class ErrorCode {
  kInvalid,      // the input is not what it should be
  kNotFound,     // no such file, device, target
  kPermission,   // not allowed
  kUnavailable,  // there, but does not answer now
  kTimeout,      // took too long
  kTooLarge,     // over a bound of ours
  kInternal,     // anything else
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // what was expected, what was found, what to do
  std::string where;    // file:line: key, target or device; may be empty

  // "where: message", or the message alone.
  [[nodiscard]] std::string Text() const {
    return where.empty() ? message : where + ": " + message;
  }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  // Only when has_value(); otherwise std::bad_variant_access.
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  // Returned by value, so that `for (… : *Read())` does not walk over what is gone already.
  T value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  // Only when !has_value().
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }
  [[nodiscard]] T value_or(T other) const { return has_value() ? value() : std::move(other); }

 private:
  std::variant<T, Error> state_;
};

// Success without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  [[nodiscard]] bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace limpet
