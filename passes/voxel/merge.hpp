#pragma once

#include "passes/voxel/voxelize.hpp"

#include <vector>

namespace tuff::passes {

/// Joins grids of one place: static and moving things, say. See `describe`.
struct VoxelMerge {
    static constexpr std::string_view kName = "voxel/merge";

    std::vector<VoxelGrid> grids;
    bool count = true;
    VoxelGrid grid;

    static void describe(PassInfo<VoxelMerge>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
