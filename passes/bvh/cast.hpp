#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// What is asked about rays.
enum class RayQuestion : std::uint8_t { closest, any };

/// Finds what rays in a buffer hit. See `describe`.
struct CastRays {
    static constexpr std::string_view kName = "bvh/cast";

    /// Words of a ray: origin (three floats) and the greatest t; direction (three floats) and the
    /// triangle that the ray leaves and cannot hit, or ~0.
    static constexpr std::uint32_t kRayWords = 8;
    /// Words of a closest hit: t, the triangle or ~0, and the weights of its second and third
    /// vertex.
    static constexpr std::uint32_t kHitWords = 4;

    Bvh bvh;
    Buffer rays;
    Buffer starts; ///< optional
    Buffer left;   ///< optional
    RayQuestion question = RayQuestion::closest;
    Traversal traversal = Traversal::automatic;
    TriangleTest test = TriangleTest::watertight;
    bool with_work = false;
    bool with_ends = false;

    Buffer hits;
    Buffer work;
    Buffer ends;
    Buffer hit_instances;

    static void describe(PassInfo<CastRays>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RayQuestion> {
    static constexpr std::array<std::string_view, 2> names{"closest", "any"};
};
