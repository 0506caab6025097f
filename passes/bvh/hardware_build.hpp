#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// Lets the device build its own hierarchy. See `describe`.
struct HardwareBuild {
    static constexpr std::string_view kName = "bvh/hardware_build";

    TriangleMesh mesh;
    bool checked = true;

    Buffer top;
    Buffer bottom;
    Bvh bvh;

    static void describe(PassInfo<HardwareBuild>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
