#include "diagnoser/commands/mcp_server.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace limpet::mcp_server_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

class McpServerTest : public ::testing::Test {
 protected:
  json Ask(const std::string& line) {
    const auto answer = server_.Handle(line);
    return answer ? json::parse(*answer) : json();
  }
  json Call(const std::string& tool, json arguments) {
    return Ask(json{{"jsonrpc", "2.0"},
                    {"id", 7},
                    {"method", "tools/call"},
                    {"params", {{"name", tool}, {"arguments", std::move(arguments)}}}}
                   .dump());
  }

  std::vector<std::string> paths_;
  Result<std::string> answer_ = std::string("{}");
  McpServer server_{[this](const std::string& path) {
    paths_.push_back(path);
    return answer_;
  }};
};

TEST_F(McpServerTest, BeginsWithWhatItIs) {
  const auto answer = Ask(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}})");
  EXPECT_EQ(answer["id"], 1);
  EXPECT_EQ(answer["result"]["protocolVersion"], "2025-03-26");
  EXPECT_EQ(answer["result"]["serverInfo"]["name"], "limpet");
  EXPECT_EQ(Ask(R"({"id":1,"method":"initialize","params":{"protocolVersion":"1999"}})")
                ["result"]["protocolVersion"],
            "2025-06-18");
  EXPECT_TRUE(Ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").is_null());
  EXPECT_EQ(Ask(R"({"id":"a","method":"ping"})")["result"], json::object());
}

TEST_F(McpServerTest, ListsItsToolsAllReadOnly) {
  const auto tools = Ask(R"({"id":1,"method":"tools/list"})")["result"]["tools"];
  EXPECT_EQ(tools.size(), 6U);
  for (const auto& tool : tools) {
    EXPECT_EQ(tool["annotations"]["readOnlyHint"], true);
    EXPECT_EQ(tool["inputSchema"]["type"], "object");
  }
}

TEST_F(McpServerTest, ReplaysOnlyWhereThereAreRecordings) {
  EXPECT_EQ(Call("replay", json::object())["error"]["code"], -32602);
  const McpServer replaying([&](const std::string&) { return answer_; },
                            [](const std::string& from, const std::string& to) {
                              return Result<std::string>(from + " to " + to);
                            });
  const auto said = replaying.Handle(
      R"({"id":1,"method":"tools/call","params":{"name":"replay","arguments":{"from":"a"}}})");
  EXPECT_EQ(json::parse(said.value())["result"]["content"][0]["text"], "a to ");
  const auto tools = json::parse(replaying.Handle(R"({"id":1,"method":"tools/list"})").value());
  EXPECT_EQ(tools["result"]["tools"].size(), 7U);
}

TEST_F(McpServerTest, AsksTheApi) {
  EXPECT_EQ(Call("verdicts", json::object())["result"]["content"][0]["text"], "{}");
  (void)Call("evidence", {{"node", "io03&x=1"}, {"at", 17}});
  (void)Call("incident", {{"id", "../a"}});
  (void)Call("history", {{"limit", "5"}});
  EXPECT_THAT(paths_, ElementsAre("api/v1/verdicts", "api/v1/evidence?node=io03%26x%3D1&at=17",
                                  "api/v1/incidents/..%2Fa", "api/v1/incidents?limit=5"));
}

TEST_F(McpServerTest, AnApiThatDoesNotAnswerIsAnErrorOfTheTool) {
  answer_ = Error{ErrorCode::kUnavailable, "cannot connect", ""};
  const auto answer = Call("verdicts", json::object());
  EXPECT_EQ(answer["result"]["isError"], true);
  EXPECT_EQ(answer["result"]["content"][0]["text"], "cannot connect");
  EXPECT_EQ(Call("explain", {{"node", "io03"}})["result"]["isError"], true);
}

TEST_F(McpServerTest, WhatIsWrongIsSaidByItsCode) {
  EXPECT_EQ(Ask("{")["error"]["code"], -32700);
  EXPECT_EQ(Ask(std::string(McpServer::kMaxLine + 1, ' '))["error"]["code"], -32700);
  EXPECT_EQ(Ask("[]")["error"]["code"], -32600);
  EXPECT_EQ(Ask(R"({"id":1})")["error"]["code"], -32600);
  EXPECT_EQ(Ask(R"({"id":1,"method":"tools/call","params":[]})")["error"]["code"], -32600);
  EXPECT_EQ(Ask(R"({"id":1,"method":"resources/list"})")["error"]["code"], -32601);
  EXPECT_EQ(Call("rm", json::object())["error"]["code"], -32602);
  EXPECT_EQ(Call("explain", json::object())["error"]["code"], -32602);
  EXPECT_EQ(Call("explain", {{"node", json::array()}})["error"]["code"], -32602);
  EXPECT_EQ(Ask(R"({"id":1,"method":"tools/call","params":{"name":5}})")["error"]["code"], -32602);
  EXPECT_TRUE(paths_.empty());
}

TEST_F(McpServerTest, ALongAnswerIsCut) {
  answer_ = std::string(McpServer::kMaxAnswer + 5, 'x');
  const auto text =
      Call("verdicts", json::object())["result"]["content"][0]["text"].get<std::string>();
  EXPECT_LT(text.size(), McpServer::kMaxAnswer + 200);
  EXPECT_NE(text.find("cut here"), std::string::npos);
}

}  // namespace
}  // namespace limpet::mcp_server_test
