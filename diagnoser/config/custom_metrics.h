// custom_metrics.h: the sections `metrics` and `metric_files` of the configuration.
//
//   metric_files: [/usr/share/limpet/metrics/ceph.yml]
//   metrics:
//     - name: osd_commit_latency
//       unit: s
//       series: {mean: {sum: ceph_osd_op_w_latency_sum, count: ceph_osd_op_w_latency_count}}
//       component: [ceph_daemon]
//       node: {join: ceph_osd_metadata, on: [ceph_daemon], label: hostname}
//
// All keys: docs/metrics-in-yaml.md.
// Threads: pure, but for the files it reads through `read_file`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/config/targets.h"
#include "diagnoser/custom/metric.h"
#include "exporter/common/result.h"
#include "exporter/common/yaml.h"

namespace limpet {

// Those of the files first. Problems are added to those of `top`, which are `problems`; those of a
// file name that file.
[[nodiscard]] std::vector<CustomMetric> ReadCustomMetrics(yaml::MapReader& top,
                                                          const ReadTextFile& read_file,
                                                          yaml::Problems& problems);

// The rows of one file of metrics. An error has all problems, one a line.
[[nodiscard]] Result<std::vector<CustomMetric>> ParseMetricFile(std::string_view text,
                                                                const std::string& file);

}  // namespace limpet
