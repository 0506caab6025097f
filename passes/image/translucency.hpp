#pragma once

#include "passes/primitives/summed_area.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The numbers are those of shaders/image/translucency.comp.
enum class TranslucentMaterial : std::uint8_t {
    frosted, ///< glass: blurred
    uneven,  ///< plastic with bumps: bent, and blurred where it is thick
    foil,    ///< hardly blurred
};

/// Lays a translucent layer over a picture. See `describe`.
struct Translucency {
    static constexpr std::string_view kName = "image/translucency";

    Image source;
    Image depth;
    Image layer_depth;
    SummedArea table; ///< of `source`; made where it is not connected
    TranslucentMaterial material = TranslucentMaterial::frosted;
    glm::vec3 tint{1.0f};
    float radius = 8.0f;
    float cell = 24.0f;
    Image result;
    Image result_depth;

    static void describe(PassInfo<Translucency>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TranslucentMaterial> {
    static constexpr std::array<std::string_view, 3> names{"frosted", "uneven", "foil"};
};
