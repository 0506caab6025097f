#include "passes/mapping/tsdf_map.hpp"

#include <fmt/format.h>

namespace tuff::passes {

std::optional<TsdfMap> TsdfMap::begin(Graph& graph, const TsdfGrid& grid) {
    TsdfMap map(graph, grid);
    map.before_ = {.voxels = {},
                   .bricks = {},
                   .dims = grid.dims,
                   .corner = grid.corner,
                   .side = grid.side,
                   .truncation = grid.truncation > 0.0f ? grid.truncation : 2.5f * grid.side};
    const bool fits = grid.storage == TsdfStorage::dense ? map.begin_dense() : map.begin_bricks();
    if (!fits) return std::nullopt;
    return map;
}

bool TsdfMap::begin_dense() {
    const std::uint64_t bytes = kTsdfVoxelBytes * before_.count();
    if (bytes > graph_->target().max_storage_buffer_bytes) {
        graph_->error("mapping/too-large",
                      fmt::format("a grid of {} x {} x {} voxels takes {} MiB, more than a "
                                  "buffer of the device holds",
                                  grid_.dims.x, grid_.dims.y, grid_.dims.z, bytes >> 20),
                      "use fewer and larger voxels, or set \"storage\" to \"bricks\"");
        return false;
    }
    voxels_ = graph_->history_buffer("voxels", {.size = bytes, .stride = kTsdfVoxelBytes});
    before_.voxels = voxels_.previous[0];
    return true;
}

bool TsdfMap::begin_bricks() {
    const auto shape = sparse_shape(*graph_, {.capacity = grid_.capacity}, grid_.dims,
                                    std::uint32_t{kTsdfVoxelBytes});
    if (!shape) return false;
    graph_->push_scope(kSparsePool);
    list_ = graph_->history_buffer("list", list_desc(*shape));
    voxels_ = graph_->history_buffer("voxels", field_desc(*shape, std::uint32_t{kTsdfVoxelBytes}));
    graph_->pop_scope();
    claims_ = adopt_bricks(*graph_, start_claims(*graph_, *shape), list_.previous[0]);
    // Bricks of before with their slots: what is looked up until others are claimed.
    before_.bricks.map = claims_.map;
    before_.bricks.shape = *shape;
    before_.voxels = voxels_.previous[0];
    return true;
}

void TsdfMap::claim_band(const RgbdFrame& frame, Buffer pose) {
    const Extent extent = graph_->extent(frame.depth);
    ComputeNodeBuilder node = graph_->compute("mapping/claim_band");
    bind_claims(node, claims_);
    node.set("intrinsics", frame.intrinsics);
    node.set("size", glm::ivec2(extent.width, extent.height));
    node.set("range", frame.range);
    node.set("corner", before_.corner);
    node.set("side", before_.side);
    node.set("truncation", before_.truncation);
    node.read("camera_pose", pose);
    node.read("depth", ImageView(frame.depth).mip(0));
    node.dispatch_over(extent);
}

TsdfVolume TsdfMap::fuse(const RgbdFrame& frame, Buffer pose, float edge) {
    TsdfVolume after = before_;
    const bool sparse = grid_.storage == TsdfStorage::bricks;
    if (sparse) {
        claim_band(frame, pose);
        after.bricks = allocate_bricks(*graph_, claims_);
        keep_bricks(*graph_, after.bricks, list_.current);
    }
    const Extent extent = graph_->extent(frame.depth);
    ComputeNodeBuilder node = graph_->compute(sparse ? "mapping/fuse_bricks" : "mapping/fuse");
    if (sparse) bind_walk(node, after.bricks);
    node.set("intrinsics", frame.intrinsics);
    node.set("size", glm::ivec2(extent.width, extent.height));
    node.set("range", frame.range);
    node.set("dims", after.dims);
    node.set("side", after.side);
    node.set("corner", after.corner);
    node.set("truncation", after.truncation);
    node.set("edge", edge);
    node.set("max_weight", grid_.max_weight);
    node.read("before", before_.voxels);
    node.read("camera_pose", pose);
    node.read("depth", ImageView(frame.depth).mip(0));
    node.read("color", ImageView(frame.color).mip(0));
    after.voxels = node.write("result", voxels_.current);
    if (!sparse) node.dispatch_over({after.dims.x, after.dims.y, after.dims.z});
    return after;
}

} // namespace tuff::passes
