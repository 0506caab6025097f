#pragma once

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// A picture of the cells of nearest sites. See `describe`.
struct DistanceCells {
    static constexpr std::string_view kName = "distance/cells";

    Image site;
    Image field;
    float contours = 16.0f;
    float line = 1.5f;
    float dot = 3.0f;
    std::uint32_t colors = 1;
    Image result;

    static void describe(PassInfo<DistanceCells>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
