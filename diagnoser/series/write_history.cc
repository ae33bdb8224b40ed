#include "diagnoser/series/write_history.h"

#include <algorithm>

namespace limpet {
namespace {

constexpr double kPaid = 0.25;  // of a debt is left of it
constexpr double kUsual = 2;    // times a debt of before: jobs come and go

}  // namespace

std::optional<double> WrittenShare(std::span<const WriteStretch> stretches, double least) {
  double seconds = 0;
  double written = 0;
  double received = 0;
  for (const auto& one : stretches) {
    seconds += one.seconds;
    written += one.seconds * one.written;
    received += one.seconds * one.received;
  }
  return received > least * seconds ? std::optional(written / received) : std::nullopt;
}

double PartHeldBack(const WriteHistory& history, double share, double least) {
  double owed = 0;
  double beyond = 0;
  double paid = 0;
  for (const auto& one : history.stretches) {
    const double rate = one.written - share * one.received;
    if (rate < 0) {
      owed += -rate > least ? -rate * one.seconds : 0;
      continue;
    }
    const double back = std::min(owed, rate * one.seconds);
    owed -= back;
    if (one.end > history.window_begin) {
      beyond += rate * one.seconds;
      paid += back;
    }
  }
  return beyond > 0 ? paid / beyond : 0;
}

bool IsUsualDebt(const WriteHistory& history, double share, double least) {
  double owed = 0;
  double most = 0;  // of the debt that is not paid yet
  double usual = 0;
  for (const auto& one : history.stretches) {
    const double rate = share * one.received - one.written;
    owed = std::max(0.0, owed + (rate < 0 || rate > least ? rate * one.seconds : 0));
    most = std::max(most, owed);
    if (owed <= kPaid * most) {
      usual = std::max(usual, most);
      most = owed;
    }
  }
  return usual > 0 && owed <= kUsual * usual;
}

}  // namespace limpet
