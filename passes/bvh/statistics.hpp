#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// What `Statistics` tells.
struct BvhStatistics {
    float cost = 0.0f; ///< boxes and triangles that a ray is expected to be tested against
    std::uint32_t triangles = 0;    ///< in the hierarchy
    std::uint32_t nodes = 0;        ///< interior nodes
    std::uint32_t leaves = 0;       ///< leaves
    std::uint32_t largest_leaf = 0; ///< triangles
    std::uint32_t levels = 0;       ///< nodes on the longest path, the leaf among them
    float mean_leaf = 0.0f;         ///< triangles
    float occupied = 0.0f;          ///< share of the slots for nodes and leaves that are used

    static constexpr std::string_view kStructName = "BvhStatistics";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(BvhStatistics, cost),         TUFF_MEMBER(BvhStatistics, triangles),
            TUFF_MEMBER(BvhStatistics, nodes),        TUFF_MEMBER(BvhStatistics, leaves),
            TUFF_MEMBER(BvhStatistics, largest_leaf), TUFF_MEMBER(BvhStatistics, levels),
            TUFF_MEMBER(BvhStatistics, mean_leaf),    TUFF_MEMBER(BvhStatistics, occupied)};
    }
};
static_assert(sizeof(BvhStatistics) == 32);

/// How good a hierarchy is. See `describe`.
struct MeasureBvh {
    static constexpr std::string_view kName = "bvh/statistics";

    Bvh bvh;
    Buffer result;

    static void describe(PassInfo<MeasureBvh>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
