#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Nearest objects by the depth test. See `describe`.
struct DistanceCones {
    static constexpr std::string_view kName = "distance/cones";

    Image seed;
    std::uint32_t clamp = 0;
    std::uint32_t segments = 0;
    FieldChannels channels = FieldChannels::one;
    Image field;
    Image site;
    Buffer status;

    static void describe(PassInfo<DistanceCones>& info);
    void build(Graph& graph);
};

/// Segments of cones of this reach that are at most half a texel off.
std::uint32_t cone_segments(float reach);

/// Squared distances by blending. See `describe`.
struct DistanceParticles {
    static constexpr std::string_view kName = "distance/particles";

    Image seed;
    std::uint32_t clamp = 0;
    FieldChannels channels = FieldChannels::one;
    Image field;
    Buffer status;

    static void describe(PassInfo<DistanceParticles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
