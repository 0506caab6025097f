#pragma once

#include "passes/common/div_round_up.hpp"
#include "passes/geometry/compute_raster.hpp"

namespace tuff::passes {

/// The triangles that may cover pixels of each tile of a picture, tile by tile; those of a tile in
/// the order of the mesh. Tile (x, y) has number y * tiles_x + x; its triangles are those from
/// `offsets[tile]` up to `offsets[tile + 1]`.
struct TriangleBins {
    static constexpr std::string_view kPortType = "TriangleBins";

    Buffer offsets;   ///< u32 a tile, and one more with the number of all
    Buffer triangles; ///< u32 each
    Buffer count;     ///< one u32: entries stored, at most `capacity`
    Buffer status;    ///< `TileBinsStatus`
    Buffer screen;    ///< four i32 a vertex: shaders/geometry/screen.glsl
    TriangleMesh mesh;
    glm::mat4 clip_from_mesh{1.0f};
    std::uint32_t width = 0; ///< of the picture, in pixels
    std::uint32_t height = 0;
    std::uint32_t side = 0; ///< of a tile, in pixels
    std::uint32_t capacity = 0;

    std::uint32_t tiles_x() const { return div_round_up(width, side); }
    std::uint32_t tiles_y() const { return div_round_up(height, side); }

    explicit operator bool() const { return offsets && triangles; }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all = mesh.members();
        for (const PortMember& member :
             {PortMember{"offsets", offsets, BufferElements::of<std::uint32_t>()},
              {"triangles", triangles, BufferElements::of<std::uint32_t>()},
              {"count", count, BufferElements::of<std::uint32_t>()},
              {"status", status, BufferElements::of<std::uint32_t>()},
              {"screen", screen, BufferElements::of<glm::ivec4>()}})
            all.push_back(member);
        return all;
    }
};

/// The words of `TriangleBins::status`.
struct TileBinsStatus {
    std::uint32_t needed = 0;     ///< entries there are
    std::uint32_t stored = 0;     ///< entries in the bins, at most their capacity
    std::uint32_t overflowed = 0; ///< 1: not all fit

    static constexpr std::uint32_t kWords = 3;
    /// Of at least as many words.
    static TileBinsStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;             ///< raster/full-bins
    std::vector<PoolNeed> pool_needs() const; ///< "entries"
};

/// The side of a tile. The numbers are the logarithms less 3.
enum class TileSide : std::uint8_t { side8, side16, side32 };

/// Sorts triangles into tiles of the screen. See `describe`.
struct TileBins {
    static constexpr std::string_view kName = "geometry/tile_bins";

    TriangleMesh mesh;
    Scene scene;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    std::optional<glm::mat4> clip_from_mesh; ///< as of `ComputeRaster`
    RasterCull cull = RasterCull::none;
    TileSide side = TileSide::side16;
    std::uint32_t capacity = 0;
    TriangleBins bins;

    static void describe(PassInfo<TileBins>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TileSide> {
    static constexpr std::array<std::string_view, 3> names{"8", "16", "32"};
};
