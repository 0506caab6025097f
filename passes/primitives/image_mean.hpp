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

/// Reports to `graph`, and returns false, unless `image` is a picture (`is_picture`) or a volume of
/// a colour format of real numbers with one mip level. `port` names the image in messages.
[[nodiscard]] bool is_picture_or_volume(Graph& graph, Image image, std::string_view port);

} // namespace tuff::passes
