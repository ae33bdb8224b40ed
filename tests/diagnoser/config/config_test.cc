#include "diagnoser/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "diagnoser/detect/default_presets.h"

namespace limpet::config_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

Result<std::string> NoFile(const std::string& path) {
  return Error{ErrorCode::kNotFound, "No such file or directory", path};
}

Result<DiagnoserConfig> Read(std::string_view text) {
  return ParseDiagnoserConfig(text, "diagnoser.yml", NoFile);
}

// The problems of a text, one a line; "ok" when there are none.
std::string Problems(std::string_view text) {
  const auto config = Read(text);
  return config ? "ok" : config.error().Text();
}

std::string Shipped(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream("config/" + name).rdbuf();
  return text.str();
}

// The keys that the refusal of an unknown key `zz` lists.
std::vector<std::string> KeysBeside(std::string_view text) {
  const auto problems = Problems(text);
  const auto at = problems.find("zz: unknown key; expected one of ");
  if (at == std::string::npos) {
    return {"no list in: " + problems};
  }
  std::istringstream words(problems.substr(at + 33, problems.find('\n', at) - at - 33));
  return {std::istream_iterator<std::string>(words), {}};
}

constexpr std::string_view kModel =
    "version: 1\nmetrics: [user]\nsigma: [1]\n"
    "profiles: [{mean: [1], covariance: [[1]]}]\nthreshold: 0.3\n";

TEST(DiagnoserConfig, ProfilesAreReadWithTheirModel) {
  const auto read = [](const std::string& path) {
    return path == "m.yml" ? Result<std::string>(std::string(kModel)) : NoFile(path);
  };
  const std::string text = "targets: [{address: io01}]\nprofiles:\n  model: m.yml\n";
  const auto config = ParseDiagnoserConfig(text + "  rule: weighted\n", "d.yml", read);
  ASSERT_TRUE(config) << config.error().Text();
  ASSERT_TRUE(config->pipeline.profiles);
  EXPECT_EQ(config->pipeline.profiles->model.threshold, 0.3);
  EXPECT_EQ(config->pipeline.profiles->rule, AlarmRule::kWeighted);
  EXPECT_THAT(config->pipeline.profiles->roles, ElementsAre("server"));
  EXPECT_FALSE(config->pipeline.profiles->wait);
  EXPECT_FALSE(config->pipeline.profiles->events);
}

TEST(DiagnoserConfig, ProfilesOfSeveralRolesWantToKnowWhich) {
  EXPECT_THAT(Problems("targets: [{address: a, role: mds}, {address: b, role: oss}]\n"
                       "profiles: {rule: weighted, metrics: [user, cpu]}\n"),
              AllOf(HasSubstr("there is no host metric \"cpu\""),
                    HasSubstr("profiles.roles: expected the roles that do the same work"),
                    HasSubstr("profiles.model: expected the file")));
}

TEST(DiagnoserConfig, FilesThatAreNoneAreRefusedByName) {
  EXPECT_THAT(LoadDiagnoserConfig("/dev/zero", "").error().Text(),
              HasSubstr("/dev/zero: expected a regular file"));
  EXPECT_THAT(LoadDiagnoserConfig("config/diagnoser.yml", "/dev/zero").error().Text(),
              HasSubstr("/dev/zero: expected a regular file"));
}

TEST(DiagnoserConfig, ThreeLinesAreEnough) {
  const auto config = Read("targets:\n  - addresses: [io01, \"io02:80\", \"[fd00::3]\"]\n");
  ASSERT_TRUE(config) << config.error().Text();
  ASSERT_THAT(config->targets, SizeIs(3));
  EXPECT_EQ(config->targets[0],
            (Target{.node = "io01", .role = "server", .endpoint = {.host = "io01"}}));
  EXPECT_EQ(FormatUrl(config->targets[1].endpoint), "http://io02:80/metrics");
  EXPECT_EQ(FormatUrl(config->targets[2].endpoint), "http://[fd00::3]:9836/metrics");
  EXPECT_EQ(config->targets[2].node, "fd00::3");
  EXPECT_EQ(config->lateness, 2s);
  EXPECT_EQ(config->pipeline.presets, DefaultPresets());
  ASSERT_THAT(config->all_groups, SizeIs(3));
  EXPECT_EQ(config->pipeline.groups[0].name, "server-disks");
  EXPECT_EQ(config->pipeline.groups[1].kind, GroupKind::kNetwork);
  EXPECT_THAT(config->pipeline.groups[2].roles, ElementsAre("server"));
}

