#pragma once

#include "passes/lights/lights.hpp"

namespace tuff::passes {

/// Sorts lights and builds a tree for culling. See `describe`.
struct LightTree {
    static constexpr std::string_view kName = "lights/tree";

    Lights source;
    Lights lights;
    Buffer order;

    static void describe(PassInfo<LightTree>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
