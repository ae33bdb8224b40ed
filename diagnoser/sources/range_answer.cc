#include "diagnoser/sources/range_answer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "exporter/common/exposition/numbers.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxText = 4096;   // of a label
constexpr std::size_t kMaxReason = 300;  // shown

// Where in the answer we are. A state instead of a tree: a tree takes several times its
// text, and an answer may have 64 MiB.
enum class At {
  kOutside,
  kTop,
  kData,
  kResult,
  kSeries,
  kMetric,
  kValues,
  kPoint,
  kHistograms,
  kHistogramPoint,
  kHistogram,
  kBuckets,
  kBucket,
  kWarnings,
  kIgnored
};

class Reader final : public nlohmann::json_sax<Json> {
 public:
  Reader(UnixTime first, UnixTime last, Duration step, const RangeLimits& limits)
      : first_(first), last_(last), step_(step), limits_(limits) {}

  bool null() override { return Scalar(); }
  bool boolean(bool value) override {
    if (Now() == At::kTop && key_ == "isPartial" && value && answer_.partial.empty()) {
      answer_.partial = "isPartial";
    }
    return Scalar();
  }
  bool number_integer(number_integer_t value) override { return Number(value); }
  // nlohmann reports numbers without a sign here and negative ones above.
  bool number_unsigned(number_unsigned_t value) override {
    return value > kMostSeconds ? Fail("an instant out of range")
                                : Number(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    if (!IsInstantNext()) {
      return Scalar();
    }
    // From the text: a double is off by up to 0.2 us and would fall beside the grid.
    const auto at = ParseUnixSeconds(text);
    return at && IsInstant(*at) ? Instant(*at)
                                : Fail("expected an instant, got " + text.substr(0, 40));
  }
  bool string(string_t& text) override;
  bool binary(binary_t& /*value*/) override { return Fail("unexpected bytes"); }
  bool start_object(std::size_t /*size*/) override { return Enter(true); }
  bool start_array(std::size_t /*size*/) override { return Enter(false); }
  bool end_object() override { return Leave(); }
  bool end_array() override { return Leave(); }
  bool key(string_t& text) override {
    key_ = text;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const Json::exception& /*why*/) override {
    return Fail("expected JSON, broken at byte " + std::to_string(position));
  }

  [[nodiscard]] const std::string& Problem() const { return problem_; }
  [[nodiscard]] std::string Missing() const {
    if (!error_.empty()) {
      return "the store says: " + error_;
    }
    if (status_ != "success") {
      return "expected status success, got \"" + status_.substr(0, 40) + "\"";
    }
    return type_ == "matrix" ? "" : "expected a matrix, got \"" + type_.substr(0, 40) + "\"";
  }
  RangeAnswer ReleaseAnswer() { return std::move(answer_); }
  [[nodiscard]] const std::string& Reason() const { return error_; }

 private:
  static constexpr std::uint64_t kMostSeconds = WholeSeconds(kLatestInstant);

  [[nodiscard]] At Now() const { return path_.empty() ? At::kOutside : path_.back(); }
  bool Fail(std::string problem) {
    if (problem_.empty()) {
      problem_ = std::move(problem);
    }
    return false;
  }
  bool Scalar() {
    ++place_;
    return true;
  }
  [[nodiscard]] bool IsInstantNext() const {
    return place_ == 0 && (Now() == At::kPoint || Now() == At::kHistogramPoint);
  }
  bool Number(std::int64_t value) {
    if (!IsInstantNext()) {
      return Scalar();
    }
    if (value < 0 || static_cast<std::uint64_t>(value) > kMostSeconds) {
      return Fail("an instant out of range");
    }
    return Instant(UnixFromSeconds(value));
  }
  bool Instant(UnixTime at) {
    // Some stores round start and end to their own step: such values are of other instants.
    if (at < first_ || at > last_ || (at - first_) % step_ != Duration::zero()) {
      return Fail("the store answered for other instants than it was asked for");
    }
    auto& series = answer_.series.back();
    // What belongs to the instant comes next.
    const bool grows = Now() == At::kPoint ? Grow(series.points, {.at = at, .value = 0})
                                           : Grow(series.histograms, {.at = at, .buckets = {}});
    has_instant_ = true;
    return grows && Scalar();
  }
  template <class Point>
  bool Grow(std::vector<Point>& points, Point point) {
    if (!points.empty() && point.at <= points.back().at) {
      return Fail("instants that do not grow");
    }
    points.push_back(std::move(point));
    return CountPoint();
  }
  bool CountPoint() {
    return ++points_ <= limits_.max_points ||
           Fail("more than " + std::to_string(limits_.max_points) + " points");
  }
  bool OfHistogram(const std::string& text);
  [[nodiscard]] At Inside(bool object) const;
  bool Enter(bool object);
  bool Leave();

  UnixTime first_;
  UnixTime last_;
  Duration step_;
  RangeLimits limits_;
  RangeAnswer answer_;
  std::vector<At> path_;
  std::string key_;
  std::size_t place_ = 0;  // in a point
  std::size_t points_ = 0;
  bool has_instant_ = false;
  std::string status_;
  std::string type_;
  std::string error_;
  std::string problem_;
};

At Reader::Inside(bool object) const {
  switch (Now()) {
    case At::kOutside:
      return object ? At::kTop : At::kIgnored;
    case At::kTop:
      return object && key_ == "data"        ? At::kData
             : !object && key_ == "warnings" ? At::kWarnings
                                             : At::kIgnored;
    case At::kData:
      return !object && key_ == "result" ? At::kResult : At::kIgnored;
    case At::kResult:
      return object ? At::kSeries : At::kIgnored;
    case At::kSeries:
      return object && key_ == "metric"        ? At::kMetric
             : !object && key_ == "values"     ? At::kValues
             : !object && key_ == "histograms" ? At::kHistograms
                                               : At::kIgnored;
    case At::kValues:
      return object ? At::kIgnored : At::kPoint;
    case At::kHistograms:
      return object ? At::kIgnored : At::kHistogramPoint;
    case At::kHistogramPoint:
      return object && place_ == 1 && has_instant_ ? At::kHistogram : At::kIgnored;
    case At::kHistogram:
      return !object && key_ == "buckets" ? At::kBuckets : At::kIgnored;
    case At::kBuckets:
      return object ? At::kIgnored : At::kBucket;
    case At::kBucket:
    case At::kMetric:
    case At::kPoint:
    case At::kWarnings:
    case At::kIgnored:
      break;
  }
  return At::kIgnored;
}

bool Reader::Enter(bool object) {
  // What is ignored may still nest: the parser keeps no stack of its own, but path_ grows.
  if (path_.size() == kMaxDepth) {
    return Fail("nested too deeply");
  }
  const auto next = Inside(object);
  if (next == At::kSeries) {
    if (answer_.series.size() == limits_.max_series) {
      return Fail("more than " + std::to_string(limits_.max_series) + " series");
    }
    answer_.series.emplace_back();
  }
  if (next == At::kPoint || next == At::kHistogramPoint) {
    place_ = 0;
    has_instant_ = false;
  }
  if (next == At::kBucket) {
    place_ = 0;
    answer_.series.back().histograms.back().buckets.emplace_back();
    if (!CountPoint()) {
      return false;
    }
  }
  path_.push_back(next);
  return true;
}

bool Reader::Leave() {
  const auto left = Now();
  path_.pop_back();
  if (left == At::kPoint && (!has_instant_ || place_ != 2)) {
    return Fail("expected points such as [1700000000, \"1.5\"]");
  }
  if (left == At::kBucket && place_ != 4) {
    return Fail("expected buckets such as [0, \"0.25\", \"0.5\", \"3\"]");
  }
  if (left == At::kHistogramPoint && !has_instant_) {
    return Fail("expected histograms such as [1700000000, {\"count\": \"3\"}]");
  }
  if (left == At::kSeries && answer_.series.back().points.empty() &&
      answer_.series.back().histograms.empty()) {
    answer_.series.pop_back();
  }
  return true;
}

// Of a bucket the second to fourth scalar are its bounds and its requests.
bool Reader::OfHistogram(const std::string& text) {
  const bool is_count = Now() == At::kHistogram && key_ == "count";
  if (!is_count && Now() != At::kBucket) {
    return true;  // the sum
  }
  const auto value = ParseDouble(text);
  if (!value) {
    return Fail("expected a number, got \"" + Printable(text.substr(0, 40)) + "\"");
  }
  auto& point = answer_.series.back().histograms.back();
  if (is_count) {
    point.count = *value;
    return true;
  }
  auto& bucket = point.buckets.back();
  (place_ == 1 ? bucket.lower : place_ == 2 ? bucket.upper : bucket.count) = *value;
  return true;
}

bool Reader::string(string_t& text) {
  switch (Now()) {
    case At::kTop:
      if (key_ == "status") {
        status_ = text;
      } else if (key_ == "error") {
        error_ = text;
      }
      break;
    case At::kData:
      type_ = key_ == "resultType" ? text : type_;
      break;
    case At::kMetric: {
      auto& series = answer_.series.back();
      if (text.size() > kMaxText || key_.size() > kMaxText) {
        return Fail("a label of more than " + std::to_string(kMaxText) + " bytes");
      }
      if (key_ == "__name__") {
        series.name = text;
      } else if (series.labels.size() == limits_.max_labels) {
        return Fail("a series of more than " + std::to_string(limits_.max_labels) + " labels");
      } else {
        series.labels.emplace_back(key_, text);
      }
      break;
    }
    case At::kPoint:
      if (place_ == 1 && has_instant_) {
        const auto value = ParseDouble(text);
        if (!value) {
          return Fail("expected a number, got \"" + Printable(text.substr(0, 40)) + "\"");
        }
        answer_.series.back().points.back().value = *value;
      }
      break;
    case At::kHistogram:
    case At::kBucket:
      if (!OfHistogram(text)) {
        return false;
      }
      break;
    case At::kWarnings:
      if (answer_.partial.empty()) {
        answer_.partial = Printable(text.substr(0, kMaxReason));
      }
      break;
    case At::kOutside:
    case At::kResult:
    case At::kSeries:
    case At::kValues:
    case At::kHistograms:
    case At::kHistogramPoint:
    case At::kBuckets:
    case At::kIgnored:
      break;
  }
  return Scalar();
}

}  // namespace

std::string_view RangeSeries::Label(std::string_view label) const {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const auto& one) { return one.first == label; });
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

Result<RangeAnswer> ParseRangeAnswer(std::string_view body, UnixTime first, UnixTime last,
                                     Duration step, const RangeLimits& limits) {
  Reader reader(first, last, step, limits);
  const bool whole = Json::sax_parse(body.begin(), body.end(), &reader);
  const auto problem = whole ? reader.Missing() : reader.Problem();
  if (!problem.empty()) {
    return Error{ErrorCode::kInvalid, Printable(problem.substr(0, 2 * kMaxReason)), ""};
  }
  return reader.ReleaseAnswer();
}

std::string ReadReason(std::string_view body) {
  const auto answer = Json::parse(body.begin(), body.end(), nullptr, false);
  if (!answer.is_object() || !answer.contains("error") || !answer["error"].is_string()) {
    return {};
  }
  return Printable(answer["error"].get<std::string>().substr(0, kMaxReason));
}

}  // namespace limpet
