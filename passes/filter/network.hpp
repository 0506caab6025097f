#pragma once

#include "passes/filter/problem.hpp"

#include <glm/vec4.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Where the kernels of a network come from.
enum class NetworkKind : std::uint8_t { edges, products, binomial };

/// Many small kernels that do the work of large ones. See `describe`.
struct FilterNetwork {
    static constexpr std::string_view kName = "filter/network";

    Buffer source;
    Buffer kernel;
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    FilterBorder border = FilterBorder::zero;
    NetworkKind kind = NetworkKind::edges;
    glm::uvec4 kernel_size{9, 9, 1, 1};
    std::vector<float> weights;
    float tolerance = 1e-6f;
    glm::uvec4 derivative{0};
    std::vector<float> from;
    std::vector<float> to;
    std::vector<float> sizes;
    std::vector<float> spreads;
    std::vector<float> outputs;
    Buffer result;

    static void describe(PassInfo<FilterNetwork>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::NetworkKind> {
    static constexpr std::array<std::string_view, 3> names{"edges", "products", "binomial"};
};
