#pragma once

#include "passes/subdivision/topology.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// A cage ready to be subdivided: its adjacency, and the current positions of its vertices.
struct Cage {
    static constexpr std::string_view kPortType = "Cage";

    Buffer positions; ///< three floats a vertex
    Buffer heads;     ///< uvec4 a triangle: see shaders/subdivision/record.glsl
    Buffer links;     ///< uvec4 a triangle
    Buffer rings;     ///< u32: slot by slot, in each all triangles
    Buffer sharpness; ///< u32: of three edges, then slot by slot
    Buffer sources;   ///< u32 a vertex
    std::shared_ptr<const CageTopology> topology;
    Bounds bounds; ///< of the positions known to the host; else empty

    explicit operator bool() const { return positions && heads; }
    std::vector<PortMember> members() const;
};

/// Computes the adjacency of a cage. See `describe`.
struct MakeCage {
    static constexpr std::string_view kName = "subdivision/cage";

    Scene scene;      ///< optional
    Buffer indices;   ///< optional; instead of the scene
    Buffer positions; ///< optional with a scene
    std::vector<float> creases;
    float crease_angle = 0.0f;
    float angle_sharpness = kInfinitelySharp;
    bool sharp_corners = false;
    Cage cage;

    static void describe(PassInfo<MakeCage>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
