#include "tests/simulator/hardware_parts.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

namespace limpet::simulator {
namespace {

constexpr std::array kMedia = {Media{"hdd", 262144, 0.0035, 180e6, 1, 14e6, 40e6},
                               Media{"flash", 65536, 0.00012, 480e6, 4, 60e6, 250e6},
                               Media{"nvme", 65536, 0.00008, 2500e6, 16, 180e6, 900e6}};

const Media& MediaOf(std::string_view name) {
  for (const auto& media : kMedia) {
    if (media.name == name) {
      return media;
    }
  }
  throw std::invalid_argument(fmt::format("{}: expected hdd, flash or nvme", name));
}

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    if (const auto begin = part.find_first_not_of(' '); begin != std::string::npos) {
      parts.push_back(part.substr(begin, part.find_last_not_of(' ') + 1 - begin));
    }
  }
  return parts;
}

// "sd[b-d]": sdb, sdc, sdd.
std::vector<std::string> Expand(const std::string& name) {
  const auto open = name.find('[');
  if (open == std::string::npos) {
    return {name};
  }
  std::vector<std::string> names;
  for (char c = name.at(open + 1); c <= name.at(open + 3); ++c) {
    names.push_back(name.substr(0, open) + c + name.substr(open + 5));
  }
  return names;
}

std::vector<HardLink> ReadLinks(const std::string& text) {
  std::vector<HardLink> links;
  for (const auto& item : Split(text, ';')) {
    const auto words = Split(item, ' ');
    HardLink link{.name = words.at(0)};
    if (words.at(1).find_first_not_of("0123456789.") == std::string::npos) {
      link.share = std::stod(words[1]);
    } else {
      link.kind = words[1];
      link.lowers = words.size() > 2 ? Split(words[2], '+') : std::vector<std::string>();
    }
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace

HardServer BuildServer(const ServerText& text) {
  HardServer server;
  for (const auto& item : Split(text.disks, ';')) {
    const auto words = Split(item, ' ');
    for (const auto& name : Expand(words.at(0))) {
      HardDisk disk{.name = name, .use = words.at(1), .media = &MediaOf(words.at(2)), .id = {}};
      disk.terabytes = std::stod(words.at(3));
      server.disks.push_back(std::move(disk));
    }
  }
  for (const auto& item : Split(text.layers, ';')) {
    const auto words = Split(item, ' ');
    server.layers.push_back({.name = words.at(0),
                             .kind = words.at(1),
                             .lowers = Split(words.at(2), '+'),
                             .mount = words.size() > 3 ? words[3] : ""});
  }
  server.links = ReadLinks(text.links);
  server.ports = ReadLinks(text.ports);
  return server;
}

}  // namespace limpet::simulator
