#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Arrays of numbers as curves. See `describe`.
struct Plot {
    static constexpr std::string_view kName = "image/plot";
    static constexpr std::size_t kMaxCurves = 8;

    std::vector<Buffer> curves; ///< f32
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    bool logarithmic = false;
    float low = 0.0f;  ///< value at the lower edge
    float high = 1.0f; ///< at the upper one
    float line = 2.5f; ///< width of curves, texels
    bool axes = true;
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<std::string> names; ///< of the curves
    float first = 0.0f;             ///< number on the axis at element 0
    float step = 1.0f;              ///< from an element to the next
    float text = 13.0f;             ///< height of a line of text, texels
    Image result;
    Buffer table; ///< the numbers, row by row

    static void describe(PassInfo<Plot>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
