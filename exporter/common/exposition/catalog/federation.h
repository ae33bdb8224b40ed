// federation.h: the rows of the catalogue that `limpet-diagnoser federate` says of its diagnosers.
#pragma once

#include <array>

#include "exporter/common/exposition/sample.h"

namespace limpet::catalog {

inline constexpr MetricInfo kMemberUp{.name = "federation_member_up",
                                      .type = MetricType::kGauge,
                                      .unit = "",
                                      .labels = "member",
                                      .help = "1 while a diagnoser answers `federate`."};
inline constexpr MetricInfo kMemberLag{.name = "federation_member_lag_seconds",
                                       .type = MetricType::kGauge,
                                       .unit = "seconds",
                                       .labels = "member",
                                       .help = "Age of its latest readings."};

inline constexpr std::array kFederation = {&kMemberUp, &kMemberLag};

}  // namespace limpet::catalog
