#pragma once

#include "passes/fluid/advect.hpp"

namespace tuff::passes {

/// What a picture of a flow shows.
enum class FluidShown : std::uint8_t {
    dye,     ///< the dye's three colors, over the background
    fire,    ///< the dye's heat in the colors of a flame, and its first number as smoke
    speed,   ///< from dark to bright
    density, ///< blue below rest, red above
    whirls,  ///< blue and red: direction of rotation
};

/// Draws a flow in two dimensions, or a slice. See `describe`.
struct FluidView {
    static constexpr std::string_view kName = "fluid/view";

    FluidField field;
    FluidDye dye;
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    FluidShown shown = FluidShown::dye;
    float gain = 1.0f;
    float slice = 0.5f;
    glm::vec3 background{0.01f, 0.012f, 0.02f};
    glm::vec3 solid_color{0.35f, 0.36f, 0.38f};
    Image result;

    static void describe(PassInfo<FluidView>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FluidShown> {
    static constexpr std::array<std::string_view, 5> names{"dye", "fire", "speed", "density",
                                                           "whirls"};
};
