#include "passes/oit/tiled.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kLeastTileSide = 8;
constexpr std::uint32_t kMaxTiles = 1024;

std::vector<PixelRectangle> tiles_of(const OitTiled& pass, const PixelRectangle& area) {
    std::vector<PixelRectangle> tiles;
    const glm::uvec2 end = area.origin + area.size;
    for (std::uint32_t y = area.origin.y / pass.tile.y * pass.tile.y; y < end.y; y += pass.tile.y)
        for (std::uint32_t x = area.origin.x / pass.tile.x * pass.tile.x; x < end.x;
             x += pass.tile.x) {
            const glm::uvec2 low = glm::max(glm::uvec2(x, y), area.origin);
            const glm::uvec2 high = glm::min(glm::uvec2(x, y) + pass.tile, end);
            tiles.push_back({low, high - low});
        }
    return tiles;
}

} // namespace

OitTiledStatus OitTiledStatus::read(std::span<const std::uint32_t> words) {
    OitTiledStatus status;
    for (std::size_t at = 0; at < words.size(); at += kStride / sizeof(std::uint32_t)) {
        const OitStatus tile = OitStatus::read(words.subspan(at));
        status.all.demand = std::max(status.all.demand, tile.demand);
        status.all.lost += tile.lost;
        status.all.dropped += tile.dropped;
    }
    return status;
}

PixelRectangle blended_bounds(const SceneData& scene, const glm::mat4& view_projection,
                              glm::uvec2 size) {
    glm::vec2 low(1e30f);
    glm::vec2 high(-1e30f);
    for (const std::uint32_t draw : blended_draws(scene)) {
        const Bounds& box = scene.draw_bounds[draw];
        for (int corner = 0; corner < 8; ++corner) {
            const glm::vec4 place =
                view_projection * glm::vec4(corner & 1 ? box.max.x : box.min.x,
                                            corner & 2 ? box.max.y : box.min.y,
                                            corner & 4 ? box.max.z : box.min.z, 1.0f);
            // A box that reaches behind the eye may be seen anywhere.
            if (!(place.w > 0.0f)) return {.origin = glm::uvec2(0), .size = size};
            low = glm::min(low, glm::vec2(place) / place.w);
            high = glm::max(high, glm::vec2(place) / place.w);
        }
    }
    const glm::vec2 pixels(size);
    const glm::vec2 first = glm::clamp((low * 0.5f + 0.5f) * pixels - 1.0f, glm::vec2(0), pixels);
    const glm::vec2 last = glm::clamp((high * 0.5f + 0.5f) * pixels + 2.0f, glm::vec2(0), pixels);
    if (!(first.x < last.x && first.y < last.y)) return {};
    const glm::uvec2 origin(first);
    return {.origin = origin, .size = glm::uvec2(last) - origin};
}

void OitTiled::describe(PassInfo<OitTiled>& info) {
    info.summary("Renders transparency in little memory, one rectangle of the picture at a time")
        .details("The pass captures and resolves each rectangle with the same lists, sized for one "
                 "rectangle, and draws the scene once for each; a fragment is shaded only for its "
                 "own rectangle. \"bounds\" skips rectangles that the boxes of the blended draws "
                 "do not touch; it skips nothing if a pass such as geometry/deform has moved the "
                 "vertices, because their boxes are unknown. The picture equals that of "
                 "oit/capture and oit/resolve to the bit for any size of rectangles.")
        .source("Thibieroz, \"Order-Independent Transparency using Per-Pixel Linked Lists\", GPU "
                "Pro 2, 2011: tiling")
        .complexity("O(rectangles * triangles + fragments)");
    info.input("scene", &OitTiled::scene, "the scene whose blended draws are drawn");
    info.input("view", &OitTiled::view,
               "the view of scene/mesh_raster, which leaves out blended materials");
    info.parameter("tile", &OitTiled::tile, "width and height of a rectangle")
        .range(kLeastTileSide, 16384)
        .unit("pixels")
        .structural();
    info.parameter("area", &OitTiled::area, "which rectangles are rendered").structural();
    info.group("pool", &OitTiled::pool);
    info.parameter("modes", &OitTiled::modes, "how each material blends, as in oit/capture")
        .range(0, 3);
    info.output("color", &OitTiled::color, "the picture with the fragments, one sample a pixel");
}

void OitTiled::build(Graph& graph) {
    const Extent extent = graph.extent(view.color);
    color = graph.image("color", {.format = Format::rgba16_sfloat, .extent = extent});
    const glm::uvec2 size(extent.width, extent.height);
    // Without fragments the picture is written as it is; the rectangles are written over that.
    OitResolve rest{.view = view, .tiles = TileChoice::all, .target = color};
    OitCapture nothing{.scene = scene, .view = view};
    nothing.nothing = true;
    nothing.pool.capacity = 0;
    rest.lists = graph.add(nothing, "nothing").lists;
    color = graph.add(rest, "picture").color;

    const PixelRectangle whole{.origin = glm::uvec2(0), .size = size};
    const PixelRectangle touched = area == TiledArea::bounds && scene.bounds_hold
                                       ? blended_bounds(*scene.data, view.view_projection, size)
                                       : whole;
    const std::vector<PixelRectangle> tiles = tiles_of(*this, touched);
    if (tiles.size() > kMaxTiles) {
        graph.error("oit/too-many-tiles",
                    fmt::format("there are {} rectangles, more than {}", tiles.size(), kMaxTiles),
                    "increase \"tile\"");
        return;
    }
    if (tiles.empty()) return;
    FragmentPool shared = pool;
    const auto room =
        pool_capacity(graph, pool, FragmentLayout::linked, tile, graph.desc(view.depth).samples);
    if (!room) return;
    shared.capacity = *room;
    FragmentLists lists;
    lists.status = graph.fill(array(graph, "status", tiles.size() * (OitTiledStatus::kStride / 4)),
                              0, "clear_statuses");
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        graph.push_scope(fmt::format("tile[{}]", i));
        OitCapture capture{.scene = scene, .view = view, .pool = shared, .modes = modes};
        capture.area = tiles[i];
        capture.reuse = lists;
        capture.largest = tile;
        capture.status = BufferView(lists.status, i * OitTiledStatus::kStride, sizeof(OitStatus));
        lists = graph.add(capture).lists;
        color = graph
                    .add(OitResolve{
                        .lists = lists, .view = view, .tiles = TileChoice::all, .target = color})
                    .color;
        graph.pop_scope();
    }
    graph.status<OitTiledStatus>(lists.status);
}

TUFF_PASS(OitTiled)

} // namespace tuff::passes
