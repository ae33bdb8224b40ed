#include "diagnoser/publish/value_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limpet {
namespace {

// A round number that is at least `value`, and not much more.
double RoundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double times : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0}) {
    if (times * power >= value) {
      return times * power;
    }
  }
  return 10 * power;
}

}  // namespace

void ValueAxis::Hold(double value) {
  if (std::isfinite(value)) {
    least_ = std::min(least_, value);
    largest_ = std::max(largest_, value);
  }
}

double ValueAxis::High() const { return largest_ > 0 ? RoundUp(largest_) : 1; }

double ValueAxis::Low() const { return least_ < 0 ? -RoundUp(-least_) : 0; }

double ValueAxis::At(double value) const {
  return bottom_ - (value - Low()) / (High() - Low()) * (bottom_ - top_);
}

void ValueAxis::Draw(Svg& svg, double left, double right) const {
  for (const double value : {Low(), (Low() + High()) / 2, High()}) {
    svg.Line({left, At(value)}, {right, At(value)}, "grid");
    svg.Text({left - 8, At(value) + 4}, fmt::format("{:g}", value), "tick", Svg::Anchor::kEnd);
  }
}

}  // namespace limpet
