#pragma once

#include "passes/occlusion/levels.hpp"

namespace tuff::passes {

/// The directions of rays and their weights.
enum class OcclusionCover : std::uint8_t {
    sphere,     ///< obscurance
    hemisphere, ///< hemisphere around the normal, uniform
    cosine,     ///< hemisphere around the normal, weighted by the cosine
};

/// Computes the ambient occlusion of a volume by rays: the reference. See `describe`.
struct OcclusionRays {
    static constexpr std::string_view kName = "occlusion/rays";

    Image opacity;
    Image numbers; ///< optional
    std::uint32_t rays = 256;
    OcclusionCover cover = OcclusionCover::sphere;
    std::uint32_t stride = 1;
    float reach = 1e6f;
    float turn = 0.0f;
    std::uint32_t seed = 0;
    bool own = false;
    Image result;

    static void describe(PassInfo<OcclusionRays>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::OcclusionCover> {
    static constexpr std::array<std::string_view, 3> names{"sphere", "hemisphere", "cosine"};
};
