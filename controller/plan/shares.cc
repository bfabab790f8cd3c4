#include "controller/plan/shares.h"

#include <algorithm>
#include <numeric>

#include "absl/numeric/int128.h"

namespace dslap {

std::vector<uint64_t> Apportion(uint64_t total, const std::vector<uint64_t>& weights) {
  const absl::uint128 sum = std::accumulate(weights.begin(), weights.end(), absl::uint128(0));
  std::vector<uint64_t> parts(weights.size());
  if (sum == 0) return parts;
  std::vector<absl::uint128> remainders;
  remainders.reserve(weights.size());
  uint64_t left = total;
  for (size_t i = 0; i < weights.size(); ++i) {
    const absl::uint128 due = absl::uint128(total) * weights[i];
    parts[i] = static_cast<uint64_t>(due / sum);
    remainders.push_back(due % sum);
    left -= parts[i];
  }
  std::vector<size_t> order(weights.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return remainders[a] > remainders[b]; });
  // Fewer than there are remainders above 0: their sum is `left` times `sum`, and each is below it.
  for (size_t i = 0; i < left; ++i) ++parts[order[i]];
  return parts;
}

std::vector<AgentShare> ShareOut(uint64_t statements, uint64_t clients,
                                 const std::vector<uint64_t>& weights) {
  const std::vector<uint64_t> parts = Apportion(clients, weights);
  const uint64_t base = clients == 0 ? 0 : statements / clients;
  const uint64_t longer = clients == 0 ? 0 : statements % clients;
  std::vector<AgentShare> shares(parts.size());
  uint64_t next_client = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    shares[i].first_client = next_client;
    const uint64_t count_longer =
        next_client < longer ? std::min(parts[i], longer - next_client) : uint64_t{0};
    if (count_longer > 0) shares[i].groups.push_back({count_longer, base + 1});
    if (parts[i] > count_longer) shares[i].groups.push_back({parts[i] - count_longer, base});
    next_client += parts[i];
  }
  return shares;
}

std::vector<AgentShare> ShareOut(const CasePlan& case_plan, const std::vector<uint64_t>& weights) {
  return ShareOut(case_plan.statements, case_plan.clients, weights);
}

}  // namespace dslap
