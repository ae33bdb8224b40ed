#include "diagnoser/detect/profile/model.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

#include "exporter/common/text.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxProfiles = 64;
constexpr double kLargest = 1e150;  // squares and products of it stay finite

std::optional<double> ReadNumber(const yaml::Node& node) {
  // A quoted number is a text, and was probably meant as one.
  if (node.kind != yaml::Node::Kind::kScalar || node.quoted) {
    return std::nullopt;
  }
  const auto number = ParseDouble(node.scalar);
  return number && std::abs(*number) <= kLargest ? number : std::nullopt;
}

// `size` numbers; empty, and a problem, when it is anything else.
std::vector<double> ReadNumbers(const yaml::Node* node, std::size_t size, int line,
                                const std::string& path, yaml::Problems& problems) {
  std::vector<double> numbers;
  if (node != nullptr && node->kind == yaml::Node::Kind::kList && node->items.size() == size) {
    for (const auto& item : node->items) {
      if (const auto number = ReadNumber(item)) {
        numbers.push_back(*number);
      }
    }
    line = node->line;
  }
  if (numbers.size() != size) {
    problems.Add(line, path,
                 "expected a list of " + std::to_string(size) + " numbers, one a metric");
    numbers.clear();
  }
  return numbers;
}

bool IsCovariance(const std::vector<double>& values, std::size_t size) {
  const auto n = static_cast<Eigen::Index>(size);
  const Eigen::Map<const Eigen::MatrixXd> matrix(values.data(), n, n);
  const double scale = std::max(1.0, matrix.cwiseAbs().maxCoeff());
  // Relative: files are written with digits enough, but people round them.
  if (!((matrix - matrix.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * scale)) {
    return false;
  }
  // Positive definite exactly when it has a Cholesky factor; the classifier needs the factor
  // anyway.
  const Eigen::LLT<Eigen::MatrixXd> cholesky(matrix);
  return cholesky.info() == Eigen::Success &&
         cholesky.matrixLLT().diagonal().minCoeff() > 1e-12 * std::sqrt(scale);
}

std::vector<double> ReadCovariance(const yaml::Node* node, std::size_t size, int line,
                                   const std::string& path, yaml::Problems& problems) {
  std::vector<double> values;
  if (node == nullptr || node->kind != yaml::Node::Kind::kList || node->items.size() != size) {
    problems.Add(line, path, "expected " + std::to_string(size) + " rows, one a metric");
    return values;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto row = ReadNumbers(&node->items[i], size, node->line,
                                 path + "[" + std::to_string(i) + "]", problems);
    values.insert(values.end(), row.begin(), row.end());
  }
  if (values.size() == size * size && !IsCovariance(values, size)) {
    problems.Add(node->line, path, "expected a symmetric matrix with eigenvalues over 0");
  }
  return values;
}

void ReadMetrics(yaml::MapReader& reader, const yaml::Node& root, ProfileModel& model,
                 yaml::Problems& problems) {
  for (const auto& name : reader.Texts("metrics")) {
    const auto metric = HostMetricByName(name);
    if (!metric) {
      problems.Add(root.line, "metrics", "there is no host metric \"" + name + "\"");
    } else if (std::find(model.metrics.begin(), model.metrics.end(), *metric) !=
               model.metrics.end()) {
      problems.Add(root.line, "metrics", "\"" + name + "\" stands there twice");
    } else {
      model.metrics.push_back(*metric);
    }
  }
  if (model.metrics.empty() && problems.empty()) {
    problems.Add(root.line, "metrics", "expected the names of the host metrics");
  }
  if (!problems.empty()) {
    return;
  }
  model.sigma = ReadNumbers(root.Find("sigma"), model.metrics.size(), root.line, "sigma", problems);
  for (const double sigma : model.sigma) {
    // Samples are divided by it and then squared.
    if (!(sigma >= 1e-100)) {
      problems.Add(root.line, "sigma", "expected numbers over 0");
      break;
    }
  }
}

void ReadProfiles(const yaml::Node& root, ProfileModel& model, yaml::Problems& problems) {
  const auto* list = root.Find("profiles");
  if (list == nullptr || list->kind != yaml::Node::Kind::kList || list->items.empty() ||
      list->items.size() > kMaxProfiles) {
    problems.Add(list == nullptr ? root.line : list->line, "profiles",
                 "expected a list of 1 to " + std::to_string(kMaxProfiles) + " profiles");
    return;
  }
  const auto size = model.metrics.size();
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const auto& item = list->items[i];
    const auto path = "profiles[" + std::to_string(i) + "]";
    if (item.kind != yaml::Node::Kind::kMap) {
      problems.Add(item.line, path, "expected mean and covariance");
      continue;
    }
    model.profiles.push_back(
        {.mean = ReadNumbers(item.Find("mean"), size, item.line, path + ".mean", problems),
         .covariance = ReadCovariance(item.Find("covariance"), size, item.line,
                                      path + ".covariance", problems)});
  }
}

