#include "diagnoser/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace limpet {
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

TEST(DiagnoserConfig, TrainingNeedsNoModelYet) {
  const std::string text = "targets: [{address: io01}]\nprofiles: {model: m.yml}\n";
  EXPECT_THAT(Problems(text), HasSubstr("profiles.model: m.yml: No such file"));
  const auto config = ParseDiagnoserConfig(text, "d.yml", NoFile, ConfigUse::kTrain);
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_FALSE(config->pipeline.profiles);
  EXPECT_EQ(config->profiles.model, "m.yml");
}

TEST(DiagnoserConfig, ProfilesOfSeveralRolesWantToKnowWhich) {
  EXPECT_THAT(Problems("targets: [{address: a, role: mds}, {address: b, role: oss}]\n"
                       "profiles: {rule: weighted, metrics: [user, cpu]}\n"),
              AllOf(HasSubstr("there is no host metric \"cpu\""),
                    HasSubstr("profiles.roles: expected the roles that do the same work"),
                    HasSubstr("profiles.model: expected the file")));
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
  ASSERT_THAT(config->pipeline.presets, SizeIs(1));
  EXPECT_EQ(config->pipeline.presets[0], DefaultPreset());
  ASSERT_THAT(config->pipeline.groups, SizeIs(3));
  EXPECT_EQ(config->pipeline.groups[0].name, "server-disks");
  EXPECT_EQ(config->pipeline.groups[1].kind, GroupKind::kNetwork);
  EXPECT_THAT(config->pipeline.groups[2].roles, ElementsAre("server"));
}

TEST(DiagnoserConfig, ListsOfTargets) {
  const auto config = Read(
      "scrape: {interval: 15s}\n"
      "targets:\n"
      "  - address: io01\n"
      "  - file_sd: {files: [/etc/limpet/*.json, b.yml], refresh_interval: 30s}\n"
      "    role: oss\n"
      "    labels: {site: north}\n"
      "    scheme: https\n"
      "  - http_sd:\n"
      "      url: https://inventory/limpet?site=north\n"
      "      authorization: {credentials: secret}\n"
      "      headers: {X-Scope-OrgID: storage}\n");
  ASSERT_TRUE(config) << config.error().Text();
  ASSERT_THAT(config->discovery, SizeIs(2));
  const auto& files = config->discovery[0];
  EXPECT_EQ(files.name, "/etc/limpet/*.json,b.yml");
  EXPECT_EQ(files.refresh, 30s);
  EXPECT_TRUE(files.base.target.endpoint.https);
  EXPECT_EQ(files.base.target.interval, 15s);
  EXPECT_EQ(files.base.target.timeout, 13500ms);
  EXPECT_EQ(files.base.longest_interval, 37500ms);
  const auto& list = config->discovery[1];
  EXPECT_EQ(FormatUrl(*list.http), "https://inventory:443/limpet?site=north");
  EXPECT_EQ(list.http->authorization, "Bearer secret");
  EXPECT_EQ(list.http->headers.at("X-Scope-OrgID"), "storage");
  EXPECT_EQ(list.refresh, 60s);
  EXPECT_EQ(list.timeout, 10s);
  EXPECT_EQ(config->pipeline.presets.at(0).name, "default-15s");
  EXPECT_EQ(config->lateness, 16s);
  EXPECT_THAT(config->pipeline.groups, SizeIs(6));  // oss, server
}

