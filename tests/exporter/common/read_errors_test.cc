#include "exporter/common/read_errors.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace limpet::read_errors_test {
namespace {

// Fails with `code`; kNotFound stands for a device that is not there.
class FailingFiles final : public FileReader {
 public:
  explicit FailingFiles(const ErrorCode* code) : code_(code) {}
  Result<std::string_view> Read(std::string_view path) override {
    if (*code_ == ErrorCode::kInternal) {
      return std::string_view("fine");
    }
    return Error{*code_, "Input/output error", std::string(path)};
  }
  Result<std::string_view> ReadOnce(std::string_view path) override { return Read(path); }
  Result<std::vector<std::string>> List(std::string_view folder) override {
    return Error{*code_, "Input/output error", std::string(folder)};
  }
  bool Exists(std::string_view /*path*/) override { return true; }

 private:
  const ErrorCode* code_;
};

TEST(ReadErrors, AreToldOnceUntilTheFileCanBeRead) {
  auto code = ErrorCode::kNotFound;
  std::vector<std::string> lines;
  const auto files =
      LogReadErrors(std::make_unique<FailingFiles>(&code),
                    [&](LogLevel, std::string_view text) { lines.emplace_back(text); });
  EXPECT_FALSE(files->Read("stat"));
  EXPECT_TRUE(lines.empty()) << "what is not there is a state of the machine";
  code = ErrorCode::kUnavailable;
  EXPECT_FALSE(files->Read("stat"));
  EXPECT_FALSE(files->ReadOnce("stat"));
  EXPECT_FALSE(files->List("folder"));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "stat: Input/output error; what it holds is left out");
  code = ErrorCode::kInternal;
  EXPECT_TRUE(files->Read("stat"));
  code = ErrorCode::kTooLarge;
  EXPECT_FALSE(files->Read("stat"));
  EXPECT_EQ(lines.size(), 3U);
}

TEST(ReadErrors, WithoutALogTheReaderIsAsItWas) {
  auto code = ErrorCode::kUnavailable;
  EXPECT_FALSE(LogReadErrors(std::make_unique<FailingFiles>(&code), nullptr)->Read("stat"));
}

}  // namespace
}  // namespace limpet::read_errors_test
