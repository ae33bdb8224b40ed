#include "diagnoser/commands/mcp_server.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "diagnoser/publish/explain_node.h"
#include "diagnoser/sources/address.h"
#include "exporter/common/time.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kParseError = -32700;  // of JSON-RPC 2.0
constexpr int kInvalidRequest = -32600;
constexpr int kNoMethod = -32601;
constexpr int kInvalidParams = -32602;

// The latest first: what a client is offered that asks for another one.
constexpr std::array kVersions = {"2025-06-18", "2025-03-26", "2024-11-05"};

struct Tool {
  const char* name;
  const char* text;
  const char* path;       // "": explain, "replay": of recordings
  const char* arguments;  // of the query, by name, those that are wanted with '!'
};
constexpr const char* kReplay = "replay";
constexpr Tool kTools[] = {
    {"verdicts", "Which servers limp now, why, since when, and what stands behind it.",
     "api/v1/verdicts", ""},
    {"judged", "Which servers are compared with their peers, and why others are not.",
     "api/v1/judged", "node"},
    {"explain", "What is wrong with one server, in plain words, and what to do next.", "", "!node"},
    {"evidence",
     "The numbers behind the latest verdict on a server: windows, peers, distributions.",
     "api/v1/evidence", "!node cause at"},
    {"history", "Incidents of the past with the answers of people; from and to are Unix seconds.",
     "api/v1/incidents", "from to node limit"},
    {"incident", "One incident with its evidence and answers, by its id.", "api/v1/incidents/",
     "!id"},
    {kReplay, "What Limpet says of the recordings it was given, from and to are ISO 8601 times.",
     kReplay, "from to"},
};

struct Argument {
  std::string name;
  bool wanted = false;
};

// "!node cause": node is wanted, cause may be left out.
std::vector<Argument> ArgumentsOf(const Tool& tool) {
  std::vector<Argument> arguments;
  std::string_view rest = tool.arguments;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(' '), rest.size());
    const auto word = rest.substr(0, end);
    arguments.push_back(
        {.name = std::string(word.substr(word[0] == '!' ? 1 : 0)), .wanted = word[0] == '!'});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return arguments;
}

Json ToolToJson(const Tool& tool) {
  auto properties = Json::object();
  auto wanted = Json::array();
  for (const auto& argument : ArgumentsOf(tool)) {
    properties[argument.name] = {{"type", "string"}};
    if (argument.wanted) {
      wanted.push_back(argument.name);
    }
  }
  return {{"name", tool.name},
          {"description", tool.text},
          {"inputSchema",
           {{"type", "object"}, {"properties", std::move(properties)}, {"required", wanted}}},
          {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}};
}

