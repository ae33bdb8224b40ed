#include "diagnoser/sources/range_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::range_answer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr UnixTime kFirst = UnixFromSeconds(1'700'000'000);

Result<RangeAnswer> Read(std::string_view body, const RangeLimits& limits = {}) {
  return ParseRangeAnswer(body, kFirst, kFirst + 60s, 15s, limits);
}
std::string Refusal(std::string_view body, const RangeLimits& limits = {}) {
  const auto answer = Read(body, limits);
  return answer ? "taken" : answer.error().message;
}
std::string Matrix(std::string_view series, std::string_view more = "") {
  return R"({"status":"success","data":{"resultType":"matrix","result":[)" + std::string(series) +
         "]}" + std::string(more) + "}";
}

TEST(RangeAnswer, SeriesWithLabelsAndPoints) {
  const auto answer =
      Read(Matrix(R"({"metric":{"__name__":"node_x","instance":"io01:9100","device":"sd\"a"},)"
                  R"("values":[[1700000000,"1.5"],[1700000015.000,"2e3"],[1700000060,"NaN"]]},)"
                  R"({"metric":{},"values":[]})"));
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_THAT(answer->series, SizeIs(1));
  const auto& series = answer->series[0];
  EXPECT_EQ(series.name, "node_x");
  EXPECT_THAT(series.labels, ElementsAre(Pair("instance", "io01:9100"), Pair("device", "sd\"a")));
  EXPECT_EQ(series.Label("instance"), "io01:9100");
  EXPECT_EQ(series.Label("job"), "");
  ASSERT_THAT(series.points, SizeIs(3));
  EXPECT_EQ(series.points[1].at, kFirst + 15s);
  EXPECT_EQ(series.points[1].value, 2000);
  EXPECT_THAT(answer->partial, IsEmpty());
}

TEST(RangeAnswer, WhatOthersAddIsPassedOver) {
  const auto answer = Read(
      R"({"status":"success","isPartial":false,"data":{"resultType":"matrix","stats":{"a":[1,[2]]},)"
      R"("result":[{"metric":{"a":"b"},"values":[[1700000000,"1"]],"histograms":[[1700000000,{"x":[]}]]}]},)"
      R"("infos":["x"],"trace":{"children":[{}]}})");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_THAT(answer->series, SizeIs(1));
}

TEST(RangeAnswer, NativeHistogramsHaveBuckets) {
  const auto answer = Read(Matrix(
      R"({"metric":{"__name__":"h"},"histograms":[[1700000000,{"count":"5","sum":"2.5","buckets":)"
      R"([[3,"-0.001","0.001","1"],[0,"0.25","0.5","4"]]}],[1700000015,{"count":"0","sum":"0"}]]})"));
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_THAT(answer->series, SizeIs(1));
  const auto& points = answer->series[0].histograms;
  ASSERT_THAT(points, SizeIs(2));
  EXPECT_EQ(points[0].at, kFirst);
  EXPECT_EQ(points[0].count, 5);
  ASSERT_THAT(points[0].buckets, SizeIs(2));
  EXPECT_EQ(points[0].buckets[0].lower, -0.001);
  EXPECT_EQ(points[0].buckets[1].upper, 0.5);
  EXPECT_EQ(points[0].buckets[1].count, 4);
  EXPECT_THAT(points[1].buckets, IsEmpty());
}

TEST(RangeAnswer, BrokenHistogramsAreRefused) {
  const auto point = [](const std::string& histogram, const std::string& at = "1700000000") {
    return Refusal(Matrix(R"({"metric":{},"histograms":[[)" + at + "," + histogram + "]]}"));
  };
  EXPECT_THAT(point(R"({"count":"x"})"), HasSubstr("expected a number"));
  EXPECT_THAT(point(R"({"buckets":[[0,"1","2"]]})"), HasSubstr("expected buckets such as"));
  EXPECT_THAT(point(R"({"buckets":[["0","1","2"]]})"), HasSubstr("expected buckets such as"));
  EXPECT_THAT(point(R"({"buckets":[[0,"1","2","x"]]})"), HasSubstr("expected a number"));
  EXPECT_THAT(point("{}", "1700000001"), HasSubstr("other instants"));
  EXPECT_THAT(point("{}", "\"x\""), HasSubstr("expected histograms such as"));
  const std::string many = R"({"metric":{},"histograms":[[1700000000,{"buckets":)"
                           R"([[0,"1","2","3"],[0,"2","3","3"]]}]]})";
  EXPECT_THAT(Refusal(Matrix(many), {.max_points = 2}), HasSubstr("more than 2 points"));
  EXPECT_EQ(Refusal(Matrix(many), {.max_points = 3}), "taken");
}

