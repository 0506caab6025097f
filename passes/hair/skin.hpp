#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/hair/hair.hpp"

#include <vector>

namespace tuff::passes {

/// Moves roots with a mesh. See `describe`.
struct SkinHair {
    static constexpr std::string_view kName = "hair/skin";

    HairGroom groom;
    TriangleMesh rest;
    TriangleMesh now;
    HairRoots roots;
    Buffer status;

    static void describe(PassInfo<SkinHair>& info);
    void build(Graph& graph);
};

/// What binding hair to a mesh reports.
struct SkinStatus {
    std::uint32_t degenerate = 0; ///< strands whose triangle has no area

    static constexpr std::string_view kStructName = "SkinStatus";
    static constexpr auto members() { return std::array{TUFF_MEMBER(SkinStatus, degenerate)}; }
    static SkinStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< hair/flat-scalp
};

/// Adds hairs that follow guides. See `describe`.
struct FollowHair {
    static constexpr std::string_view kName = "hair/follow";

    HairShape guides;
    std::uint32_t each = 8;
    float radius = 0.004f;
    float spread = 0.5f;
    std::vector<float> radii{1.0f};
    std::vector<float> spreads{1.0f};
    std::vector<float> lengths{1.0f};
    float length_spread = 0.0f;
    std::uint32_t seed = 1;
    HairShape shape;

    static void describe(PassInfo<FollowHair>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
