#pragma once

#include "passes/oit/capture.hpp"
#include "passes/oit/resolve.hpp"

#include <glm/vec2.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Which rectangles of the picture are gone through.
enum class TiledArea : std::uint8_t {
    everywhere,
    bounds, ///< those that the boxes of blended draws touch
};

/// Transparency in little memory: one rectangle of the picture at a time. See `describe`.
struct OitTiled {
    static constexpr std::string_view kName = "oit/tiled";

    Scene scene;
    SceneView view;
    glm::uvec2 tile{512, 512};
    TiledArea area = TiledArea::bounds;
    FragmentPool pool;
    std::vector<float> modes;
    Image color;

    static void describe(PassInfo<OitTiled>& info);
    void build(Graph& graph);
};

/// The statuses of all rectangles, one after the other.
struct OitTiledStatus {
    /// Bytes from one to the next: buffers are bound at multiples of this on every device.
    static constexpr std::uint32_t kStride = 256;

    OitStatus all; ///< the greatest demand, since they share a pool, and the sums of the rest

    static OitTiledStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const { return all.warnings(); }
    std::vector<PoolNeed> pool_needs() const { return all.pool_needs(); }
};

/// The pixels that the boxes about the blended draws of a scene cover, within a picture of `size`.
/// Empty (size 0) where there are none.
PixelRectangle blended_bounds(const SceneData& scene, const glm::mat4& view_projection,
                              glm::uvec2 size);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TiledArea> {
    static constexpr std::array<std::string_view, 2> names{"everywhere", "bounds"};
};
