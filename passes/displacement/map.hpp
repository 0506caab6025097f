#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The values are those of shaders/displacement/map.comp.
enum class DisplacementShape : std::uint8_t { mushroom, cylinder, sphere, bark };

/// Makes a displacement map. See `describe`.
struct MakeDisplacement {
    static constexpr std::string_view kName = "displacement/map";

    DisplacementShape shape = DisplacementShape::mushroom;
    std::uint32_t width = 512;
    std::uint32_t height = 512;
    float side = 1.0f;
    float bend = 3.14159265f;
    float detail = 1.0f;
    std::uint32_t seed = 1;

    Image result;

    static void describe(PassInfo<MakeDisplacement>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::DisplacementShape> {
    static constexpr std::array<std::string_view, 4> names{"mushroom", "cylinder", "sphere",
                                                           "bark"};
};
