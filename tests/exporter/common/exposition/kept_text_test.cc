#include "exporter/common/exposition/kept_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exporter/common/exposition/writer.h"

namespace limpet::kept_text_test {
namespace {

constexpr MetricInfo kWords{
    .name = "words", .type = MetricType::kGauge, .unit = "", .labels = "device", .help = "Some."};
constexpr MetricInfo kErrors{.name = "errors_total",
                             .type = MetricType::kCounter,
                             .unit = "errors",
                             .labels = "device",
                             .help = "Others."};

Families Two() {
  return {{.info = &kWords, .samples = {{MakeLabels({{"device", "sda"}}), 1}}},
          {.info = &kErrors, .samples = {{MakeLabels({{"device", "sda"}}), 7}}}};
}

TEST(KeptText, IsPrintedOnce) {
  KeptText texts;
  const auto samples = std::make_shared<const Samples>();
  int printed = 0;
  const auto print = [&] { return "text " + std::to_string(++printed); };
  EXPECT_EQ(*texts.Get(samples, Format::kText, true, print), "text 1");
  EXPECT_EQ(*texts.Get(samples, Format::kText, true, print), "text 1");
  EXPECT_EQ(*texts.Get(samples, Format::kOpenMetrics, true, print), "text 2");
  EXPECT_EQ(*texts.Get(samples, Format::kText, false, print), "text 3") << "without description";
}

TEST(KeptText, GoesWithItsSamples) {
  KeptText texts;
  const auto* old = [&] {
    const auto samples = std::make_shared<const Samples>();
    (void)texts.Get(samples, Format::kText, true, [] { return std::string("old"); });
    return samples.get();
  }();
  for (int i = 0; i < 100; ++i) {
    const auto samples = std::make_shared<const Samples>();
    const auto text = texts.Get(samples, Format::kText, true, [] { return std::string("new"); });
    EXPECT_EQ(*text, "new") << "at the address of the old ones: " << (samples.get() == old);
  }
}

TEST(KeptText, HeadsAreMadeOnceForEachFormat) {
  KeptText texts;
  const Families families = Two();
  const std::vector<const Family*> asked = {&families[0], &families[1], &families[0]};
  int made = 0;
  const auto make = [&](const MetricInfo& info) {
    ++made;
    return FamilyHeads{.description = std::string(info.help), .lines = {}};
  };
  const auto heads = texts.Heads(asked, Format::kText, make);
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_EQ(heads[1]->description, "Others.");
  EXPECT_EQ(heads[2], heads[0]);
  EXPECT_EQ(texts.Heads(asked, Format::kText, make), heads);
  EXPECT_EQ(made, 2);
  EXPECT_NE(texts.Heads(asked, Format::kOpenMetrics, make)[0], heads[0]);
}

TEST(Keep, SharesWhatHasNotChanged) {
  const auto first = Keep(Two());
  auto families = Two();
  families[1].samples[0].value = 8;
  const auto second = Keep(families, first);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second[0].kept, first[0].kept);
  EXPECT_NE(second[1].kept, first[1].kept);
  EXPECT_EQ(second[1].kept->at(0).value, 8);
  EXPECT_EQ(first[1].kept->at(0).value, 7) << "a page may still show it";
}

TEST(Keep, TellsSamplesApartByLabelsNumberAndValue) {
  const auto first = Keep(Two());
  const auto shares = [&](auto change) {
    auto families = Two();
    change(families[0].samples);
    return Keep(families, first)[0].kept == first[0].kept;
  };
  EXPECT_TRUE(shares([](Samples&) {}));
  EXPECT_FALSE(shares([](Samples& all) { all[0].labels = MakeLabels({{"device", "sdb"}}); }));
  EXPECT_FALSE(shares([](Samples& all) { all[0].labels = nullptr; }));
  EXPECT_FALSE(shares([](Samples& all) { all[0].part = SamplePart::kSum; }));
  EXPECT_FALSE(shares([](Samples& all) { all.push_back(all[0]); }));
  EXPECT_FALSE(shares([](Samples& all) { all.clear(); }));
}

TEST(KeptText, PagesAreTheSameWithAndWithoutIt) {
  auto families = Keep(Two());
  ASSERT_EQ(families.size(), 2U);
  EXPECT_TRUE(families[0].samples.empty());
  // Another collector's samples of the same name follow without a description.
  families.push_back({.info = &kErrors, .samples = {{MakeLabels({{"device", "sdb"}}), 8}}});
  auto plain = Two();
  plain.push_back(families.back());
  const auto texts = std::make_shared<KeptText>();
  for (const auto format : {Format::kText, Format::kOpenMetrics}) {
    const auto wanted = Render(plain, format);
    EXPECT_EQ(Render(families, format), wanted);
    EXPECT_EQ(Render(families, format, {.kept_text = texts}), wanted);
    EXPECT_EQ(Render(families, format, {.kept_text = texts}), wanted) << "from the text";
  }
}

}  // namespace
}  // namespace limpet::kept_text_test
