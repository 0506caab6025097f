#include "passes/mpi/boxes.hpp"

#include "passes/common/constant_array.hpp"

#include <cstring>
#include <memory>

namespace tuff::passes {
namespace {

/// As Box of boxes.glsl.
struct BoxWords {
    std::uint32_t size[3];
    std::uint32_t before;
    std::uint32_t corner[3];
    std::uint32_t unused;
};

struct BoxTable {
    Buffer boxes;
    std::uint32_t count = 0;
    std::uint32_t texels = 0;
};

BoxTable table_of(Graph& graph, std::string_view name, std::span<const TexelBox> boxes) {
    BoxTable table{.count = static_cast<std::uint32_t>(boxes.size())};
    std::vector<BoxWords> words;
    for (const TexelBox& box : boxes) {
        words.push_back({{box.size[0], box.size[1], box.size[2]},
                         table.texels,
                         {box.corner[0], box.corner[1], box.corner[2]},
                         0});
        table.texels += box.size[0] * box.size[1] * box.size[2];
    }
    auto bytes = std::make_shared<std::vector<std::byte>>(words.size() * sizeof(BoxWords));
    std::memcpy(bytes->data(), words.data(), bytes->size());
    table.boxes = graph.constant_buffer(std::string(name) + "_boxes",
                                        {.size = bytes->size(), .stride = sizeof(BoxWords)}, bytes);
    return table;
}

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

/// And those for arrays, with an invocation a word.
void set_table(ComputeNodeBuilder& node, const BoxTable& table, const CellArray& array) {
    node.read("boxes", table.boxes);
    node.set("boxes", table.count);
    node.set("all_words", table.texels * array.words);
    node.set("words", array.words);
    node.set("width", array.size[0]);
    node.set("height", array.size[1]);
    node.dispatch_each(table.texels * array.words);
}

bool is_volume(const Graph& graph, Image image) {
    return graph.desc(image).shape == ImageShape::d3;
}

} // namespace

std::uint64_t packed_cell_bytes(const Graph& graph, Image image) {
    return std::uint64_t{4} * channels_of(graph, image);
}

Buffer pack_boxes(Graph& graph, std::string_view name, Image source,
                  std::span<const TexelBox> boxes) {
    if (boxes.empty()) return {};
    const BoxTable table = table_of(graph, name, boxes);
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
    const BoxTable table = table_of(graph, name, boxes);
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
    const BoxTable table = table_of(graph, name, boxes);
    ComputeNodeBuilder node = graph.compute("mpi/pack_array", name);
    node.read("source", source.buffer);
    const Buffer result = node.write(
        "packed",
        graph.buffer(std::string(name) + "_cells",
                     {.size = table.texels * packed_cell_bytes(graph, source), .stride = 4}));
    set_table(node, table, source);
    return result;
}

CellArray unpack_boxes(Graph& graph, std::string_view name, Buffer packed, const CellArray& target,
                       std::span<const TexelBox> boxes) {
    if (boxes.empty()) return target;
    const BoxTable table = table_of(graph, name, boxes);
    ComputeNodeBuilder node = graph.compute("mpi/unpack_array", name);
    node.read("packed", packed);
    CellArray result = target;
    result.buffer = node.write("result", target.buffer);
    set_table(node, table, target);
    return result;
}

CellArray copy_boxes(Graph& graph, std::string_view name, const CellArray& source,
                     std::span<const TexelBox> from, const CellArray& target,
                     std::span<const TexelBox> to) {
    if (from.empty()) return target;
    const BoxTable table = table_of(graph, name, from);
    std::vector<std::array<std::uint32_t, 4>> corners;
    for (const TexelBox& box : to)
        corners.push_back({box.corner[0], box.corner[1], box.corner[2], 0});
    ComputeNodeBuilder node = graph.compute("mpi/copy_array", name);
    node.read("source", source.buffer);
    node.read("corners", constant_array(graph, std::string(name) + "_corners", corners));
    CellArray result = target;
    result.buffer = node.write("result", target.buffer);
    set_table(node, table, source);
    node.set("result_width", target.size[0]);
    node.set("result_height", target.size[1]);
    return result;
}

} // namespace tuff::passes
