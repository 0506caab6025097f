#pragma once

#include "passes/bvh/morton.hpp"

namespace tuff::passes {

/// What becomes of triangles with equal codes.
enum class EqualCodes : std::uint8_t {
    leaf,  ///< they make one leaf, however many
    split, ///< they part by their numbers as long as there are levels
};

/// Where a node's triangles part.
enum class HeapSplit : std::uint8_t {
    highest_bit, ///< at the highest bit that not all have: both children have some
    in_turn,     ///< at the bit of the level, x, y and z in turn: a child may be empty
};

/// Builds the chapter's hierarchy: a heap, made from the root down. See `describe`.
struct ImplicitBuild {
    static constexpr std::string_view kName = "bvh/implicit_build";

    TriangleMesh mesh;
    Interleave interleave = Interleave::xyz;
    HeapSplit split = HeapSplit::highest_bit;
    EqualCodes equal_codes = EqualCodes::split;
    int levels = 0; ///< 0: chosen

    Bvh bvh;

    static void describe(PassInfo<ImplicitBuild>& info);
    void build(Graph& graph);
};

/// Whether the status is told how many nodes there are, and of the largest leaf: once, by the
/// build.
enum class HeapCounts { no, yes };

/// Adds the nodes that make the boxes of a heap from its leaves, and updates `bvh`.
void add_heap_boxes(Graph& graph, Bvh& bvh, HeapCounts counts);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::EqualCodes> {
    static constexpr std::array<std::string_view, 2> names{"leaf", "split"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::HeapSplit> {
    static constexpr std::array<std::string_view, 2> names{"highest_bit", "in_turn"};
};
