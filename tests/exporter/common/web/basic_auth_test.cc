#include "exporter/common/web/basic_auth.h"

namespace limpet::web::basic_auth_test {
namespace {

TEST(BasicAuth, ReadsUserAndPassword) {
  EXPECT_EQ(ParseBasicAuth("Basic dXNlcjpzZWNyZXQ="), (Credentials{"user", "secret"}));
  EXPECT_EQ(ParseBasicAuth("basic  dXNlcjpzZWNyZXQ= "), (Credentials{"user", "secret"}));
  EXPECT_EQ(ParseBasicAuth("BASIC dXNlcjo="), (Credentials{"user", ""}));
  EXPECT_EQ(ParseBasicAuth("Basic OnA="), (Credentials{"", "p"}));
}

TEST(BasicAuth, ThePasswordMayHoldColons) {
  EXPECT_EQ(ParseBasicAuth("Basic dTphOmI="), (Credentials{"u", "a:b"}));
}

TEST(BasicAuth, AnythingElseIsNone) {
  for (const auto* field :
       {"", "Basic", "Basic ", "Bearer dXNlcjpzZWNyZXQ=", "Basicd XNlcjp=", "Basic dXNlcjpzZWNyZXQ",
        "Basic dXNlc=jpzZWNyZXQ=", "Basic !!!!", "Basic dXNlcg==", "Basic ====", "Basic dTpwAA==",
        "Basic dTpw----", "Basic dTp\nw", "Basic dTpw\xff\xff\xff\xff"}) {
    EXPECT_EQ(ParseBasicAuth(field), std::nullopt) << field;
  }
}

}  // namespace
}  // namespace limpet::web::basic_auth_test
