#pragma once

#include <tuff/graph.hpp>

#include <glm/vec4.hpp>

#include <optional>
#include <vector>

/// Transfer functions: a colour and an opacity for each number of a volume.
namespace tuff::passes {

/// At most so many points.
inline constexpr std::size_t kMaxTransferPoints = 64;
/// Entries of tables of single numbers, and a side of those of pairs.
inline constexpr std::uint32_t kTransferEntries = 1024;
inline constexpr std::uint32_t kTransferSide = 256;

/// Straight between its points; beyond them as at the ends. Two points of one number make a jump.
struct TransferFunction {
    std::vector<float> numbers;    ///< ascending
    std::vector<glm::vec4> colors; ///< linear, and an opacity from 0 to 1

    /// Sets `points` of the kernel's parameters.
    void set(ComputeNodeBuilder& node) const;
    float range() const { return numbers.back() - numbers.front(); }
    /// Entries of a table of so many for a number's 1.
    float scale(std::uint32_t entries) const;
};

/// From a list of value, red, green, blue, opacity for each point. Code: `volume/bad-transfer`.
std::optional<TransferFunction> transfer_function(Graph& graph, const std::vector<float>& points);

/// At equal distances.
Buffer transfer_table(Graph& graph, const TransferFunction& transfer, std::uint32_t entries);
/// For steps between any two numbers. `lengths` of a step: those for which opacities are given.
Buffer transfer_pairs(Graph& graph, const TransferFunction& transfer, float lengths);

} // namespace tuff::passes