TEST(DiagnoserConfig, ListsThatAreWrong) {
  EXPECT_EQ(Problems("targets:\n"
                     "  - file_sd: {}\n"
                     "  - file_sd: {files: [a.txt]}\n"
                     "  - http_sd: {url: inventory}\n"
                     "  - {http_sd: {url: \"http://a/\", timeout: 2m}, node: x}\n"
                     "  - http_sd: {url: \"http://a/\"}\n"),
            "diagnoser.yml:2: targets[0].file_sd.files: expected files such as "
            "[/etc/limpet/targets/*.json]\n"
            "diagnoser.yml:3: targets[1].file_sd.files: expected names that end in .json, .yml or "
            ".yaml, got \"a.txt\"\n"
            "diagnoser.yml:4: targets[2].http_sd.url: expected a URL such as http://localhost:80, "
            "got \"inventory\"\n"
            "diagnoser.yml:5: targets[3].http_sd.timeout: expected at most the refresh_interval\n"
            "diagnoser.yml:5: targets[3].node: an entry with a list has none: the list says them\n"
            "diagnoser.yml:6: targets[4].http_sd: http://a/ is named twice");
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
  EXPECT_THAT(
      Problems(racks + "shard: {index: 2, count: 3}\n"),
      HasSubstr("diagnoser.yml:7: shard.count: there are 2 sets of peer groups that share no "
                "server, so shard 2 has none; expected a count of at most 2"));
  EXPECT_THAT(Problems(racks + "shard: {index: 2, count: 2}\n"),
              HasSubstr("shard.index: expected 0 to 1, got 2"));
  EXPECT_THAT(Problems(racks + "shard: {count: 2}\n"), HasSubstr("shard.index: expected both"));
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
  EXPECT_EQ(WantsOf(config->all_groups, 15s), (StoreWants{.disks = true, .interfaces = true}));
  EXPECT_TRUE(WantsOf(config->all_groups, 1s).windows);
  const auto next = WithTargets(*config, {{.node = "a", .role = "mds"}});
  EXPECT_EQ(next.pipeline.groups.size(), 6U);
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
  EXPECT_THAT(
      Problems("source: prometheus\nprometheus: {url: \"http://a\"}\nprofiles: {model: m.yml}\n"),
      HasSubstr("diagnoser.yml:3: profiles: behaviour profiles want every second of a node"));
  EXPECT_THAT(Problems("source: prometheus\nprometheus: {url: \"http://a\", step: 1m}\n"),
              HasSubstr("preset default-15s wants scrapes at most 37500 ms apart"));
}

TEST(DiagnoserConfig, AuthorizationOfScrapes) {
  const auto config = Read(
      "scrape: {authorization: {type: Token, credentials: t0}}\n"
      "targets: [{address: a}, {address: b, basic_auth: {username: u, password: p}}]\n");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->targets[0].endpoint.authorization, "Token t0");
  EXPECT_EQ(config->targets[1].endpoint.authorization, "");
  EXPECT_EQ(config->targets[1].endpoint.basic_auth.username, "u");
  EXPECT_THAT(Problems("scrape: {authorization: {credentials: a}, basic_auth: {username: u}}\n"
                       "targets: [{address: a}]\n"),
              HasSubstr("scrape.authorization: expected either authorization or basic_auth"));
  EXPECT_THAT(Problems("scrape: {authorization: {credentials: \"a\\nX: y\"}}\n"),
              HasSubstr("expected one line of printable characters"));
  EXPECT_THAT(Problems("scrape: {headers: {\"a b\": c}}\n"),
              HasSubstr("expected a header such as"));
}

TEST(DiagnoserConfig, WithoutGroupsEveryRoleButClientHasThem) {
  const auto config = Read(
      "targets:\n"
      "  - {addresses: [a, b], role: mds}\n"
      "  - {addresses: [c, d], role: oss}\n"
      "  - {address: e, role: client}\n");
  ASSERT_TRUE(config);
  std::vector<std::string> names;
  for (const auto& group : config->pipeline.groups) {
    names.push_back(group.name);
  }
  EXPECT_THAT(names, ElementsAre("mds-disks", "mds-network", "mds-cwnd", "oss-disks", "oss-network",
                                 "oss-cwnd"));
}

TEST(DiagnoserConfig, ATargetMayDifferFromTheDefaults) {
  const auto config = ParseDiagnoserConfig(
      "scrape:\n"
      "  interval: 2s\n"
      "  basic_auth: {username: u, password_file: /secret}\n"
      "targets:\n"
      "  - {address: a, node: io01, labels: {rack: r1}}\n"
      "  - {address: b, interval: 4s, timeout: 1s, scheme: https, metrics_path: /m,\n"
      "     body_size_limit: 1MiB, enable_compression: true, basic_auth: {username: v, password: "
      "w},\n"
      "     tls_config: {ca_file: /ca, server_name: n, insecure_skip_verify: true}}\n",
      "diagnoser.yml", [](const std::string& path) -> Result<std::string> {
        return path == "/secret" ? Result<std::string>("pass\n") : NoFile(path);
      });
  ASSERT_TRUE(config) << config.error().Text();
  const auto& a = config->targets[0];
  EXPECT_EQ(a.node, "io01");
  EXPECT_EQ(a.labels.at("rack"), "r1");
  EXPECT_EQ(a.interval, 2s);
  EXPECT_EQ(a.timeout, 1800ms);
  EXPECT_EQ(a.endpoint.basic_auth, (BasicAuth{.username = "u", .password = "pass"}));
  const auto& b = config->targets[1];
  EXPECT_EQ(b.interval, 4s);
  EXPECT_EQ(b.timeout, 1s);
  EXPECT_EQ(FormatUrl(b.endpoint), "https://b:9836/m");
  EXPECT_EQ(b.endpoint.max_body, 1048576U);
  EXPECT_TRUE(b.endpoint.compressed);
  EXPECT_FALSE(a.endpoint.compressed);
  EXPECT_EQ(b.endpoint.basic_auth.username, "v");
  EXPECT_EQ(b.endpoint.tls.server_name, "n");
  EXPECT_TRUE(b.endpoint.tls.insecure_skip_verify);
  EXPECT_EQ(config->lateness, 5s);
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

TEST(DiagnoserConfig, APresetWithoutABaseOverridesWhatWouldBeUsedWithoutIt) {
  const std::string presets = "presets: [{scatter: residuals}]\n";
  const auto fast = Read(presets + "targets: [{address: a}]\n");
  ASSERT_TRUE(fast) << fast.error().Text();
  auto expected = *PresetByName("default");
  expected.scatter = Scatter::kResiduals;
  EXPECT_EQ(fast->pipeline.presets.at(0), expected);
  const auto slow = Read(presets + "scrape: {interval: 15s}\ntargets: [{address: a}]\n");
  ASSERT_TRUE(slow) << slow.error().Text();
  EXPECT_EQ(slow->pipeline.presets.at(0).name, "default-15s");
}

TEST(DiagnoserConfig, SlowScrapesGetTheSlowDefault) {
  const auto slow = Read("scrape: {interval: 15s}\ntargets: [{address: a}]\n");
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->pipeline.presets.at(0).name, "default-15s");
  EXPECT_THAT(Problems("preset: default\nscrape: {interval: 15s}\ntargets: [{address: a}]\n"),
              HasSubstr("diagnoser.yml:3: targets: preset default wants scrapes at most 5000 ms "
                        "apart, got an interval of 15000 ms"));
}

