#include "passes/primitives/summed_area_table.hpp"

#include "passes/common/constant_bytes.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/image_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxReads = 16;
constexpr float kMaxLevels = 65535.0f;
constexpr int kTileGroup = 256;           // invocations for a tile
constexpr std::uint32_t kCarryGroup = 64; // invocations of the kernels that take a line each

Buffer zero_mean(Graph& graph) {
    return graph.constant_buffer("zero", {.size = 16, .stride = kWordBytes},
                                 constant_bytes<16, 0>());
}

/// One table in the making.
class Builder {
  public:
    Builder(Graph& graph, const SummedAreaTable& pass) : graph_(graph), pass_(pass) {
        const ImageDesc& source = graph.desc(pass.source);
        size_ = {source.extent.width, source.extent.height, source.extent.depth};
        volume_ = source.shape == ImageShape::d3;
        integers_ = pass.precision == SumPrecision::integers;
        one_channel_ = !integers_ && info(source.format).channels == 1;
        offset_ =
            pass.precision == SumPrecision::offset || pass.precision == SumPrecision::offset_centre;
        centred_ =
            pass.precision == SumPrecision::centre || pass.precision == SumPrecision::offset_centre;
        if (centred_) origin_ = size_ / 2;
        if (!volume_) origin_.z = 0;
    }

    SummedArea run() {
        mean_ = offset_ ? graph_.add(ImageMean{.source = pass_.source}).result : zero_mean(graph_);
        const bool in_tiles = !volume_ && pass_.form == SummedAreaForm::automatic;
        Image sums;
        if (in_tiles)
            sums = add_tiles();
        else
            sums = pass_.form == SummedAreaForm::doubling ? add_doubling() : add_lines();
        return {.sums = sums,
                .mean = mean_,
                .origin = origin_,
                .levels = integers_ ? pass_.levels : 1.0f,
                .integers = integers_};
    }

  private:
    /// The shader for what is summed: "name", "name_3d", "name_uint" or "name_3d_uint".
    ShaderVariant variant() const { return {{"VOLUME", volume_}, {"INTEGERS", integers_}}; }

    Image new_image(std::string_view name) {
        const Format format = integers_      ? Format::rgba32_uint
                              : one_channel_ ? Format::r32_sfloat
                                             : Format::rgba32_sfloat;
        return graph_.image(name, {.format = format,
                                   .extent = graph_.extent(pass_.source),
                                   .shape = graph_.desc(pass_.source).shape});
    }

    // --- tile by tile -------------------------------------------------------------------------

    std::uint32_t words() const { return one_channel_ ? 1 : 4; }
    std::uint32_t quadrants() const { return centred_ ? 4 : 1; }
    /// Of the largest quadrant.
    glm::ivec2 quadrant_extent() const { return glm::ivec2(size_ - origin_); }
    /// As in summed_area_tile.glsl: strips side by side, and one above the other.
    glm::ivec2 tile_extent() const {
        const int width = std::clamp(static_cast<int>(graph_.target().subgroup_size),
                                     one_channel_ ? 64 : 32, kTileGroup);
        return {width, kTileGroup / width * (one_channel_ ? 16 : 4)};
    }
    glm::ivec2 tile_count() const {
        return (quadrant_extent() + tile_extent() - 1) / tile_extent();
    }

    ComputeNodeBuilder tile_node(std::string_view step) {
        ComputeNodeBuilder node = graph_.compute(
            fmt::format("primitives/summed_area_{}", step),
            {{"ONE_CHANNEL", one_channel_ && !integers_}, {"INTEGERS", integers_}}, step);
        node.read("source", ImageView(pass_.source).mip(0), Sampler::nearest());
        if (!integers_) node.read("mean", mean_);
        node.specialize("tile_width", tile_extent().x);
        node.set("origin", glm::ivec2(origin_));
        node.set("tiles", tile_count());
        node.set("extent", quadrant_extent());
        if (integers_) node.set("levels", pass_.levels);
        node.dispatch(static_cast<std::uint32_t>(tile_count().x),
                      static_cast<std::uint32_t>(tile_count().y), quadrants());
        return node;
    }