std::string Print(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Answer(const Json& id, Json result) {
  return Print({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string Refuse(const Json& id, int code, const std::string& text) {
  return Print({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
}

Json ToolResult(std::string text, bool is_error) {
  if (text.size() > McpServer::kMaxAnswer) {
    text.resize(McpServer::kMaxAnswer);
    text += "\n… cut here: ask for less, such as one node or a smaller limit";
  }
  return {{"content", Json::array({{{"type", "text"}, {"text", std::move(text)}}})},
          {"isError", is_error}};
}

// A text or a number, as it stands in a query; empty: it is not there.
std::optional<std::string> ReadArgument(const Json& arguments, const std::string& name) {
  const auto found = arguments.find(name);
  if (found == arguments.end() || found->is_null()) {
    return "";
  }
  return found->is_string()   ? std::optional(found->get<std::string>())
         : found->is_number() ? std::optional(found->dump())
                              : std::nullopt;
}

Result<std::string> Explain(const McpServer::AskApi& ask, const std::string& node) {
  const auto verdicts = ask("api/v1/verdicts");
  const auto judged = verdicts ? ask("api/v1/judged?all=1") : verdicts;
  if (!judged) {
    return judged.error();
  }
  const auto said = ExplainNode(*verdicts, *judged, node, RealClock().Now());
  return said ? Result<std::string>(PrintableLines(said->text)) : said.error();
}

// A wrong call is an error of the protocol; an API that does not answer is one of the tool, which a
// model reads and may act upon.
std::string CallTool(const McpServer::AskApi& ask, const McpServer::Replay& replay, const Json& id,
                     const Json& params) {
  const auto name = params.value("name", std::string());
  const auto* const tool = std::ranges::find_if(
      kTools, [&](const Tool& one) { return one.name == name && (replay || name != kReplay); });
  if (tool == std::end(kTools)) {
    return Refuse(id, kInvalidParams, "unknown tool: " + name);
  }
  const auto arguments = params.value("arguments", Json::object());
  if (!arguments.is_object()) {
    return Refuse(id, kInvalidParams, "expected an object of arguments");
  }
  std::string path = tool->path;
  std::map<std::string, std::string> values;
  std::string first;
  char before = '?';
  for (const auto& argument : ArgumentsOf(*tool)) {
    const auto value = ReadArgument(arguments, argument.name);
    if (!value || (argument.wanted && value->empty())) {
      return Refuse(id, kInvalidParams, "expected a text as " + argument.name);
    }
    first = first.empty() ? *value : first;
    values[argument.name] = *value;
    if (path.ends_with('/')) {
      path += UrlEncoded(*value);
    } else if (!value->empty()) {
      path += before + argument.name + "=" + UrlEncoded(*value);
      before = '&';
    }
  }
  auto said = name == kReplay                         ? replay(values["from"], values["to"])
              : path.empty() || path.starts_with('?') ? Explain(ask, first)
                                                      : ask(path);
  return Answer(id,
                said ? ToolResult(*std::move(said), false) : ToolResult(said.error().Text(), true));
}

// The client's revision where we know it, otherwise ours: it may then close the connection.
Json Initialized(const Json& params) {
  const auto asked = params.value("protocolVersion", std::string());
  const bool known = std::ranges::find(kVersions, asked) != kVersions.end();
  return {{"protocolVersion", known ? asked : std::string(kVersions.front())},
          {"capabilities", {{"tools", {{"listChanged", false}}}}},
          {"serverInfo", {{"name", "limpet"}, {"version", LIMPET_VERSION}}},
          {"instructions",
           "Limpet compares the servers of a parallel file system and names the one that slows "
           "it down. Begin with verdicts; a server that is not judged is not known to be well."}};
}

}  // namespace

std::optional<std::string> McpServer::Handle(std::string_view line) const {
  const auto json =
      line.size() > kMaxLine ? Json(Json::value_t::discarded) : Json::parse(line, nullptr, false);
  if (json.is_discarded()) {
    return Refuse(nullptr, kParseError, "expected one JSON-RPC message a line");
  }
  if (!json.is_object() || !json.contains("method") || !json["method"].is_string()) {
    return Refuse(nullptr, kInvalidRequest, "expected an object with a method");
  }
  if (!json.contains("id")) {
    return std::nullopt;  // a notification
  }
  const auto& id = json["id"];
  const auto method = json["method"].get<std::string>();
  const auto params = json.value("params", Json::object());
  if (!params.is_object() || !(id.is_string() || id.is_number_integer())) {
    return Refuse(nullptr, kInvalidRequest, "expected an id and an object of params");
  }
  try {
    if (method == "initialize") {
      return Answer(id, Initialized(params));
    }
    if (method == "ping") {
      return Answer(id, Json::object());
    }
    if (method == "tools/list") {
      auto tools = Json::array();
      for (const auto& tool : kTools) {
        if (replay_ || tool.name != std::string_view(kReplay)) {
          tools.push_back(ToolToJson(tool));
        }
      }
      return Answer(id, {{"tools", std::move(tools)}});
    }
    if (method == "tools/call") {
      return CallTool(ask_, replay_, id, params);
    }
  } catch (const Json::exception& wrong) {  // a value of another type than its key has
    return Refuse(id, kInvalidParams, wrong.what());
  }
  return Refuse(id, kNoMethod, "unknown method: " + method);
}

}  // namespace limpet
