#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// A picture to objects and background. See `describe`.
struct DistanceSeed {
    static constexpr std::string_view kName = "distance/seed";

    Image source;
    float threshold = 0.5f;
    bool invert = false;
    Image seed;
    Buffer status;

    static void describe(PassInfo<DistanceSeed>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
