#include "diagnoser/publish/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/checklist.h"
#include "diagnoser/publish/component_text.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/report_parts.h"
#include "diagnoser/publish/report_pictures.h"
#include "diagnoser/publish/top.h"

namespace limpet {
namespace {

using namespace report;

constexpr std::size_t kMaxPictures = 3;                          // of one incident
constexpr std::size_t kMaxPersistent = 20;                       // of a preset and metric
constexpr Duration kSkewShown = std::chrono::milliseconds(500);  // half a step of a second

// Silence about a server that was not compared is not health.
std::string NotJudgedNow(const ReportData& data) {
  const auto& judged = data.view.judgements;
  return judged.not_judged == 0 ? "" : Paragraph("At the end " + judged.text + ".");
}

// What somebody reads who reads nothing else.
std::string Lead(const ReportData& data) {
  std::set<std::string> nodes;
  for (const auto& incident : data.incidents) {
    if (incident.indicted) {
      nodes.insert(incident.worst.node);
    }
  }
  if (nodes.empty()) {
    return Paragraph(
               "No server that was compared differed from its peers for long enough to be named.",
               "lead") +
           NotJudgedNow(data);
  }
  // The longest: what lasts costs the most, and a degree says little to people.
  const auto worst = std::max_element(
      data.incidents.begin(), data.incidents.end(), [](const Incident& a, const Incident& b) {
        return std::pair(a.indicted, a.last - a.begin) < std::pair(b.indicted, b.last - b.begin);
      });
  return Paragraph(fmt::format("{} {} named in {}. The longest: {}, {}, {}.",
                               CountText(nodes.size(), "server", "servers"),
                               nodes.size() == 1 ? "was" : "were",
                               CountText(data.incidents.size(), "incident", "incidents"),
                               DescribeComponent(worst->worst), Name(worst->worst.cause),
                               Span(worst->begin, worst->last)),
                   "lead") +
         NotJudgedNow(data);
}

std::string Head(const ReportData& data) {
  const auto span = data.first && data.last ? Span(*data.first, *data.last) : "no readings";
  return fmt::format("<h1>What limped</h1>\n<p class=\"muted\">{}</p>\n{}", Escape(span),
                     Lead(data));
}

std::string Timeline(const ReportData& data) {
  const auto picture = data.first && data.last
                           ? TimelinePicture(data.incidents, *data.first, *data.last)
                           : std::string();
  if (picture.empty()) {
    return {};
  }
  return Section("timeline", "Incidents over time",
                 "<figure>" + picture +
                     "<figcaption class=\"key\"><i class=\"storage\"></i>disks<i "
                     "class=\"network\"></i>network<i class=\"behaviour\"></i>other; pale: "
                     "explained by a worse server. Times are UTC.</figcaption></figure>\n");
}

// Of the evidence that has windows, the first few.
std::string Pictures(const Incident& incident, const ReportData& data) {
  std::string pictures;
  std::size_t drawn = 0;
  for (const auto& evidence : incident.worst.evidence) {
    const auto windows =
        data.windows.find({incident.worst.preset, evidence.group, evidence.metric});
    auto picture = windows == data.windows.end()
                       ? std::string()
                       : EvidencePicture(windows->second, evidence, incident);
    if (picture.empty() || drawn == kMaxPictures) {
      continue;
    }
    ++drawn;
    pictures += picture;
    pictures += Paragraph(fmt::format("{}; {}.", Explain(evidence), Background(evidence)), "muted");
  }
  return pictures.empty() ? Paragraph("No windows of this were kept for a picture.", "muted")
                          : pictures;
}

// "disk sdb of io03", and the LUN's name where the exporter told it.
std::string DescribeWithLun(const VerdictEvent& verdict, const ReportData& data) {
  auto text = DescribeComponent(verdict);
  const auto wwn = verdict.evidence.empty() ? data.wwns.end()
                                            : data.wwns.find(verdict.evidence.front().component);
  return wwn == data.wwns.end() ? text : fmt::format("{}, LUN {}", text, wwn->second);
}

std::string Article(const Incident& incident, const ReportData& data) {
  const auto& worst = incident.worst;
  auto text = fmt::format("<article>\n<h3>{} <span class=\"cause {}\">{}</span></h3>\n",
                          Escape(DescribeWithLun(worst, data)), Name(RowOf(worst.cause).family),
                          Name(worst.cause));
  text += Paragraph(
      fmt::format("{}, named at {}, {}, preset {}{}", Span(incident.begin, incident.last),
                  IsoTime(incident.named), CountText(incident.windows, "window", "windows"),
                  worst.preset, incident.indicted ? "" : "; explained by a worse server"),
      "muted");
  // The checklist ends with the step that gave the cause.
  std::string decides;
  for (const auto& step : ExplainChecklist(worst)) {
    decides = step.decided ? step.text : decides;
  }
  text += decides.empty() ? "" : Paragraph("What decides: " + decides);
  text += Pictures(incident, data);
  for (const auto& [component, kind] : worst.luns) {
    const auto disk = DescribeComponent(component, "await");
    text += Paragraph(kind == LunKind::kComponent
                          ? disk + " itself is slow: its service time is high, too."
                          : disk + " is slow under its load: its service time is not high.");
  }
  for (const auto& fact : worst.facts) {
    text += Paragraph("Beside it: " + Explain(fact) + ". " + fact.next);
  }
  return text + Paragraph("Next: " + AdviseNextStep(worst)) + "</article>\n";
}

// The longest ones, in order of time.
std::string Incidents(const ReportData& data) {
  if (data.incidents.empty()) {
    return {};
  }
  std::vector<const Incident*> shown;
  shown.reserve(data.incidents.size());
  for (const auto& incident : data.incidents) {
    shown.push_back(&incident);
  }
  std::stable_sort(shown.begin(), shown.end(), [](const Incident* a, const Incident* b) {
    return std::pair(a->indicted, a->last - a->begin) > std::pair(b->indicted, b->last - b->begin);
  });
  shown.resize(std::min(shown.size(), kMaxShown));
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Incident* a, const Incident* b) { return a->begin < b->begin; });
  std::string body =
      "<p class=\"key\"><i class=\"own\"></i>the component<i class=\"median\"></i>median of its "
      "peers<i class=\"band\"></i>the middle 80 % of its peers<i class=\"span\"></i>the "
      "incident</p>\n";
  for (const auto* incident : shown) {
    body += Article(*incident, data);
  }
  const auto more = data.incidents.size() - shown.size() + data.left_out;
  body += more == 0 ? "" : Paragraph(fmt::format("{} shorter incidents are not shown.", more));
  return Section("incidents", "Incidents", body);
}

