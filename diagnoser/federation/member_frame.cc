#include "diagnoser/federation/member_frame.h"

#include <algorithm>

#include "diagnoser/federation/json_shape.h"
#include "diagnoser/verdict/causes.h"

namespace limpet {
namespace {

// Of each of its columns our own, by name; kColumns: none, or one of another scale.
std::vector<std::size_t> MatchColumns(const ApiJson& columns) {
  std::vector<std::size_t> ours;
  for (const auto& column : columns) {
    const auto rows = ColumnRows();
    const auto found = std::ranges::find_if(rows, [&](const ColumnRow& row) {
      if (!HasShape(column, {{"name", JsonKind::kText}}) ||
          column["name"].get_ref<const std::string&>() != row.name || !column.contains("scale")) {
        return false;
      }
      const auto& scale = column["scale"];
      return HasShape(scale, {{"low", JsonKind::kNumber}, {"high", JsonKind::kNumber}}) &&
             scale["low"] == row.low && scale["high"] == row.high;
    });
    ours.push_back(static_cast<std::size_t>(found - rows.begin()));
  }
  return ours;
}

std::int16_t OurCause(std::int64_t theirs, const std::vector<Cause>& causes) {
  if (theirs < 0 || static_cast<std::size_t>(theirs) >= causes.size()) {
    return kUnknown;
  }
  const auto rows = CauseRows();
  const auto found =
      std::ranges::find(rows, causes[static_cast<std::size_t>(theirs)], &CauseRow::cause);
  return found == rows.end() ? kUnknown : static_cast<std::int16_t>(found - rows.begin());
}

void TakeRow(const ApiJson& row, const std::vector<std::size_t>& columns,
             const MemberPlaces& places, std::vector<std::int16_t>& values) {
  if (!row.is_array() || row.size() != columns.size() + 1 || !row[0].is_number_unsigned()) {
    return;
  }
  const auto place = row[0].get<std::uint64_t>();
  if (place >= places.nodes) {
    return;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& value = row[i + 1];
    if (columns[i] == kColumns || !value.is_number_unsigned() || value.get<std::uint64_t>() > 255) {
      continue;
    }
    const auto number = static_cast<std::int16_t>(value.get<std::uint64_t>());
    values[place * kColumns + columns[i]] = columns[i] == static_cast<std::size_t>(Column::kCause)
                                                ? OurCause(number, places.causes)
                                                : number;
  }
}

}  // namespace

bool IsWholeFrame(const ApiJson& frame) {
  return HasShape(frame, {{"version", JsonKind::kNumber}, {"columns", JsonKind::kObjects}}) &&
         frame.contains("rows") && frame["rows"].is_array();
}

std::optional<std::vector<std::int16_t>> ReadMemberFrame(const ApiJson& frame,
                                                         const MemberPlaces& places) {
  if (!IsWholeFrame(frame) || frame["version"] != places.version) {
    return std::nullopt;
  }
  std::vector<std::int16_t> values(places.nodes * kColumns, kUnknown);
  const auto columns = MatchColumns(frame["columns"]);
  for (const auto& row : frame["rows"]) {
    TakeRow(row, columns, places, values);
  }
  return values;
}

}  // namespace limpet
