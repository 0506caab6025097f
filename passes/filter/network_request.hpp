#pragma once

#include "passes/filter/kernel_network.hpp"
#include "passes/filter/network.hpp"

#include <optional>

namespace tuff::passes {

/// The network that the pass asks for. Reports filter/no-network, filter/weights, filter/kernel-size,
/// filter/too-short, filter/too-large and filter/not-finite, and returns nothing then.
std::optional<KernelNetwork> requested_network(Graph& graph, const FilterNetwork& pass);

/// The multiplications of the large kernels that the network stands for, for one number.
std::uint64_t direct_products(const KernelNetwork& network);

} // namespace tuff::passes
