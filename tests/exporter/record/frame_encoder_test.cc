#include "exporter/record/frame_encoder.h"

#include <gtest/gtest.h>

#include "exporter/collectors/catalog/disk.h"
#include "tests/exporter/record/recorded_samples.h"

namespace limpet::frame_encoder_test {
namespace {

// Three frames of one sample each.
std::string Frames(RecordingForm form, bool continues) {
  const auto encoder = MakeFrameEncoder(form, 3, {{"instance", "io1"}, {"role", "server"}});
  const auto device = MakeLabels({{"device", "a \"b\""}});
  std::string bytes;
  for (int i = 0; i < 3; ++i) {
    encoder->Add(UnixFromMilliseconds(1'700'000'000'250 + i),
                 {{&catalog::kDiskReadsCompleted, {{device, 5.0 * i}}}}, i == 0);
    bytes += encoder->Finish(continues);
  }
  encoder->AddEnd();
  return bytes + encoder->Finish(continues);
}

TEST(FrameEncoder, BothFormsSayTheSame) {
  const auto text = testing::RecordedText(Frames(RecordingForm::kText, true));
  EXPECT_EQ(text,
            "# HELP limpet_disk_reads_completed Reads completed successfully.\n"
            "# TYPE limpet_disk_reads_completed counter\n"
            "limpet_disk_reads_completed_total{instance=\"io1\",role=\"server\",device=\"a "
            "\\\"b\\\"\"} 0 1700000000.250\n"
            "limpet_disk_reads_completed_total{instance=\"io1\",role=\"server\",device=\"a "
            "\\\"b\\\"\"} 5 1700000000.251\n"
            "limpet_disk_reads_completed_total{instance=\"io1\",role=\"server\",device=\"a "
            "\\\"b\\\"\"} 10 1700000000.252\n"
            "# EOF\n");
  EXPECT_EQ(testing::RecordedText(Frames(RecordingForm::kColumns, true)), text);
  EXPECT_EQ(testing::RecordedText(Frames(RecordingForm::kColumns, false)), text);
  EXPECT_LT(Frames(RecordingForm::kColumns, true).size(),
            Frames(RecordingForm::kColumns, false).size());
}

TEST(FrameEncoder, WithoutASampleThereIsNoFrame) {
  for (const auto form : {RecordingForm::kText, RecordingForm::kColumns}) {
    EXPECT_EQ(MakeFrameEncoder(form, 3, {})->Finish(true), "");
  }
}

}  // namespace
}  // namespace limpet::frame_encoder_test
