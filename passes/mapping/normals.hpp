#pragma once

#include "passes/mapping/rgbd.hpp"

#include <string_view>

namespace tuff::passes {

/// Computes the surfaces of a frame. See `describe`.
struct MappingNormals {
    static constexpr std::string_view kName = "mapping/normals";

    RgbdFrame frame;
    float smooth = 2.0f;
    float edge = 0.05f;

    RgbdMaps maps;

    static void describe(PassInfo<MappingNormals>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