TEST(DiagnoserConfig, ListsOfTargetsCountForWhatFollowsFromThem) {
  const auto config = Read(
      "scrape: {interval: 15s}\n"
      "targets:\n"
      "  - address: io01\n"
      "  - {file_sd: {files: [a.json]}, role: oss}\n");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->discovery.at(0).base.longest_interval, 37500ms);
  EXPECT_EQ(config->pipeline.presets.at(0).name, "default-15s");
  EXPECT_EQ(config->lateness, 16s);
  EXPECT_THAT(config->all_groups, SizeIs(6));  // oss, server
}

TEST(DiagnoserConfig, Shards) {
  const std::string racks =
      "peer_groups:\n"
      "  - {name: d1, kind: storage, labels: {rack: r1}}\n"
      "  - {name: d2, kind: storage, labels: {rack: r2}}\n"
      "targets:\n"
      "  - {addresses: [a, b], labels: {rack: r1}}\n"
      "  - {addresses: [c, d, e], labels: {rack: r2}}\n";
  const auto second = Read(racks + "shard: {index: 1, count: 2}\n");
  ASSERT_TRUE(second) << second.error().Text();
  ASSERT_THAT(second->pipeline.groups, SizeIs(1));
  EXPECT_EQ(second->pipeline.groups[0].name, "d2");
  EXPECT_THAT(second->targets, SizeIs(3));
  EXPECT_THAT(second->fixed_targets, SizeIs(5));
}

TEST(DiagnoserConfig, AStoreAsTheSource) {
  const auto config = Read(
      "source: prometheus\n"
      "prometheus:\n"
      "  url: https://mimir/prometheus/\n"
      "  lag: 45s\n"
      "  selector: job=\"node\"\n"
      "  node_label: nodename\n"
      "  headers: {X-Scope-OrgID: storage}\n"
      "  basic_auth: {username: u, password: p}\n");
  ASSERT_TRUE(config) << config.error().Text();
  ASSERT_TRUE(config->store);
  EXPECT_EQ(FormatUrl(config->store->endpoint), "https://mimir:443/prometheus");
  EXPECT_EQ(config->store->step, 15s);
  EXPECT_EQ(config->store->node_label, "nodename");
  EXPECT_EQ(config->pipeline.presets.at(0).name, "default-15s");
  EXPECT_EQ(config->pipeline.groups.at(0).name, "server-disks");
  EXPECT_EQ(config->lateness, 76s);
  EXPECT_GE(config->pipeline.limits.future, 270s);
  EXPECT_EQ(WantsOf(config->all_groups, 15s),
            (StoreWants{.kinds = {EntityKind::kDisk, EntityKind::kInterface, EntityKind::kPeer}}));
  EXPECT_FALSE(WantsOf(config->all_groups, 15s).kinds.contains(EntityKind::kSocket));
  EXPECT_TRUE(WantsOf(config->all_groups, 1s).kinds.contains(EntityKind::kSocket));
  const auto next = WithTargets(*config, {{.node = "a", .role = "mds"}});
  EXPECT_EQ(next.all_groups.size(), 6U);
}

TEST(DiagnoserConfig, AStoreThatIsWrong) {
  EXPECT_EQ(
      Problems("source: prometheus\n"
               "prometheus: {url: mimir, selector: \"{a=b}\", node_label: a-b, catch_up: 1s}\n"
               "targets: [{address: io01}]\n"),
      "diagnoser.yml:2: prometheus.node_label: expected the name of a label such as instance, "
      "got \"a-b\"\n"
      "diagnoser.yml:2: prometheus.url: expected a URL such as http://localhost:80, got "
      "\"mimir\"\n"
      "diagnoser.yml:2: prometheus.catch_up: expected at least one step\n"
      "diagnoser.yml:2: prometheus.selector: expected matchers without braces, such as "
      "job=\"node\"\n"
      "diagnoser.yml:3: targets: with source: prometheus the nodes are those of the store; "
      "expected none");
  EXPECT_THAT(Problems("prometheus: {url: \"http://a\"}\ntargets: [{address: io01}]\n"),
              HasSubstr("prometheus: is not used: expected source: prometheus beside it"));
}

