#pragma once

#include "passes/filter/problem.hpp"

#include <optional>
#include <span>
#include <vector>

/// Networks of small kernels that do what large ones do. No graph, no device.
namespace tuff::passes {

/// A small kernel that makes part of result `to` of result `from`.
struct NetworkEdge {
    std::uint32_t from = 0;        ///< 0 is the source
    std::uint32_t to = 1;          ///< more than `from`
    FilterSize size{1, 1, 1, 1};   ///< odd
    FilterSize spread{1, 1, 1, 1}; ///< places between neighbouring weights
    std::vector<double> weights{}; ///< x fastest
};

/// Each result is the sum of what its edges make.
struct KernelNetwork {
    std::vector<NetworkEdge> edges{};     ///< by ascending `to`
    std::vector<std::uint32_t> outputs{}; ///< the results that are handed on
};

/// One kernel with the weights of a network.
struct NetworkKernel {
    FilterSize size{1, 1, 1, 1};
    std::vector<double> weights{};
};

/// The highest number of a result.
std::uint32_t network_results(const KernelNetwork& network);

/// How far beyond a number of the outputs each result (0: the source) is needed, by result.
std::vector<FilterSize> network_reaches(const KernelNetwork& network);

/// The multiplications for one number of each output: weights other than 0, and none for 1.
std::uint64_t network_products(const KernelNetwork& network);

/// The kernel that does the same as the network up to `output`.
NetworkKernel network_kernel(const KernelNetwork& network, std::uint32_t output);

/// A cascade of 1 2 1 along each axis, its sum 1, for a binomial kernel of `size` weights, after
/// `derivative` differences along each axis: 1 0 -1 halved for one, 1 -2 1 for two of them. Both
/// make the kernel 2 larger, so twos count once: `size` is that of the whole. Nothing where
/// `derivative` needs more than `size`.
std::optional<KernelNetwork> binomial_network(const FilterSize& size, const FilterSize& derivative);

/// A tree of one-dimensional kernels for any kernel, by singular values: along x as many as there
/// must be, behind each of them along y, and so on. The difference is at most `tolerance` times
/// the kernel, both as Euclidean norms.
KernelNetwork product_network(std::span<const float> weights, const FilterSize& size,
                              double tolerance);

} // namespace tuff::passes
