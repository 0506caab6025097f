#pragma once

#include "passes/geometry/compute_raster.hpp"

#include <glm/vec4.hpp>

namespace tuff::passes {

/// What a picture of visible triangles shows. The numbers are those of geometry/visibility_view.
enum class VisibilityColor : std::uint8_t { numbers, normals, weights, depth };

/// What is known of visible pixels, as images. See `describe`.
struct VisibilityView {
    static constexpr std::string_view kName = "geometry/visibility_view";

    Visibility visibility;
    VisibilityColor color_by = VisibilityColor::numbers;
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    Image result;
    Image normals;
    Image weights;

    static void describe(PassInfo<VisibilityView>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VisibilityColor> {
    static constexpr std::array<std::string_view, 4> names{"numbers", "normals", "weights",
                                                           "depth"};
};