TEST(DiagnoserConfig, APresetMayBeNamedOrOverridden) {
  const auto named = Read("preset: testbench\n");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->pipeline.presets.at(0), TestbenchPreset());
  const auto several = Read(
      "presets:\n"
      "  - base: production\n"
      "  - {name: quick, step: 500ms, smoothing: 2, window: 8, shift: 4, k: 2, distance: cdf,\n"
      "     bins: freedman-diaconis, iqr: within, svctm_gate: busy, rho: 5, ranking: false,\n"
      "     hog_direction: false, noise_floor: {await: 1}, default_thresholds: {await: 2},\n"
      "     max_gap: 9s, cwnd_f: 0.4}\n");
  ASSERT_TRUE(several) << several.error().Text();
  EXPECT_EQ(several->pipeline.presets.at(0), ProductionPreset());
  const auto& quick = several->pipeline.presets.at(1);
  EXPECT_EQ(quick.step, 500ms);
  EXPECT_EQ(quick.window, 8U);
  EXPECT_EQ(quick.distance, DistanceKind::kCdf);
  EXPECT_EQ(quick.bins, BinRule::kFreedmanDiaconis);
  EXPECT_EQ(quick.iqr, IqrKind::kWithin);
  EXPECT_EQ(quick.svctm_gate, SvctmGate::kBusy);
  EXPECT_EQ(quick.noise_floor.at("await"), 1);
  EXPECT_EQ(quick.noise_floor.at("svctm"), 5);  // the base's
  EXPECT_EQ(quick.MaxGap(), 9s);
}

TEST(DiagnoserConfig, LatenessAddressesAndMasksReachThePipeline) {
  const auto config =
      Read("lateness: 500ms\naddresses: {10.0.0.1: io01}\nmasked: [io02, io03/sda]\n");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->lateness, 500ms);
  EXPECT_EQ(config->pipeline.addresses.at("10.0.0.1"), "io01");
  EXPECT_THAT(config->pipeline.masked, ElementsAre("io02", "io03/sda"));
}

TEST(DiagnoserConfig, PresetsAreNamedOnce) {
  EXPECT_THAT(Problems("preset: default\npresets: [{base: default}]\n"), HasSubstr("not both"));
  EXPECT_THAT(Problems("presets: [{base: default}, {base: default}]\n"),
              HasSubstr("a name that no other preset has"));
}

TEST(DiagnoserConfig, TheShippedFileIsValid) {
  const auto config = Read(Shipped("diagnoser.yml"));
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_THAT(config->targets, SizeIs(1));
  EXPECT_EQ(config->pipeline.presets, DefaultPresets());
}

TEST(DiagnoserConfig, TheShippedFileShowsEveryKey) {
  const auto shipped = Shipped("diagnoser.yml");
  for (const auto* text :
       {"zz: 1", "shard: {zz: 1}", "prometheus: {zz: 1}", "targets: [{file_sd: {zz: 1}}]",
        "targets: [{http_sd: {zz: 1}}]", "scrape: {zz: 1}",
        "scrape: {basic_auth: {username: u, zz: 1}}", "scrape: {tls_config: {zz: 1}}",
        "targets: [{address: a, zz: 1}]", "peer_groups: [{name: a, kind: cwnd, zz: 1}]",
        "publish: {zz: 1}", "events: {zz: 1}", "state: {zz: 1}", "log: {zz: 1}"}) {
    for (const auto& key : KeysBeside(text)) {
      EXPECT_THAT(shipped, HasSubstr(key + ":")) << "asked by " << text;
    }
  }
}

TEST(DiagnoserConfig, TheShippedPresetsShowEveryKeyAndAreTheBuiltInOnes) {
  for (const auto* name :
       {"default", "default-15s", "bare", "bare-15s", "testbench", "production"}) {
    const auto shipped = Shipped("presets/" + std::string(name) + ".yml");
    const auto config = Read(shipped);
    ASSERT_TRUE(config) << config.error().Text();
    auto preset = config->pipeline.presets.at(0);
    EXPECT_EQ(preset.max_gap, PresetByName(name)->MaxGap());
    preset.max_gap.reset();
    EXPECT_EQ(preset, *PresetByName(name)) << name;
    for (const auto& key : KeysBeside("presets: [{zz: 1}]")) {
      EXPECT_THAT(shipped, HasSubstr(key + ":")) << name;
    }
  }
}

}  // namespace
}  // namespace limpet::config_test