// Over the whole time: what comes back every night costs as much as what lasts.
std::string TotalTimes(const ReportData& data) {
  struct Total {
    Duration time{};
    Duration longest{};
    std::size_t incidents = 0;
  };
  std::map<std::pair<std::string, Cause>, Total> totals;
  for (const auto& incident : data.incidents) {
    const auto& worst = incident.worst;
    auto& total = totals[{DescribeWithLun(worst, data), worst.cause}];
    total.time += incident.last - incident.begin;
    total.longest = std::max(total.longest, incident.last - incident.begin);
    ++total.incidents;
  }
  if (totals.empty() || !data.first || !data.last || *data.last <= *data.first) {
    return {};
  }
  using Row = std::pair<std::pair<std::string, Cause>, Total>;
  std::vector<Row> rows(totals.begin(), totals.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.second.time > b.second.time; });
  rows.resize(std::min(rows.size(), kMaxPersistent));
  Table table({"Component", "Cause", "Incidents#", "Time in them#", "Longest#", "Share of all#"});
  for (const auto& [who, total] : rows) {
    table.Row({who.first, Name(who.second), std::to_string(total.incidents), ForPeople(total.time),
               ForPeople(total.longest),
               fmt::format("{:.1f} %",
                           100 * ToSeconds(total.time) / ToSeconds(*data.last - *data.first))});
  }
  return table.Finish();
}

std::string Persistent(const ReportData& data) {
  // Of the last window, as `top` has it: who is there has been flagged over and over.
  const auto list = MakeTopList(data.view, "", kMaxPersistent);
  auto body = TotalTimes(data);
  if (list.entries.empty()) {
    body += Paragraph("Nothing was flagged any more at the end.");
  } else {
    Table table({"Metric", "Component", "Peer group", "Windows#", "Cause now", "Preset"});
    for (const auto& entry : list.entries) {
      const auto* row = FindMetric(entry.metric);
      table.Row({row == nullptr ? entry.metric : std::string(row->text),
                 DescribeComponent(entry.component, entry.metric), entry.group,
                 std::to_string(entry.accumulator), entry.cause.empty() ? "none" : entry.cause,
                 entry.preset});
    }
    body += Paragraph(
                "At the end, how many windows each was flagged in of late: an accumulator rises "
                "by one in a flagged window and falls by one in another.",
                "muted") +
            table.Finish();
  }
  for (const auto& [preset, rows] : data.hourly) {
    std::string text;
    for (const auto& row : rows) {
      text += Escape(row) + "\n";
    }
    body += rows.empty()
                ? ""
                : fmt::format(
                      "<details><summary>Hour by hour, preset {}</summary><pre "
                      "tabindex=\"0\">Date.Hour: Value PG:LUN-server\n{}</pre></details>\n",
                      Escape(preset), text);
  }
  return Section("persistent", "What lasts", body);
}

