#pragma once

#include "passes/mapping/tsdf.hpp"

#include <optional>

namespace tuff::passes {

inline constexpr std::uint64_t kTsdfVoxelBytes = 8;

/// A TSDF that persists from frame to frame, while one frame is being built.
class TsdfMap {
  public:
    /// Returns an empty map, with an error reported, if the grid is too large (mapping/too-large,
    /// sparse/too-large).
    static std::optional<TsdfMap> begin(Graph& graph, const TsdfGrid& grid);

    /// The map from the previous frames. Bricks support lookups, but no loops over all cells.
    const TsdfVolume& before() const { return before_; }
    /// Integrates a frame, unless the camera is lost. Call it once.
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
    BufferHistory list_; ///< for bricks
    SparseClaims claims_;
};

} // namespace tuff::passes
