#include "tests/accuracy/show.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <variant>

#include "diagnoser/verdict/root_cause.h"

namespace limpet::accuracy {
namespace {

std::string Line(const ComponentWindow& one) {
  return fmt::format(
      "  {:<10} mean {:.4g} of {:.4g}, s {:.4g}, effect {:.3g}, z {:.3g}, degree {:.3g}, "
      "filtered {:.3g}{}{}\n",
      one.component, one.mean.value_or(0), one.peer_median.value_or(0), one.s.value_or(0),
      one.effect.value_or(0), one.z.value_or(0), one.window_degree.value_or(one.s.value_or(0)),
      one.degree, one.window_anomalous ? " anomalous" : "", one.flagged ? " FLAGGED" : "");
}

}  // namespace

std::string Show(const RunKey& key, const std::vector<PresetSettings>& presets) {
  std::string text = Describe(key) + "\n";
  const auto options = PagesOf(key);
  PipelineConfig config{.presets = presets, .groups = PeerGroups()};
  config.presets.front().cwnd_events = key.interval == 1;
  config.limits.future =
      std::max<Duration>(config.limits.future, std::chrono::seconds(2 * key.interval));
  const auto faulty = Diagnose(key, config).faulty;
  RunThrough(key, config, [&](const Event& event, double said) {
    if (const auto* window = std::get_if<WindowEvent>(&event)) {
      if (!IsOnChecklist(window->metric) && window->metric != "svctm" &&
          window->metric != "%util") {
        return;
      }
      text += fmt::format("{:4.0f} s {} {}\n", ToSeconds(window->end - options.start),
                          window->preset, window->metric);
      const ComponentWindow* top = nullptr;
      for (const auto& one : window->components) {
        const bool is_faulty = !faulty.empty() && one.component.substr(0, faulty.size()) == faulty;
        if (is_faulty) {
          text += "* " + Line(one);
        } else if (top == nullptr || one.degree > top->degree ||
                   (one.degree == top->degree && one.s > top->s)) {
          top = &one;
        }
      }
      if (top != nullptr) {
        text += "  " + Line(*top);
      }
    } else if (const auto* cwnd = std::get_if<CwndEvent>(&event)) {
      const auto second = static_cast<long>(ToSeconds(cwnd->end - options.start));
      if (second % 32 != 0) {
        return;
      }
      text +=
          fmt::format("{:4} s {} median {:.3g}:", second, cwnd->metric, cwnd->median.value_or(0));
      for (const auto& one : cwnd->components) {
        text += fmt::format(" {}{}{:.2f}{}", one.component == faulty ? "*" : "", "", one.log,
                            one.anomalous ? "!" : "");
      }
      text += "\n";
    } else if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      text +=
          fmt::format("{:4.0f} s VERDICT {} {} degree {:.3g}{}, said at {:.0f} s\n",
                      ToSeconds(verdict->end - options.start), verdict->node, Name(verdict->cause),
                      verdict->degree, verdict->secondary ? " secondary" : "", said);
    }
  });
  return text;
}

}  // namespace limpet::accuracy
