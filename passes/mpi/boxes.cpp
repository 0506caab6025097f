#include "passes/mpi/boxes.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/mpi/divisor.hpp"

#include <array>
#include <string>

namespace tuff::passes {
namespace {

std::uint32_t channels_of(const Graph& graph, Image image) {
    return tuff::info(graph.desc(image).format).channels;
}

/// What the kernels for images have in common.
void set_table(ComputeNodeBuilder& node, const BoxTable& table, std::uint32_t channels) {
    node.read("boxes", table.boxes);
    node.set("boxes", table.count);
    node.set("texels", table.texels);
    node.set("channels", channels);
    node.dispatch_each(table.texels);
}

/// How a box of words lies in a buffer.
struct RowsAt {
    std::uint32_t first = 0; ///< word
    std::uint32_t row = 0;   ///< words from one row to the next
    std::uint32_t slice = 0;
};

/// Boxes in an array, or one after the other, and the words up to their end.
struct Places {
    std::vector<RowsAt> boxes;
    std::uint32_t words = 0;
};

Places places_in(const CellArray& array, std::span<const TexelBox> boxes) {
    Places places;
    const std::uint32_t row = array.words * array.size[0];
    const std::uint32_t slice = row * array.size[1];
    for (const auto& [corner, size] : boxes)
        places.boxes.push_back(
            {array.words * corner[0] + row * corner[1] + slice * corner[2], row, slice});
    return places;
}

Places packed_places(std::uint32_t words, std::span<const TexelBox> boxes) {
    Places places;
    for (const auto& [corner, size] : boxes) {
        const std::uint32_t row = words * size[0];
        places.boxes.push_back({places.words, row, row * size[1]});
        places.words += row * size[1] * size[2];
    }
    return places;
}

/// A box of words that is copied: as Rows of mpi/copy_array.
struct Rows {
    std::array<std::uint32_t, 4> size{}; ///< words of a row, rows of a slice, slices
    std::array<std::uint32_t, 4> from{}; ///< RowsAt
    std::array<std::uint32_t, 4> to{};
    std::array<std::uint32_t, 4> divisors{};

    Rows(const Cells& cells, std::uint32_t words, const RowsAt& source, const RowsAt& result)
        : size{words * cells[0], cells[1], cells[2]}, from{source.first, source.row, source.slice},
          to{result.first, result.row, result.slice} {
        join_rows();
        join_rows();
    }
    std::uint32_t count() const { return size[0] * size[1] * size[2]; }
    /// So many words or fewer divide all places.
    std::uint32_t unit(std::uint32_t most) const {
        std::uint32_t bits = most | size[0] | from[0] | to[0];
        if (size[1] > 1) bits |= from[1] | to[1];
        if (size[2] > 1) bits |= from[2] | to[2];
        return bits & (0 - bits);
    }
    /// Counted in units.
    Rows in_units(std::uint32_t unit, std::uint32_t before) const {
        Rows rows = *this;
        rows.size[0] /= unit;
        rows.size[2] = before;
        for (std::size_t i = 0; i < 3; ++i) {
            rows.from[i] /= unit;
            rows.to[i] /= unit;
        }
        const Divisor row(rows.size[0]), slice(rows.size[1]);
        rows.divisors = {row.factor, row.shift, slice.factor, slice.shift};
        return rows;
    }

  private:
    /// Makes one row of those of a slice if they follow each other in both buffers.
    void join_rows() {
        const bool follow = from[1] == size[0] && to[1] == size[0];
        if (!follow && size[1] > 1) return;
        size = {size[0] * size[1], size[2], 1};
        from = {from[0], from[2]};
        to = {to[0], to[2]};
    }
};

struct BufferPlaces {
    Buffer buffer;
    Places places;
};

Buffer copy_rows(Graph& graph, std::string_view name, std::span<const TexelBox> boxes,
                 std::uint32_t words, const BufferPlaces& from, const BufferPlaces& to) {
    constexpr std::uint32_t kMostWords = 4;
    std::vector<Rows> all;
    std::uint32_t unit = kMostWords;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        all.emplace_back(boxes[i].size, words, from.places.boxes[i], to.places.boxes[i]);
        unit = all.back().unit(unit);
    }
    std::uint32_t units = 0;
    for (Rows& rows : all) {
        const std::uint32_t count = rows.count() / unit;
        rows = rows.in_units(unit, units);
        units += count;
    }
    ComputeNodeBuilder node = graph.compute("mpi/copy_array", {{"UNIT", unit}}, name);
    node.read("boxes", constant_array(graph, std::string(name) + "_boxes", all));
    node.read("source", from.buffer);
    const Buffer result = node.write("result", to.buffer);
    node.set("boxes", static_cast<std::uint32_t>(all.size()));
    node.set("units", units);
    node.dispatch_each(units);
    return result;
}

bool is_volume(const Graph& graph, Image image) {
    return graph.desc(image).shape == ImageShape::d3;
}

} // namespace

