#include "exporter/common/web/listen.h"

#include <unistd.h>

#include "tests/exporter/common/web/client.h"

namespace limpet::web::listen_test {
namespace {

using limpet::testing::Client;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A socket that is closed with the test.
class Open {
 public:
  explicit Open(const ListenAddress& address) : socket_(Listen(address)) {}
  ~Open() {
    if (socket_) {
      ::close(socket_->fd);
    }
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  const Result<ListeningSocket>& Get() const { return socket_; }

 private:
  Result<ListeningSocket> socket_;
};

TEST(Listen, AtPort0TheKernelChoosesAndTheAddressSaysWhich) {
  const Open open({"127.0.0.1", 0});
  ASSERT_TRUE(open.Get()) << open.Get().error().Text();
  EXPECT_NE(open.Get()->port, 0);
  EXPECT_FALSE(open.Get()->is_ipv6);
  EXPECT_EQ(open.Get()->address, "127.0.0.1:" + std::to_string(open.Get()->port));
  EXPECT_TRUE(Client(open.Get()->port).IsConnected());
}

TEST(Listen, WithoutAHostIpv4IsServedWhateverElseIs) {
  const Open open({"", 0});
  ASSERT_TRUE(open.Get()) << open.Get().error().Text();
  EXPECT_TRUE(Client(open.Get()->port).IsConnected());
  EXPECT_EQ(open.Get()->is_ipv6, open.Get()->address.starts_with("[::]"));
}

TEST(Listen, AHostNameIsLookedUp) {
  const Open open({"localhost", 0});
  ASSERT_TRUE(open.Get()) << open.Get().error().Text();
  EXPECT_THAT(open.Get()->address, ::testing::AnyOf(StartsWith("127."), StartsWith("[::1]")));
}

TEST(Listen, APortInUseIsNotTriedOnIpv4Alone) {
  const Open first({"", 0});
  ASSERT_TRUE(first.Get());
  const Open second({"", first.Get()->port});
  ASSERT_FALSE(second.Get());
  EXPECT_EQ(second.Get().error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.Get().error().Text(), HasSubstr("in use"));
}

TEST(Listen, ErrorsNameTheAddressAndWhatToDo) {
  const Open foreign({"192.0.2.1", 0});  // of TEST-NET-1 (RFC 5737): nobody's
  ASSERT_FALSE(foreign.Get());
  EXPECT_THAT(foreign.Get().error().Text(),
              AllOf(HasSubstr("192.0.2.1:0"), HasSubstr("no such address")));
  const Open nameless({"no-such-host.invalid", 0});
  ASSERT_FALSE(nameless.Get());
  EXPECT_EQ(nameless.Get().error().code, ErrorCode::kNotFound);
  EXPECT_THAT(nameless.Get().error().Text(), HasSubstr("no-such-host.invalid"));
}

}  // namespace
}  // namespace limpet::web::listen_test