std::string Groups(const ReportData& data) {
  Table table({"Peer group", "Preset", "Compared#", "Missing#", "Masked#", "Last window"});
  for (const auto& group : data.view.groups) {
    if (group.taking_part + group.missing + group.masked == 0) {
      continue;  // one of the default groups that the data have nothing of
    }
    table.Row({group.group, group.preset, std::to_string(group.taking_part),
               std::to_string(group.missing), std::to_string(group.masked),
               group.window_end ? IsoTime(*group.window_end) : "none"});
  }
  std::vector<std::string> not_judged;
  for (const auto& one : data.view.judgements.servers) {
    if (one.standing == Standing::kNotJudged) {
      not_judged.push_back(one.node + ": " + one.text);
    }
  }
  return Section("groups", "Who was compared with whom",
                 Paragraph("Components of each peer group in its last window.", "muted") +
                     table.Finish() + (not_judged.empty() ? "" : List(not_judged)) +
                     (data.group_events.empty() ? "" : List(data.group_events)));
}

// Windows compare samples of the same second: a clock that differs by much of a step blurs them.
std::string Clocks(const ReportQuality& quality) {
  using Row = std::pair<std::string, Duration>;
  std::vector<Row> rows;
  for (const auto& [node, skew] : quality.clock_skew) {
    if (std::chrono::abs(skew) >= kSkewShown) {
      rows.emplace_back(node, skew);
    }
  }
  if (rows.empty()) {
    return quality.clock_skew.empty()
               ? ""
               : Paragraph(fmt::format("Clocks of {}: none is off by {} s or more.",
                                       CountText(quality.clock_skew.size(), "server", "servers"),
                                       ToSeconds(kSkewShown)));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::chrono::abs(a.second) > std::chrono::abs(b.second);
  });
  Table table({"Server", "Its clock, at least#"});
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxListed); ++i) {
    const auto& [node, skew] = rows[i];
    table.Row({node, fmt::format("{:.1f} s {}", ToSeconds(std::chrono::abs(skew)),
                                 skew > Duration::zero() ? "ahead" : "behind")});
  }
  return Paragraph(fmt::format("{} of {} whose clocks the store can be asked about differ from "
                               "its own by {} s or more; keep them in step with NTP.",
                               rows.size(),
                               CountText(quality.clock_skew.size(), "server", "servers"),
                               ToSeconds(kSkewShown))) +
         table.Finish();
}

std::string LateFiles(const ReportQuality& quality) {
  if (quality.late_files.empty()) {
    return {};
  }
  std::vector<std::string> texts;
  for (const auto& [file, count] : quality.late_files) {
    texts.push_back(fmt::format("{}: {}", file, CountText(count, "reading", "readings")));
  }
  return Paragraph("Late readings came from:") + List(texts);
}

std::string Quality(const ReportData& data) {
  const auto& quality = data.quality;
  const auto& counters = data.view.counters;
  Table table({"What", "Count#", "Meaning"});
  const auto row = [&](std::string_view what, std::uint64_t count, std::string_view meaning) {
    table.Row({std::string(what), std::to_string(count), std::string(meaning)});
  };
  row("Samples", quality.samples, "read");
  row("of peer groups", quality.mapped, "compared with peers");
  row("Gaps", counters.gaps, "readings of a counter too far apart: nothing is known in between");
  row("Resets", counters.resets, "counters that began again, as after a boot");
  row("Late", quality.late, "not after the reading before: a clock that was set back or differs");
  row("Refused", counters.refused, "beyond a limit, or not a finite number");
  row("Of another machine", quality.foreign,
      "pages or increases that this node cannot have made; left out");
  row("Bad lines", quality.bad_lines, "that are no samples");
  auto body = table.Finish();
  body += Clocks(quality) + LateFiles(quality);
  if (!quality.cut.empty()) {
    body += Paragraph("Files that end in the middle, read up to their last whole line:") +
            List(quality.cut);
  }
  if (!quality.warnings.empty()) {
    body += Paragraph("Said while reading:") + List(quality.warnings);
  }
  body += Paragraph("Read:") + List(data.inputs);
  return Section("quality", "How good the data are", body);
}

}  // namespace

std::string ReportHtml(const ReportData& data) {
  return HtmlPage("What limped" + (data.first ? " from " + IsoTime(*data.first) : ""),
                  Head(data) + Timeline(data) + Incidents(data) + Persistent(data) + Groups(data) +
                      Quality(data),
                  data.program);
}

}  // namespace limpet
