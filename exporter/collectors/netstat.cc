#include "exporter/collectors/netstat.h"

#include <unistd.h>

#include <optional>
#include <string>
#include <utility>

#include "exporter/collectors/catalog/netstat.h"

namespace limpet {
namespace {

using catalog::kNetstatRows;
using catalog::NetstatFile;

// In the order of NetstatFile.
constexpr std::array<std::string_view, 5> kPaths = {"net/snmp", "net/netstat", "net/snmp6",
                                                    "net/sockstat", "net/sockstat6"};
constexpr std::string_view kPages = "mem";
constexpr std::string_view kPagesInBytes = "mem_bytes";  // not the kernel's: pages times their size

// The fields wanted of one file, in the order of the catalogue's rows.
std::vector<NetStatField> SelectFields(NetstatFile file) {
  std::vector<NetStatField> fields;
  for (const auto& row : kNetstatRows) {
    if (row.file == file) {
      fields.push_back({row.protocol, row.field == kPagesInBytes ? kPages : row.field});
    }
  }
  return fields;
}

// snmp6 prints protocol and field as one word: "Udp6InErrors".
std::vector<std::string> FieldKeys(NetstatFile file) {
  std::vector<std::string> keys;
  for (const auto& field : SelectFields(file)) {
    keys.push_back(std::string(field.protocol) + std::string(field.name));
  }
  return keys;
}

}  // namespace

constinit const CollectorModule kNetstatCollector{
    .name = "netstat",
    .title = "Network protocols",
    .metrics = catalog::kNetstat,
    .configure = [](yaml::MapReader& /*settings*/) -> CollectorFactory {
      return [](const CollectorInputs& in) -> Result<std::unique_ptr<Collector>> {
        return std::unique_ptr<Collector>(std::make_unique<NetstatCollector>(
            in.Proc(), static_cast<double>(::sysconf(_SC_PAGESIZE))));
      };
    }};

NetstatCollector::NetstatCollector(std::unique_ptr<FileReader> proc, double page_size)
    : proc_(std::move(proc)),
      page_size_(page_size),
      snmp_(SelectFields(NetstatFile::kSnmp)),
      netstat_(SelectFields(NetstatFile::kNetstat)),
      snmp6_(FieldKeys(NetstatFile::kSnmp6)) {
  for (std::size_t i = 0; i < kNetstatRows.size(); ++i) {
    rows_[static_cast<std::size_t>(kNetstatRows[i].file)].push_back(i);
  }
  for (std::size_t file = 0; file < kFiles; ++file) {
    // Kept, so that no tick looks through all rows.
    fields_[file] = SelectFields(static_cast<NetstatFile>(file));
  }
}

Result<Families> NetstatCollector::Collect(const Tick& /*tick*/) {
  Families families;
  families.reserve(kNetstatRows.size());
  std::optional<Error> first_error;
  // One file that is missing (snmp6 without IPv6) costs only what stands in it.
  bool any = false;
  incomplete_.reset();
  for (std::size_t file = 0; file < kFiles; ++file) {
    const auto text = proc_->Read(kPaths[file]);
    if (!text) {
      first_error = first_error ? first_error : text.error();
      if (IsUnreadable(text.error())) {
        incomplete_ = incomplete_ ? incomplete_ : text.error();
      }
      continue;
    }
    any = true;
    NetStatValues values;
    switch (static_cast<NetstatFile>(file)) {
      case NetstatFile::kSnmp:
        values = snmp_.Parse(*text);
        break;
      case NetstatFile::kNetstat:
        values = netstat_.Parse(*text);
        break;
      case NetstatFile::kSnmp6:
        values = snmp6_.Parse(*text);
        break;
      case NetstatFile::kSockstat:
      case NetstatFile::kSockstat6:
        values = ParseSockstat(*text, fields_[file]);
        break;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) {
        const auto& row = kNetstatRows[rows_[file][i]];
        // sockstat counts memory in pages, whose size is the machine's.
        const double scale = row.field == kPagesInBytes ? page_size_ : 1;
        families.push_back({&row.info, {{nullptr, static_cast<double>(*values[i]) * scale}}});
      }
    }
  }
  if (!any) {
    return *first_error;
  }
  return families;
}

}  // namespace limpet