TEST(DiagnoserConfig, GroupsAreRules) {
  const auto config = Read(
      "peer_groups:\n"
      "  - {name: luns, kind: storage, roles: [nsd], device: '^dm-', labels: {gen: g1},\n"
      "     not_labels: {rack: 'r[12]'}}\n"
      "  - {name: windows, kind: cwnd, ports: [2049, 5000-5002]}\n");
  ASSERT_TRUE(config) << config.error().Text();
  const auto& luns = config->pipeline.groups.at(0);
  EXPECT_EQ(luns.device, "^dm-");
  EXPECT_EQ(luns.labels.at(0), (LabelMatcher{.name = "gen", .regex = "g1"}));
  EXPECT_EQ(luns.labels.at(1), (LabelMatcher{.name = "rack", .regex = "r[12]", .negate = true}));
  EXPECT_THAT(config->pipeline.groups.at(1).ports, ElementsAre(2049, 5000, 5001, 5002));
}

TEST(DiagnoserConfig, TheOtherSections) {
  const auto config = Read(
      "publish: {detail: top, top: 5}\nevents: {file: stderr, windows: true}\n"
      "state: {interval: 5s}\nlog: {level: debug}\nlateness: 500ms\n"
      "addresses: {10.0.0.1: io01}\nmasked: [io02, io03/sda]\n");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->publish.detail, Detail::kTop);
  EXPECT_EQ(config->publish.top, 5U);
  EXPECT_EQ(config->events.file, "stderr");
  EXPECT_TRUE(config->events.windows);
  EXPECT_EQ(config->state_interval, 5s);
  EXPECT_EQ(config->log_level, LogLevel::kDebug);
  EXPECT_EQ(config->lateness, 500ms);
  EXPECT_EQ(config->pipeline.addresses.at("10.0.0.1"), "io01");
  EXPECT_THAT(config->pipeline.masked, ElementsAre("io02", "io03/sda"));
}

TEST(DiagnoserConfig, EveryProblemIsReportedWithItsPlace) {
  const auto problems = Problems(
      "targts: []\n"
      "scrape:\n"
      "  interval: fast\n"
      "targets:\n"
      "  - address: http://io01\n"
      "  - addres: io02\n"
      "peer_groups:\n"
      "  - name: a\n"
      "    kind: disk\n"
      "    device: '('\n"
      "preset: best\n");
  for (const auto* expected :
       {"diagnoser.yml:1: targts: unknown key",
        "diagnoser.yml:3: scrape.interval: expected a duration such as 1s or 500ms, got \"fast\"",
        "diagnoser.yml:5: targets[0].address: expected an address such as io01:9836",
        "diagnoser.yml:6: targets[1].addres: unknown key",
        "diagnoser.yml:6: targets[1].address: expected an address",
        "diagnoser.yml:9: peer_groups[0].kind: expected one of storage network cwnd, got \"disk\"",
        "diagnoser.yml:10: peer_groups[0].device: expected a regular expression",
        "diagnoser.yml:11: preset: expected one of default default-15s testbench production"}) {
    EXPECT_THAT(problems, HasSubstr(expected));
  }
}

