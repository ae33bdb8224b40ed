#include "tests/accuracy/train_runs.h"

#include <gtest/gtest.h>

namespace limpet::accuracy {
namespace {

Event Window(int number, double s) {
  WindowEvent event{.end = UnixFromSeconds(3200 + 32 * number),
                    .preset = "testbench",
                    .group = "io",
                    .metric = "await",
                    .n = 3};
  event.components.push_back({.component = "a/sdb", .s = s});
  return event;
}

TEST(Trainer, TakesTheLargestThirdLargestOfFiveWindows) {
  Trainer trainer(TestbenchPreset());
  int number = 0;
  for (const double s : {0.1, 0.9, 0.2, 0.8, 0.31, 0.1, 0.1, 0.1}) {
    trainer.Add(Window(number++, s));
  }
  trainer.EndRun();
  // 0.31, of the first five; rounded up to 0.4 and doubled.
  EXPECT_DOUBLE_EQ(*trainer.Result().Find("io", "await", "a/sdb"), 0.8);
}

TEST(Trainer, DoesNotCountWindowsOfTwoRunsTogether) {
  Trainer trainer(TestbenchPreset());
  for (int run = 0; run < 2; ++run) {
    for (const double s : {0.9, 0.9, 0.0, 0.0, 0.0}) {
      trainer.Add(Window(run * 5, s));
    }
    trainer.EndRun();
  }
  EXPECT_DOUBLE_EQ(*trainer.Result().Find("io", "await", "a/sdb"), 0.2);  // the least there is
}

TEST(Trainer, TakesTheLeastRatioOfCongestionWindows) {
  Trainer trainer(TestbenchPreset());
  CwndEvent event{.group = "c", .metric = "cwnd_client", .median = 4};
  event.components = {{.component = "a", .log = 3.3}, {.component = "b", .log = 4}};
  trainer.Add(event);
  EXPECT_DOUBLE_EQ(*trainer.Result().FindCwnd("c", "cwnd_client"), 0.82);
}

}  // namespace
}  // namespace limpet::accuracy
