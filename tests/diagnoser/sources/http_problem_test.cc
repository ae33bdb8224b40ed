#include "diagnoser/sources/http_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include <boost/asio/error.hpp>

namespace limpet::http_problem_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Handshake(int verified) {
  return ExplainHandshake(boost::asio::error::make_error_code(boost::asio::error::eof), verified,
                          "io01");
}

TEST(ExplainHandshake, TellsWhatIsWrongWithACertificate) {
  EXPECT_THAT(Handshake(X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT), HasSubstr("self-signed"));
  EXPECT_THAT(Handshake(X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY), HasSubstr("an authority"));
  EXPECT_THAT(Handshake(X509_V_ERR_HOSTNAME_MISMATCH), HasSubstr("another name than io01"));
  EXPECT_THAT(Handshake(X509_V_ERR_CERT_HAS_EXPIRED), HasSubstr("has expired"));
  EXPECT_THAT(Handshake(X509_V_ERR_CERT_NOT_YET_VALID), HasSubstr("not valid yet"));
  EXPECT_EQ(Handshake(X509_V_OK), "TLS handshake failed: End of file");
}

TEST(ExplainBreak, WhoGetsNoAnswerInPlainTextIsAskedAboutTls) {
  const auto reset = boost::asio::error::make_error_code(boost::asio::error::connection_reset);
  EXPECT_THAT(ExplainBreak(reset, Stage::kHeader, false, 1, false).text, HasSubstr("https"));
  EXPECT_THAT(ExplainBreak(reset, Stage::kHeader, false, 1, true).text, Not(HasSubstr("https")));
  EXPECT_THAT(ExplainBreak(reset, Stage::kBody, false, 1, false).text, Not(HasSubstr("https")));
}

}  // namespace
}  // namespace limpet::http_problem_test
