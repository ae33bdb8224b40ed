#include "diagnoser/detect/domains.h"

#include <algorithm>
#include <tuple>

namespace limpet {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;

}  // namespace

std::uint64_t SplitMix64(std::uint64_t x) {
  x += kGolden;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t Fnv1a64(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return hash;
}

std::vector<std::vector<std::size_t>> DealDomains(std::span<const std::string_view> names,
                                                  std::size_t domain_size, std::uint64_t seed,
                                                  std::uint64_t window) {
  struct Card {
    std::uint64_t order;
    std::size_t place;
  };
  std::vector<Card> cards;
  cards.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    // The name decides and not its place, so that one more component moves few of the others.
    cards.push_back({SplitMix64(seed ^ (window * kGolden) ^ Fnv1a64(names[i])), i});
  }
  std::sort(cards.begin(), cards.end(), [&](const Card& a, const Card& b) {
    // Two names may hash alike; all programs must deal alike even then.
    return std::tie(a.order, names[a.place]) < std::tie(b.order, names[b.place]);
  });
  std::vector<std::vector<std::size_t>> domains(
      std::max<std::size_t>(1, names.size() / domain_size));
  for (std::size_t i = 0; i < cards.size(); ++i) {
    domains[i % domains.size()].push_back(cards[i].place);
  }
  for (auto& domain : domains) {
    // Events list components by name.
    std::sort(domain.begin(), domain.end());
  }
  return domains;
}

}  // namespace limpet
