#pragma once

#include "passes/primitives/summed_area.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How the circle of confusion grows with the distance from the focus. The numbers are those of
/// shaders/image/depth_of_field.comp.
enum class Confusion : std::uint8_t {
    thin_lens, ///< towards a limit behind the focus, faster in front of it
    linear,    ///< evenly on both sides
};

/// Blurs what is out of focus. See `describe`.
struct DepthOfField {
    static constexpr std::string_view kName = "image/depth_of_field";

    Image source;
    Image depth;
    SummedArea table; ///< of `source`; made where it is not connected
    Confusion confusion = Confusion::thin_lens;
    float near_plane = 0.1f;
    float far_plane = 100.0f;
    float focus = 5.0f;
    float aperture = 0.025f;
    float focal_length = 0.05f;
    float slope = 5e-5f; ///< near the focus about that of the lens above
    float sensor_height = 0.024f;
    float max_radius = 64.0f;
    Image result;

    static void describe(PassInfo<DepthOfField>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Confusion> {
    static constexpr std::array<std::string_view, 2> names{"thin_lens", "linear"};
};
