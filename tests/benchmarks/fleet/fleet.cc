#include "tests/benchmarks/fleet/fleet.h"

#include <array>
#include <charconv>

namespace limpet::bench {
namespace {

struct Row {
  std::string_view name;  // without prefix
  double rate;            // a second
  bool seconds;           // a time with milliseconds; else a whole number
  bool recorded;          // by `record`
  bool counter = true;    // else a gauge that wanders about `rate`
};

constexpr std::array kDiskRows = {
    Row{"disk_reads_completed_total", 180, false, true},
    Row{"disk_reads_merged_total", 7, false, false},
    Row{"disk_read_bytes_total", 23'592'960, false, true},
    Row{"disk_read_time_seconds_total", 1.1, true, true},
    Row{"disk_writes_completed_total", 90, false, true},
    Row{"disk_writes_merged_total", 40, false, false},
    Row{"disk_written_bytes_total", 11'796'480, false, true},
    Row{"disk_write_time_seconds_total", 0.9, true, true},
    Row{"disk_io_now", 3, false, false, false},
    Row{"disk_io_time_seconds_total", 0.7, true, true},
    Row{"disk_io_time_weighted_seconds_total", 2.0, true, true},
    Row{"disk_discards_completed_total", 0, false, false},
    Row{"disk_discards_merged_total", 0, false, false},
    Row{"disk_discarded_sectors_total", 0, false, false},
    Row{"disk_discard_time_seconds_total", 0, true, false},
    Row{"disk_flush_requests_total", 2, false, false},
    Row{"disk_flush_requests_time_seconds_total", 0.01, true, false},
    Row{"disk_reads_per_second", 180, false, false, false},
    Row{"disk_writes_per_second", 90, false, false, false},
    Row{"disk_requests_per_second", 270, false, false, false},
    Row{"disk_read_bytes_per_second", 23'592'960, false, false, false},
    Row{"disk_written_bytes_per_second", 11'796'480, false, false, false},
    Row{"disk_request_size_bytes", 131'072, false, false, false},
    Row{"disk_queue_length", 2, true, false, false},
    Row{"disk_await_seconds", 0.0074, true, false, false},
    Row{"disk_read_await_seconds", 0.0061, true, false, false},
    Row{"disk_write_await_seconds", 0.01, true, false, false},
    Row{"disk_service_time_seconds", 0.0026, true, false, false},
    Row{"disk_utilization_ratio", 0.7, true, false, false},
};

constexpr std::array kNetRows = {
    Row{"network_receive_bytes_total", 36'000'000, false, true},
    Row{"network_receive_packets_total", 25'000, false, true},
    Row{"network_receive_errs_total", 0, false, false},
    Row{"network_receive_drop_total", 0, false, false},
    Row{"network_receive_fifo_total", 0, false, false},
    Row{"network_receive_frame_total", 0, false, false},
    Row{"network_receive_compressed_total", 0, false, false},
    Row{"network_receive_multicast_total", 1, false, false},
    Row{"network_transmit_bytes_total", 70'000'000, false, true},
    Row{"network_transmit_packets_total", 48'000, false, true},
    Row{"network_transmit_errs_total", 0, false, false},
    Row{"network_transmit_drop_total", 0, false, false},
    Row{"network_transmit_fifo_total", 0, false, false},
    Row{"network_transmit_colls_total", 0, false, false},
    Row{"network_transmit_carrier_total", 0, false, false},
    Row{"network_transmit_compressed_total", 0, false, false},
};

constexpr std::uint64_t Mix(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// Even noise in [0, 1).
double Noise(std::uint64_t key) { return static_cast<double>(Mix(key) >> 11U) * 0x1p-53; }

void Print(std::string& text, std::int64_t value) {
  std::array<char, 24> digits;
  text.append(digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr);
}

// Milliseconds as seconds, trailing zeros left out.
void PrintSeconds(std::string& text, std::int64_t milliseconds) {
  Print(text, milliseconds / 1000);
  const auto rest = milliseconds % 1000;
  if (rest != 0) {
    std::string digits = std::to_string(1000 + rest);
    digits[0] = '.';
    digits.erase(digits.find_last_not_of('0') + 1);
    text += digits;
  }
}

// "sda" … "sdz", "sdaa" …
std::string DiskName(std::size_t disk) {
  std::string name;
  for (auto rest = disk + 1; rest > 0; rest = (rest - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return "sd" + name;
}

struct Device {
  std::string name;
  std::uint64_t key = 0;
  bool slow = false;
};

void PrintValue(std::string& text, const Row& row, const Device& device, std::uint64_t row_number,
                std::int64_t second) {
  const auto key = device.key * 64 + row_number;
  const double unit = row.seconds ? 1000 : 1;  // milliseconds, or the count itself
  const double noise = Noise(key * 1'000'003 + static_cast<std::uint64_t>(second));
  double value = 0;
  if (row.counter) {
    // Servers have been up for a while, each for another time; noise stays under half a second.
    const double since = 1e6 + 1e6 * Noise(key) + static_cast<double>(second);
    value = row.rate * (since + 0.5 * noise);
    if (device.slow && row.seconds && second > kFaultAfter) {
      value += 2 * row.rate * static_cast<double>(second - kFaultAfter);
    }
  } else {
    value = row.rate * (0.75 + 0.5 * noise);
  }
  const auto whole = static_cast<std::int64_t>(value * unit);
  if (row.seconds) {
    PrintSeconds(text, whole);
  } else {
    Print(text, whole);
  }
}

std::vector<Device> Devices(const FleetShape& shape, std::size_t node, bool disks) {
  std::vector<Device> devices;
  const auto count = disks ? shape.disks : shape.interfaces;
  for (std::size_t i = 0; i < count; ++i) {
    devices.push_back({.name = disks ? DiskName(i) : "eth" + std::to_string(i),
                       .key = Mix(shape.seed + node * 4096 + i * 2 + (disks ? 1 : 0)) >> 20U,
                       .slow = disks && node == kSlowNode});
  }
  return devices;
}

bool IsOn(PageKind kind, const Row& row) {
  return kind == PageKind::kLive || (kind == PageKind::kStock ? row.counter : row.recorded);
}

// What a diagnosis passes over.
constexpr std::size_t kProcessors = 32;
constexpr std::array<std::string_view, 8> kModes = {"idle",    "iowait", "irq",    "nice",
                                                    "softirq", "steal",  "system", "user"};
constexpr std::size_t kMemoryRows = 50;

void AddOthers(std::string& page, std::uint64_t node, std::int64_t second) {
  page +=
      "# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.\n"
      "# TYPE node_cpu_seconds_total counter\n";
  for (std::size_t processor = 0; processor < kProcessors; ++processor) {
    for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
      page.append("node_cpu_seconds_total{cpu=\"")
          .append(std::to_string(processor))
          .append("\",mode=\"")
          .append(kModes[mode])
          .append("\"} ");
      const auto share = Noise(node * 1000 + processor * 8 + mode);
      PrintSeconds(page, static_cast<std::int64_t>(share * 1000) * (1'000'000 + second));
      page += '\n';
    }
  }
  for (std::size_t row = 0; row < kMemoryRows; ++row) {
    page.append("node_memory_row").append(std::to_string(row)).append("_bytes ");
    Print(page, static_cast<std::int64_t>(
                    1e10 * Noise(node * 64 + row + static_cast<std::uint64_t>(second) * 99)));
    page += '\n';
  }
}

template <std::size_t N>
void AddRows(std::string& page, const std::array<Row, N>& rows, const std::vector<Device>& devices,
             std::string_view constant_labels, std::string_view stamp, std::int64_t second,
             PageKind kind) {
  for (std::size_t number = 0; number < rows.size(); ++number) {
    const auto& row = rows[number];
    if (!IsOn(kind, row)) {
      continue;
    }
    const std::string_view prefix = kind == PageKind::kStock ? "node_" : "limpet_";
    if (kind != PageKind::kRecorded) {
      page.append("# HELP ").append(prefix).append(row.name).append(" As the kernel counts it.\n");
      page.append("# TYPE ").append(prefix).append(row.name).append(row.counter ? " counter\n"
                                                                                : " gauge\n");
    }
    for (const auto& device : devices) {
      page.append(prefix).append(row.name).append("{").append(constant_labels);
      page.append("device=\"").append(device.name).append("\"} ");
      PrintValue(page, row, device, number, second);
      page.append(stamp).append("\n");
    }
  }
}

template <std::size_t N>
std::size_t RowsOf(const std::array<Row, N>& rows, PageKind kind) {
  std::size_t count = 0;
  for (const auto& row : rows) {
    count += IsOn(kind, row) ? 1U : 0U;
  }
  return count;
}

}  // namespace

std::string NodeName(std::size_t node) {
  auto digits = std::to_string(10'000 + node);
  return "node" + digits.substr(1);
}

std::string Fleet::Page(std::size_t node, std::int64_t second, PageKind kind) const {
  std::string page;
  page.reserve(Samples(kind) * 128);
  std::string constant_labels;
  std::string stamp;
  if (kind == PageKind::kRecorded) {
    constant_labels = "instance=\"" + NodeName(node) + "\",role=\"server\",";
    // Exporters sample just after the wall second.
    stamp = " " + std::to_string(kFleetBegin + second) + ".00" + std::to_string(node % 10);
  }
  AddRows(page, kDiskRows, Devices(shape_, node, true), constant_labels, stamp, second, kind);
  AddRows(page, kNetRows, Devices(shape_, node, false), constant_labels, stamp, second, kind);
  if (kind == PageKind::kStock) {
    AddOthers(page, node, second);
  }
  if (kind == PageKind::kLive) {
    page += "limpet_load1 1." + std::to_string(second % 100) +
            "\nlimpet_exporter_build_info{version=\"0.1.0\"} 1\n";
    page += "limpet_exporter_start_time_seconds " + std::to_string(kFleetBegin) +
            "\nlimpet_sample_timestamp_seconds " + std::to_string(kFleetBegin + second) + ".001\n";
  }
  return page;
}

std::size_t Fleet::Samples(PageKind kind) const {
  const std::size_t of_node = kind == PageKind::kLive    ? 4
                              : kind == PageKind::kStock ? kProcessors * kModes.size() + kMemoryRows
                                                         : 0;
  return shape_.disks * RowsOf(kDiskRows, kind) + shape_.interfaces * RowsOf(kNetRows, kind) +
         of_node;
}

}  // namespace limpet::bench
