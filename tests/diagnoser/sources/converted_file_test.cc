#include "diagnoser/sources/converted_file.h"

#include <gmock/gmock.h>

#include "exporter/common/exposition/codec.h"

namespace limpet::converted_file_test {
namespace {

using ::testing::ElementsAre;

class Chunks final : public ByteSource {
 public:
  explicit Chunks(std::vector<std::string> chunks) : chunks_(std::move(chunks)) {}
  Result<std::string> Read() override {
    return at_ < chunks_.size() ? chunks_[at_++] : std::string();
  }
  bool Rewind() override {
    at_ = 0;
    return true;
  }

 private:
  std::vector<std::string> chunks_;
  std::size_t at_ = 0;
};

// Gives text in capitals, a line at the end, and nothing for "quiet".
class Capitals final : public Converter {
 public:
  explicit Capitals(InputNotes& notes) : notes_(notes) {}
  Result<std::string> Feed(std::string_view plain) override {
    if (plain == "bad") {
      return Error{ErrorCode::kInvalid, "bad", notes_.Path()};
    }
    std::string text;
    for (const char c : plain == "quiet" ? "" : plain) {
      text.push_back(static_cast<char>(std::toupper(c)));
    }
    return text;
  }
  Result<std::string> Finish() override {
    notes_.LeaveOut(1, "why");
    notes_.Finish(1);
    return std::string("end\n");
  }

 private:
  InputNotes& notes_;
};

struct Opened {
  std::vector<std::string> warnings;
  std::unique_ptr<ByteSource> source;

  explicit Opened(std::vector<std::string> chunks)
      : source(ConvertFile(
            std::make_unique<Chunks>(std::move(chunks)),
            InputNotes("x",
                       [this](LogLevel, std::string_view text) { warnings.emplace_back(text); }),
            [](InputNotes& notes) { return std::make_unique<Capitals>(notes); })) {}

  std::string ReadAll() const {
    std::string all;
    while (true) {
      const auto read = source->Read();
      if (!read || read->empty()) {
        return read ? all : all + read.error().Text();
      }
      all += *read;
    }
  }
};

TEST(ConvertedFile, IsReadAsItsText) {
  Opened opened({"a", "quiet", "b\n"});
  EXPECT_EQ(opened.ReadAll(), "AB\nend\n");
  EXPECT_EQ(opened.source->Position(), 8U);
}

TEST(ConvertedFile, MayBeCompressed) {
  Opened opened({GzipEncode("abc\n")});
  EXPECT_EQ(opened.ReadAll(), "ABC\nend\n");
}

TEST(ConvertedFile, IsReadAgainFromItsStartAndComplainsOnce) {
  Opened opened({"a"});
  EXPECT_EQ(opened.ReadAll(), "Aend\n");
  EXPECT_TRUE(opened.source->Rewind());
  EXPECT_EQ(opened.ReadAll(), "Aend\n");
  EXPECT_THAT(opened.warnings, ElementsAre("x:1: why; left out", "x: left out 1 of 1 rows"));
}

TEST(ConvertedFile, EndsWithAnError) {
  Opened opened({"a", "bad", "b"});
  EXPECT_EQ(opened.ReadAll(), "Ax: bad");
  EXPECT_EQ(opened.ReadAll(), "");
}

TEST(ConvertedFile, SaysThatItIsCut) {
  const auto whole = GzipEncode(std::string(5000, 'a'));
  Opened opened({whole.substr(0, whole.size() - 4)});
  auto expected = std::string(5000, 'A');
  expected.append("end\n");
  EXPECT_EQ(opened.ReadAll(), expected);
  EXPECT_EQ(opened.warnings.front(), "x: ends in the middle; read as far as it goes");
}

}  // namespace
}  // namespace limpet::converted_file_test