    Buffer new_carries(std::string_view name, int tiles, int line) {
        const std::uint64_t values = std::uint64_t{quadrants()} *
                                     static_cast<std::uint64_t>(tiles) *
                                     static_cast<std::uint64_t>(line);
        return graph_.buffer(name, {.size = values * words() * kWordBytes, .stride = kWordBytes});
    }

    Buffer add_carries(Buffer sums, std::string_view name, int tiles, int line) {
        ComputeNodeBuilder node = graph_.compute("primitives/summed_area_carries", name);
        node.specialize("integers", std::uint32_t(integers_));
        const std::uint32_t length = static_cast<std::uint32_t>(line) * words();
        node.set("line", length);
        node.set("tiles", static_cast<std::uint32_t>(tiles));
        const Buffer carries = node.write("carries", sums);
        node.dispatch(div_round_up(length, kCarryGroup), quadrants());
        return carries;
    }

    Image add_tiles() {
        const glm::ivec2 tiles = tile_count();
        const glm::ivec2 extent = quadrant_extent();
        ComputeNodeBuilder sums = tile_node("sums");
        Buffer rows = sums.write("row_sums", new_carries("row_carries", tiles.x, extent.y));
        Buffer columns =
            sums.write("column_sums", new_carries("column_carries", tiles.y, extent.x));
        rows = add_carries(rows, "carry_right", tiles.x, extent.y);
        columns = add_carries(columns, "carry_down", tiles.y, extent.x);

        ComputeNodeBuilder along = graph_.compute("primitives/summed_area_rows", "rows");
        along.specialize("integers", std::uint32_t(integers_));
        along.set("line", static_cast<std::uint32_t>(extent.x));
        along.set("channels", words());
        columns = along.write("carries", columns);
        along.dispatch(quadrants() * static_cast<std::uint32_t>(tiles.y), words());

        ComputeNodeBuilder scan = tile_node("scan");
        scan.read("row_carries", rows);
        scan.read("column_carries", columns);
        return scan.write("sums", new_image("sums"));
    }

    // --- volumes, line by line ----------------------------------------------------------------

    /// The texels as they are summed.
    Image add_prepared() {
        ComputeNodeBuilder node =
            graph_.compute("primitives/summed_area_prepare", variant(), "prepare");
        node.read("source", ImageView(pass_.source).mip(0), Sampler::nearest());
        if (integers_)
            node.set("levels", pass_.levels);
        else
            node.read("mean", mean_);
        const Image result = node.write("result", new_image("prepared"));
        node.dispatch_over(graph_.extent(pass_.source));
        return result;
    }

    Image first_values() { return integers_ || offset_ ? add_prepared() : pass_.source; }

    Image add_lines() {
        Image sums = first_values();
        for (int axis = 0; axis < 3; ++axis) {
            const int across = axis == 0 ? 1 : 0; // as in summed_area_lines.glsl
            const int down = axis == 2 ? 1 : 2;
            ComputeNodeBuilder node = graph_.compute("primitives/summed_area_lines", variant(),
                                                     fmt::format("lines[{}]", axis));
            node.read("source", ImageView(sums).mip(0), Sampler::nearest());
            node.set("axis", axis);
            node.set("origin", origin_[axis]);
            sums = node.write("result", new_image("sums"));
            node.dispatch(div_round_up(static_cast<std::uint32_t>(size_[across]), kCarryGroup),
                          static_cast<std::uint32_t>(size_[down]), centred_ ? 2 : 1);
        }
        return sums;
    }

    // --- the lecture's form -------------------------------------------------------------------

