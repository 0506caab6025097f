#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <glm/vec4.hpp>

#include <string_view>

namespace tuff::passes {

/// Takes a rectangle out of a picture. See `describe`.
struct Crop {
    static constexpr std::string_view kName = "image/crop";

    Image source;
    glm::vec4 region{0.0f, 0.0f, 1.0f, 1.0f}; ///< left, top, right, bottom
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Crop>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
