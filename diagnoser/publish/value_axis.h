// value_axis.h: the axis of values of a picture, from 0 to a round number that holds what is drawn.
//
// Unit:    values as they are shown; pixels downwards, `top` less than `bottom`.
// Threads: a value with one owner.
#pragma once

#include "diagnoser/publish/svg.h"

namespace limpet {

class ValueAxis {
 public:
  ValueAxis(double top, double bottom) : top_(top), bottom_(bottom) {}

  // Widens the axis until it holds `value`; one that is not finite changes nothing. A negative
  // value only metrics of balance have.
  void Hold(double value);
  // Pixels of a value; all that is drawn must be held before.
  [[nodiscard]] double At(double value) const;
  // Three lines from `left` to `right` with their values before them.
  void Draw(Svg& svg, double left, double right) const;

 private:
  [[nodiscard]] double High() const;
  [[nodiscard]] double Low() const;

  double top_;
  double bottom_;
  double least_ = 0;
  double largest_ = 0;
};

}  // namespace limpet
