#include "diagnoser/config/slips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::slips_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Texts = std::vector<std::string>;

constexpr const char* kServers = "targets: [{addresses: [io01, io02, io03], labels: {rack: r1}}]\n";

Texts Warnings(const std::string& text, bool files = true) {
  const auto config = ParseDiagnoserConfig(text, "d.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "none", path});
  });
  if (!config) {
    return {config.error().Text()};
  }
  return ReviewConfig(
             *config, [=](const std::string&) { return files; }, nullptr)
      .warnings;
}

TEST(Slips, ASoundConfigurationHasNone) { EXPECT_THAT(Warnings(kServers), IsEmpty()); }

TEST(Slips, NobodyIsCompared) {
  EXPECT_THAT(Warnings("preset: default\n"), ElementsAre(HasSubstr("targets: none")));
  // Their nodes come later.
  EXPECT_THAT(Warnings("targets: [{http_sd: {url: 'http://inventory/'}}]\n"), IsEmpty());
}

TEST(Slips, TwoAreNotEnough) {
  EXPECT_THAT(
      Warnings("targets: [{addresses: [io01, io02]}]\n"
               "peer_groups: [{name: disks, kind: storage}, {name: own, kind: storage, "
               "per: node}]\n"),
      ElementsAre(
          "peer_groups: disks has members of 2 servers (io01, io02): nobody can be told from "
          "fewer than 3 servers; add servers that hold parts of the same files, or "
          "compare the disks of one with each other: per: node"));
}

TEST(Slips, RolesAndLabelsThatMatchNobody) {
  const auto with = [](const std::string& rule) {
    return Warnings(kServers + ("peer_groups: [{name: g, kind: storage, " + rule + "}]\n"));
  };
  EXPECT_THAT(with("roles: [servr]"),
              ElementsAre("peer_groups: g: no target has the role servr; did you mean server? "
                          "(roles: server)"));
  EXPECT_THAT(with("labels: {rak: r1}"),
              ElementsAre("peer_groups: g: no target has the label rak, and we know no series that "
                          "has it; did you mean rack?"));
  EXPECT_THAT(with("labels: {rack: r2}"),
              ElementsAre("peer_groups: g: rack r2 matches no target (values: r1)"));
  EXPECT_THAT(with("labels: {rack: 'r.'}"), IsEmpty());
  EXPECT_THAT(with("labels: {rotational: '1'}, recent: 24h"), IsEmpty());
}

TEST(Slips, LabelsAndMasksThatLeaveNobody) {
  const auto with = [](const std::string& rule) {
    return Warnings(kServers + ("peer_groups: [{name: g, kind: storage, " + rule + "}]\n"));
  };
  EXPECT_THAT(with("not_labels: {rack: 'r.*'}"),
              ElementsAre("peer_groups: g: no target is in it: not_labels take out all of them "
                          "(rack r.*)"));
  EXPECT_THAT(with("not_labels: {rack: r2}"), IsEmpty());
  EXPECT_THAT(Warnings(std::string(kServers) + "masked: [io01, io02, io03]\n"
                                               "peer_groups: [{name: g, kind: storage}]\n"),
              ElementsAre("masked: leaves 0 of the 3 members of g: nobody can be told from fewer "
                          "than 3 peers"));
  EXPECT_THAT(Warnings("targets: [{addresses: [a, b, c, d]}]\nmasked: [a]\n"), IsEmpty());
}

TEST(Slips, MasksAndAddressesOfNobody) {
  EXPECT_THAT(
      Warnings(std::string(kServers) + "masked: [{node: io1, from: \"02:00\", to: \"05:00\"}]\n"),
      ElementsAre(::testing::StartsWith("masked: io1 matches nothing")));
  EXPECT_THAT(Warnings(std::string(kServers) + "masked: [io1, io02/sda]\n"),
              ElementsAre("masked: io1 matches nothing: no target is called io1; did you mean "
                          "io01?"));
  EXPECT_THAT(Warnings(std::string(kServers) + "addresses: {\"\": io01, 'fd00::1': i02}\n"),
              ElementsAre(HasSubstr("\"\" is no IP address"),
                          HasSubstr("fd00::1 belongs to i02, and no target is called so; did you "
                                    "mean io02?")));
}

TEST(Slips, WindowsWithHolesAndFilesThatAreNotThere) {
  EXPECT_THAT(Warnings(std::string(kServers) + "presets: [{base: default, shift: 100}]\n"),
              ElementsAre(HasSubstr("the 36 samples between two windows are never looked at")));
  const std::string tls = "scrape: {scheme: https, tls_config: {ca_file: /no/ca.pem}}\n";
  EXPECT_THAT(Warnings(kServers + tls), IsEmpty());
  EXPECT_THAT(Warnings(kServers + tls, false),
              ElementsAre(HasSubstr("tls_config: ca_file: /no/ca.pem cannot be read")));
}

TEST(Slips, NodeExportersHaveNoCongestionWindows) {
  EXPECT_THAT(Warnings("targets: [{addresses: ['io01:9100', 'io02:9100', 'io03:9100']}]\n"),
              ElementsAre(HasSubstr("3 (io01, io02, io03) on port 9100")));
}

TEST(Slips, DisksThatAreNotReadBeforeTheirServersAreTakenOut) {
  const std::string actions =
      std::string(kServers) + "actions: {causes: [network-hog, disk-busy], programs: {begin: [/a]}";
  EXPECT_THAT(Warnings(actions + "}\n"), IsEmpty());  // a dry run
  EXPECT_THAT(Warnings(actions + ", mode: armed}\n"),
              ElementsAre(HasSubstr("actions: disk-busy: no disk is read before")));
  EXPECT_THAT(Warnings(actions + ", mode: armed}\nprobe: {enabled: true}\n"), IsEmpty());
}

TEST(ListedNames, AreAsManyAsOneReads) {
  EXPECT_EQ(ListedNames({"a", "b"}, 2), "a, b");
  EXPECT_EQ(ListedNames({"a", "b", "c"}, 2), "a, b, …");
  EXPECT_EQ(ListedNames({}, 2), "");
}

}  // namespace
}  // namespace limpet::slips_test