TEST(RangeAnswer, APartialOneSaysSo) {
  EXPECT_EQ(Read(Matrix("", R"(,"warnings":["store a:10901 is down","b"])"))->partial,
            "store a:10901 is down");
  EXPECT_EQ(Read(R"({"isPartial":true,)" + Matrix("").substr(1))->partial, "isPartial");
  EXPECT_EQ(Read(Matrix("", R"(,"warnings":[])"))->partial, "");
}

TEST(RangeAnswer, WhatIsNoMatrixOfTheseStepsIsRefused) {
  EXPECT_THAT(Refusal(R"({"status":"error","errorType":"execution","error":"too many samples"})"),
              HasSubstr("the store says: too many samples"));
  EXPECT_THAT(Refusal(R"({"status":"success","data":{"resultType":"vector","result":[]}})"),
              HasSubstr("expected a matrix, got \"vector\""));
  EXPECT_THAT(Refusal("{}"), HasSubstr("expected status success"));
  EXPECT_THAT(Refusal("[]"), HasSubstr("expected status success"));
  EXPECT_THAT(Refusal("<html>"), HasSubstr("expected JSON"));
  EXPECT_THAT(Refusal(Matrix(R"({"metric":{},"values":[[1700000000,"1"]]})").substr(0, 75)),
              HasSubstr("expected JSON"));
  const auto points = [](const std::string& values) {
    return Refusal(Matrix("{\"metric\":{},\"values\":[" + values + "]}"));
  };
  EXPECT_THAT(points(R"([1700000007,"1"])"), HasSubstr("for other instants"));
  EXPECT_THAT(points(R"([1700000075,"1"])"), HasSubstr("for other instants"));
  EXPECT_THAT(points(R"([1700000015,"1"],[1700000000,"1"])"), HasSubstr("do not grow"));
  EXPECT_THAT(points(R"([1700000000,"one"])"), HasSubstr("expected a number, got \"one\""));
  EXPECT_THAT(points(R"([1700000000])"), HasSubstr("expected points such as"));
  EXPECT_THAT(points(R"(["1700000000","1"])"), HasSubstr("expected points such as"));
  EXPECT_THAT(points(R"([99999999999999999999,"1"])"), HasSubstr("instant"));
  EXPECT_THAT(points(R"([-15,"1"])"), HasSubstr("out of range"));
}

TEST(RangeAnswer, IsBounded) {
  const std::string one =
      R"({"metric":{"a":"b","c":"d"},"values":[[1700000000,"1"],[1700000015,"2"]]})";
  EXPECT_EQ(Refusal(Matrix(one)), "taken");
  EXPECT_THAT(Refusal(Matrix(one + "," + one), {.max_series = 1}), HasSubstr("more than 1 series"));
  EXPECT_THAT(Refusal(Matrix(one), {.max_points = 1}), HasSubstr("more than 1 points"));
  EXPECT_THAT(Refusal(Matrix(one), {.max_labels = 1}), HasSubstr("more than 1 labels"));
  EXPECT_THAT(Refusal(std::string(100'000, '[')), HasSubstr("nested too deeply"));
}

TEST(RangeAnswer, TheReasonOfARefusal) {
  EXPECT_EQ(ReadReason(R"({"status":"error","error":"parse error: unexpected <by>"})"),
            "parse error: unexpected <by>");
  EXPECT_EQ(ReadReason("<html>504</html>"), "");
  EXPECT_EQ(ReadReason("{\"error\": 5}"), "");
}

}  // namespace
}  // namespace limpet::range_answer_test