void Append(double value, std::string& text) {
  char buffer[32];
  // The shortest text that reads back as the same number, in any locale.
  text.append(std::begin(buffer), std::to_chars(std::begin(buffer), std::end(buffer), value).ptr);
}

template <class Numbers>
void AppendList(const Numbers& numbers, std::string& text) {
  text += '[';
  const char* comma = "";
  for (const double number : numbers) {
    text += comma;
    Append(number, text);
    comma = ", ";
  }
  text += ']';
}

}  // namespace

std::optional<std::vector<double>> Normalise(const ProfileModel& model, const HostSample& sample) {
  std::vector<double> x(model.metrics.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::log(sample[Index(model.metrics[i])] + 1) / model.sigma[i];
    // A profile of fewer metrics is another profile: the second has no label at all.
    if (IsMissing(x[i])) {
      return std::nullopt;
    }
  }
  return x;
}

Result<ProfileModel> ParseProfileModel(std::string_view text, const std::string& file) {
  const auto root = yaml::Parse(text, file);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  yaml::MapReader reader(&*root, "", problems);
  if (!reader.Integer("version", 1, 1) && problems.empty()) {
    problems.Add(root->line, "version", "expected 1");
  }
  ProfileModel model;
  if (const auto threshold = reader.Number("threshold", 0, 1)) {
    model.threshold = *threshold;
    model.trained = true;
  }
  if (const auto seed = reader.Integer("seed", 0, std::numeric_limits<std::int64_t>::max())) {
    model.seed = static_cast<std::uint64_t>(*seed);
  }
  // A later part means nothing without those before it: one problem, not twenty that follow from
  // it.
  if (problems.empty()) {
    ReadMetrics(reader, *root, model, problems);
  }
  if (problems.empty()) {
    ReadProfiles(*root, model, problems);
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return model;
}

std::string PrintProfileModel(const ProfileModel& model, const std::vector<std::string>& notes) {
  std::string text =
      "# Behaviour profiles of hosts; written by limpet-diagnoser train --profiles.\n";
  for (const auto& note : notes) {
    text += "# " + note + "\n";
  }
  text += "version: 1\nmetrics: [";
  for (std::size_t i = 0; i < model.metrics.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += RowFor(model.metrics[i]).name;
  }
  text += "]\nsigma: ";
  AppendList(model.sigma, text);
  text += "\nprofiles:\n";
  for (const auto& profile : model.profiles) {
    text += "  - mean: ";
    AppendList(profile.mean, text);
    text += "\n    covariance:\n";
    for (std::size_t row = 0; row < profile.mean.size(); ++row) {
      text += "      - ";
      const auto begin =
          profile.covariance.begin() + static_cast<std::ptrdiff_t>(row * profile.mean.size());
      AppendList(
          std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(profile.mean.size())),
          text);
      text += "\n";
    }
  }
  if (model.trained) {
    text += "threshold: ";
    Append(model.threshold, text);
    text += "\n";
  }
  text += "seed: " + std::to_string(model.seed) + "\n";
  return text;
}

}  // namespace limpet
