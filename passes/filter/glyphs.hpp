#pragma once

#include "passes/filter/tensor.hpp"

#include <glm/vec3.hpp>

#include <string_view>

namespace tuff::passes {

/// Along what a glyph is long.
enum class GlyphShape : std::uint8_t {
    variation, ///< where the numbers vary: a plane is a needle across it
    structure, ///< where they do not: a line is a needle along it
};

/// Tensors as ellipses or ellipsoids. See `describe`.
struct FilterGlyphs {
    static constexpr std::string_view kName = "filter/glyphs";

    Buffer tensor;
    Buffer source; ///< optional
    std::uint32_t dimensions = 2;
    glm::uvec4 size{1};
    std::uint32_t step = 8;
    std::uint32_t width = 512;
    std::uint32_t height = 512;
    GlyphShape shape = GlyphShape::structure;
    float scale = 1.0f;
    float least = 0.1f;
    float brightness = 0.5f;
    float yaw = 30.0f; ///< degrees
    float pitch = 25.0f;
    float zoom = 1.0f;
    Image result;

    static void describe(PassInfo<FilterGlyphs>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GlyphShape> {
    static constexpr std::array<std::string_view, 2> names{"variation", "structure"};
};