BoxTable box_table(Graph& graph, std::string_view name, std::span<const TexelBox> boxes) {
    BoxTable table{.count = static_cast<std::uint32_t>(boxes.size())};
    std::vector<std::array<std::uint32_t, 12>> words; // as Box of boxes.glsl
    for (const auto& [corner, size] : boxes) {
        const Divisor row(size[0]), slice(size[1]);
        words.push_back({size[0], size[1], size[2], table.texels, corner[0], corner[1], corner[2],
                         0, row.factor, row.shift, slice.factor, slice.shift});
        table.texels += size[0] * size[1] * size[2];
    }
    table.boxes = constant_array(graph, name, words);
    return table;
}

std::uint64_t packed_cell_bytes(const Graph& graph, Image image) {
    return std::uint64_t{4} * channels_of(graph, image);
}

Buffer pack_boxes(Graph& graph, std::string_view name, Image source,
                  std::span<const TexelBox> boxes) {
    if (boxes.empty()) return {};
    const BoxTable table = box_table(graph, std::string(name) + "_boxes", boxes);
    ComputeNodeBuilder node =
        graph.compute("mpi/pack", {{"VOLUME", is_volume(graph, source)}}, name);
    node.read("source", ImageView(source).mip(0), Sampler::nearest());
    const Buffer result = node.write(
        "texels",
        graph.buffer(std::string(name) + "_texels",
                     {.size = table.texels * packed_cell_bytes(graph, source), .stride = 4}));
    set_table(node, table, channels_of(graph, source));
    return result;
}

Image unpack_boxes(Graph& graph, std::string_view name, Buffer packed, Image target,
                   std::span<const TexelBox> boxes) {
    if (boxes.empty()) return target;
    const BoxTable table = box_table(graph, std::string(name) + "_boxes", boxes);
    const std::uint32_t channels = channels_of(graph, target);
    ComputeNodeBuilder node =
        graph.compute("mpi/unpack", {{"VOLUME", is_volume(graph, target)}}, name);
    node.read("texels", packed);
    const Image result = node.write("result", ImageView(target).mip(0));
    set_table(node, table, channels);
    return result;
}

Buffer pack_boxes(Graph& graph, std::string_view name, const CellArray& source,
                  std::span<const TexelBox> boxes) {
    if (boxes.empty()) return {};
    const Places to = packed_places(source.words, boxes);
    const Buffer packed = graph.buffer(std::string(name) + "_cells",
                                       {.size = std::uint64_t{4} * to.words, .stride = 4});
    return copy_rows(graph, name, boxes, source.words, {source.buffer, places_in(source, boxes)},
                     {packed, to});
}

CellArray unpack_boxes(Graph& graph, std::string_view name, Buffer packed, const CellArray& target,
                       std::span<const TexelBox> boxes) {
    if (boxes.empty()) return target;
    CellArray result = target;
    result.buffer =
        copy_rows(graph, name, boxes, target.words, {packed, packed_places(target.words, boxes)},
                  {target.buffer, places_in(target, boxes)});
    return result;
}

CellArray copy_boxes(Graph& graph, std::string_view name, const CellArray& source,
                     std::span<const TexelBox> from, const CellArray& target,
                     std::span<const TexelBox> to) {
    if (from.empty()) return target;
    CellArray result = target;
    result.buffer =
        copy_rows(graph, name, from, source.words, {source.buffer, places_in(source, from)},
                  {target.buffer, places_in(target, to)});
    return result;
}

} // namespace tuff::passes
