#pragma once

#include "passes/mapping/tsdf.hpp"

#include <optional>

namespace tuff::passes {

inline constexpr std::uint64_t kTsdfVoxelBytes = 8;

/// A TSDF that lasts from frame to frame, as one of them is built.
class TsdfMap {
  public:
    /// Empty, with an error reported, where the grid is too large (mapping/too-large,
    /// sparse/too-large).
    static std::optional<TsdfMap> begin(Graph& graph, const TsdfGrid& grid);

    /// What the frames before have left. Of bricks it can be looked up, not walked over.
    const TsdfVolume& before() const { return before_; }
    /// Brings a frame in, unless the camera is lost; once.
    TsdfVolume fuse(const RgbdFrame& frame, Buffer pose, float edge);

  private:
    TsdfMap(Graph& graph, const TsdfGrid& grid) : graph_(&graph), grid_(grid) {}
    bool begin_dense();
    bool begin_bricks();
    void claim_band(const RgbdFrame& frame, Buffer pose);

    Graph* graph_;
    TsdfGrid grid_;
    TsdfVolume before_;
    BufferHistory voxels_;
    BufferHistory list_; ///< of bricks
    SparseClaims claims_;
};

} // namespace tuff::passes
