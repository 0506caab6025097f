#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <glm/vec4.hpp>

#include <string>
#include <string_view>

namespace tuff::passes {

/// An expression of every texel. See `describe`.
struct MapPicture {
    static constexpr std::string_view kName = "image/map";

    Image source;
    Image other; ///< optional
    std::string expression = "x";
    glm::vec4 p{};
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<MapPicture>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
