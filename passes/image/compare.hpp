#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// How far two pictures are apart. See `describe`.
struct Compare {
    static constexpr std::string_view kName = "image/compare";

    Image a;
    Image b;
    Buffer result;

    static void describe(PassInfo<Compare>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