    Image add_doubling() {
        Image sums = first_values();
        for (int axis = 0; axis < (volume_ ? 3 : 2); ++axis) {
            const int line = size_[axis] - origin_[axis]; // the longer side
            for (int stride = 1; stride < line; stride *= static_cast<int>(pass_.reads)) {
                ComputeNodeBuilder node =
                    graph_.compute("primitives/summed_area_doubling", variant(),
                                   fmt::format("axis{}_by{}", axis, stride));
                node.read("source", ImageView(sums).mip(0), Sampler::nearest());
                node.set("axis", axis);
                node.set("origin", origin_[axis]);
                node.set("stride", stride);
                node.set("reads", static_cast<std::int32_t>(pass_.reads));
                sums = node.write("result", new_image("sums"));
                node.dispatch_over(graph_.extent(pass_.source));
            }
        }
        return sums == pass_.source ? add_prepared() : sums; // of one texel
    }

    Graph& graph_;
    const SummedAreaTable& pass_;
    glm::ivec3 size_{};
    glm::ivec3 origin_{0};
    Buffer mean_;
    bool volume_ = false;
    bool integers_ = false;
    bool one_channel_ = false;
    bool offset_ = false;
    bool centred_ = false;
};

} // namespace

void SummedAreaTable::describe(PassInfo<SummedAreaTable>& info) {
    info.summary("Computes the summed-area table of a picture or a volume")
        .details(
            "The table holds the sums over all boxes that start at the origin. With it, the sum "
            "over any box takes four lookups in a picture and eight in a volume, whatever its "
            "size: image/box_filter, image/depth_of_field and image/translucency use it.\n\nThe "
            "sums of a large picture are large, and a float keeps 24 bits of them. The sum over a "
            "small box is a difference of large sums, so it loses precision. \"precision\" chooses "
            "the remedy. \"offset\" subtracts the mean from all texels first, so sums grow far "
            "less; \"centre\" starts the sums from the middle of the picture, so each has a "
            "quarter as many texels; \"offset_centre\" does both. \"integers\" sums whole numbers "
            "modulo 2^32, where a texel of 1 counts as \"levels\". It is exact for 8-bit pictures "
            "as long as the sum over the box is below 2^32; texels are clamped to [0, 1].\n\n"
            "\"automatic\" reads a picture twice and writes the table once: it sums the rows and "
            "columns of tiles, scans these sums, then writes the table tile by tile. Volumes are "
            "summed along one axis after the other. \"doubling\" is the form of the lecture: each "
            "pass adds up \"reads\" texels of the pass before, at a distance that grows by that "
            "factor from pass to pass.\n\nNaN and infinities spoil all sums that contain them.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal; Crow, "
                "\"Summed-area tables for texture mapping\", SIGGRAPH 1984; Nehab et al., "
                "\"GPU-efficient recursive filtering and summed-area tables\", SIGGRAPH Asia 2011 "
                "(tiles)")
        .complexity("O(texels); doubling: O(texels * log(width + height))")
        .cost([](const SummedAreaTable& pass, const Graph& graph) -> Cost {
            if (!pass.source || !pass.table) return {};
            const Extent extent = graph.extent(pass.source);
            const double texels = static_cast<double>(extent.width) * extent.height * extent.depth;
            const auto bytes = [&](Image image) {
                return tuff::info(graph.desc(image).format).texel_bytes;
            };
            const double channels = tuff::info(graph.desc(pass.table.sums).format).channels;
            return {.bytes = texels * (bytes(pass.source) + bytes(pass.table.sums)),
                    .operations = 2.0 * channels * texels};
        });
    info.input("source", &SummedAreaTable::source, "a picture or volume").picture_or_volume();
    info.parameter("precision", &SummedAreaTable::precision, "how the sums keep their precision")
        .structural();
    info.parameter("form", &SummedAreaTable::form, "the algorithm; see the description")
        .structural();
    info.parameter("reads", &SummedAreaTable::reads, "texels that a doubling pass adds up")
        .range(2, kMaxReads)
        .structural();
    info.parameter("levels", &SummedAreaTable::levels, "\"integers\": what a texel of 1 counts as")
        .range(1, kMaxLevels);
    info.output("table", &SummedAreaTable::table,
                "the sums and the constants for lookups; its members are the images");
}

void SummedAreaTable::build(Graph& graph) {
    table = Builder(graph, *this).run();
}

TUFF_PASS(SummedAreaTable)

} // namespace tuff::passes