TEST(DiagnoserConfig, RefusesWhatCannotBeMeant) {
  EXPECT_THAT(Problems("targets:\n  - address: io01:1\n  - address: io01:2\n"),
              HasSubstr("diagnoser.yml:3: targets[1].address: node io01 is already a target in "
                        "line 2"));
  EXPECT_THAT(Problems("targets: [{address: a, node: x/y}]\n"), HasSubstr("a name without '/'"));
  EXPECT_THAT(Problems("targets: [{addresses: [a, b], node: x}]\n"),
              HasSubstr("fits one address only"));
  EXPECT_THAT(Problems("scrape: {timeout: 2s}\n"), HasSubstr("at most the interval"));
  EXPECT_THAT(Problems("scrape: {metrics_path: 'a b'}\n"), HasSubstr("expected a path"));
  EXPECT_THAT(Problems("scrape: {body_size_limit: lots}\n"), HasSubstr("expected a size"));
  EXPECT_THAT(Problems("scrape: {basic_auth: {username: u, password_file: /gone}}\n"),
              HasSubstr("cannot read the password: /gone: No such file"));
  EXPECT_THAT(Problems("scrape: {basic_auth: {password: p}}\n"), HasSubstr("expected a name"));
  EXPECT_THAT(Problems("scrape: {tls_config: {cert_file: c}}\n"),
              HasSubstr("cert_file and key_file together"));
  EXPECT_THAT(Problems("peer_groups: [{name: a, kind: cwnd, ports: [70000]}]\n"),
              HasSubstr("expected a port such as 2049"));
  EXPECT_THAT(Problems("peer_groups: [{name: a, kind: storage, ports: [1]}]\n"),
              HasSubstr("only groups of kind cwnd"));
  EXPECT_THAT(Problems("peer_groups: [{kind: cwnd}, {name: a}]\n"),
              AllOf(HasSubstr("expected a name"), HasSubstr("expected one of storage")));
  EXPECT_THAT(Problems("preset: default\npresets: [{base: default}]\n"), HasSubstr("not both"));
  EXPECT_THAT(Problems("presets: [{base: default}, {base: default}]\n"),
              HasSubstr("a name that no other preset has"));
}

TEST(DiagnoserConfig, TheShippedFileIsValid) {
  const auto config = Read(Shipped("diagnoser.yml"));
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_THAT(config->targets, SizeIs(1));
  auto expected = DefaultPreset();
  expected.scatter = Scatter::kResiduals;
  expected.cwnd_f = 0.65;
  EXPECT_THAT(config->pipeline.presets, ElementsAre(expected));
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
  for (const auto* name : {"default", "default-15s", "testbench", "production"}) {
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

constexpr std::string_view kThree = "targets: [{addresses: [a, b, c]}]\n";

TEST(DiagnoserConfig, ARuleWithRecentMakesTwoGroups) {
  const auto config =
      Read(std::string(kThree) + "peer_groups: [{name: luns, kind: storage, recent: 24h}]\n");
  ASSERT_TRUE(config) << config.error().Text();
  ASSERT_EQ(config->pipeline.groups.size(), 2U);
  EXPECT_EQ(config->pipeline.groups[0].name, "luns");
  EXPECT_EQ(config->pipeline.groups[1].name, "luns-recent");
  EXPECT_EQ(config->pipeline.groups[1].recent_of, "luns");
  EXPECT_EQ(Problems(std::string(kThree) + "peer_groups: [{name: t, kind: cwnd, recent: 24h}]\n"),
            "diagnoser.yml:2: peer_groups[0].recent: only groups of kind storage and network tell "
            "recent components apart");
}

TEST(DiagnoserConfig, MasksComeFromTheConfigurationAndFromAFile) {
  const auto read = [](const std::string& path) {
    return path == "good" ? Result<std::string>("io08/sdc  # a swap\n")
                          : Result<std::string>("what is this\n");
  };
  const auto text = std::string(kThree) + "masked: [io07]\nmasked_file: ";
  const auto config = ParseDiagnoserConfig(text + "good\n", "diagnoser.yml", read);
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->pipeline.masked, (std::vector<std::string>{"io07", "io08/sdc"}));
  EXPECT_EQ(config->masked, std::vector<std::string>{"io07"});
  const auto bad = ParseDiagnoserConfig(text + "bad\n", "diagnoser.yml", read);
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().Text().find("diagnoser.yml:3: masked_file: bad:1: expected one node"),
            std::string::npos)
      << bad.error().Text();
}

}  // namespace
}  // namespace limpet
