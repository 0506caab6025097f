#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// The mean of all texels of a picture or volume. See `describe`.
struct ImageMean {
    static constexpr std::string_view kName = "primitives/image_mean";

    Image source;
    Buffer result;

    static void describe(PassInfo<ImageMean>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
