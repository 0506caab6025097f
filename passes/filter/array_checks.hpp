#pragma once

#include "passes/filter/way_nodes.hpp"

#include <glm/vec4.hpp>

#include <optional>
#include <string_view>

/// What the passes that filter arrays check.
namespace tuff::passes {

inline FilterSize as_filter_size(glm::uvec4 size) {
    return {size.x, size.y, size.z, size.w};
}

/// Indices of kernels have 32 bits, and so do addresses of bytes.
inline constexpr std::uint64_t kMaxArrayNumbers = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxArrayWeights = std::uint64_t{1} << 24;

/// The product of these extents and `times`, or nothing where it is more than `most`.
std::optional<std::uint64_t> bounded_count(const FilterSize& size, std::uint64_t times,
                                           std::uint64_t most);

/// What a pass is told of its arrays.
struct FilterArrays {
    glm::uvec4 size; ///< x of 0: what `whole` numbers leave
    std::uint32_t batch = 1;
    std::uint64_t whole = 0; ///< numbers of the source
    std::uint64_t more = 1;  ///< the most numbers that the pass keeps for one of an array
    std::uint64_t most = kMaxArrayNumbers; ///< that the pass can address
};

/// The size, x derived. Reports filter/empty, filter/too-large and filter/too-short, and returns
/// nothing then.
std::optional<FilterSize> checked_arrays(Graph& graph, const FilterArrays& arrays);

/// Reports filter/kernel-size unless all extents are odd, and filter/too-large where `filters`
/// kernels have more weights than `most`.
bool checked_kernel_size(Graph& graph, std::string_view parameter, const FilterSize& kernel_size,
                         std::uint32_t filters = 1, std::uint64_t most = kMaxArrayWeights);

/// Reports filter/no-result where "valid" leaves none.
bool has_results(Graph& graph, const FilterProblem& problem);

/// Reports filter/too-short.
bool holds_numbers(Graph& graph, std::string_view port, Buffer buffer, std::uint64_t count);

} // namespace tuff::passes
