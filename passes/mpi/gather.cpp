#include "passes/mpi/gather.hpp"

#include "passes/mpi/boxes.hpp"
#include "passes/mpi/field.hpp"
#include "passes/mpi/messages.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kRoot = 0; ///< the rank that has the whole

/// The cells of a rank, in the image of the whole field.
TexelBox box_in_whole(const Field& field, const Ranks& ranks, std::uint32_t rank) {
    const auto part = ranks.part(field.cells, rank);
    TexelBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        box.corner[axis] = part[axis].first;
        box.size[axis] = part[axis].count;
    }
    return box;
}

/// The same cells, in that rank's own image.
TexelBox box_in_part(const Field& field, const Ranks& ranks, std::uint32_t rank) {
    return {.corner = field.halo, .size = box_in_whole(field, ranks, rank).size};
}

/// The parts of all ranks but the root, in the image of the whole, and as messages.
struct OtherParts {
    std::vector<TexelBox> boxes;
    std::vector<RankBytes> messages;
    std::uint64_t bytes = 0;
};
OtherParts other_parts(const Field& field, const Ranks& ranks, std::uint64_t texel_bytes) {
    OtherParts parts;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        if (rank == kRoot) continue;
        const TexelBox box = box_in_whole(field, ranks, rank);
        const std::uint64_t size =
            std::uint64_t{box.size[0]} * box.size[1] * box.size[2] * texel_bytes;
        parts.boxes.push_back(box);
        parts.messages.push_back({.rank = rank, .offset = parts.bytes, .size = size});
        parts.bytes += size;
    }
    return parts;
}

Image image_of(Graph& graph, std::string_view name, Image like, const Cells& size) {
    const ImageDesc desc = graph.desc(like);
    return graph.image(
        name, {.format = desc.format, .extent = {size[0], size[1], size[2]}, .shape = desc.shape});
}

/// Each cell of the field is read, packed, unpacked and written.
Cost cost_of_cells(const Graph& graph, Image image, glm::ivec3 cells) {
    if (!image) return {};
    return {.bytes = static_cast<double>(cells.x) * cells.y * cells.z * 2.0 *
                     (tuff::info(graph.desc(image).format).texel_bytes +
                      static_cast<double>(packed_cell_bytes(graph, image)))};
}

/// The root's own part, from one of its images to the other.
Image move_own(Graph& graph, Image from, const TexelBox& source, Image to, const TexelBox& target) {
    const Buffer texels = pack_boxes(graph, "pack_own", from, std::span(&source, 1));
    return unpack_boxes(graph, "unpack_own", texels, to, std::span(&target, 1));
}

} // namespace

void GatherParts::describe(PassInfo<GatherParts>& info) {
    info.summary("Puts the parts of all ranks together, as one image on rank 0")
        .details("The opposite of mpi/scatter. The halos of the parts are left out. On other ranks "
                 "than 0 the result has the same size and is zero.")
        .complexity("O(cells)")
        .cost([](const GatherParts& pass, const Graph& graph) {
            return cost_of_cells(graph, pass.source, pass.cells);
        });
    info.input("source", &GatherParts::source, "the rank's part of the field, with its halo")
        .picture_or_volume();
    describe_field(info, &GatherParts::cells, &GatherParts::halo, 0);
    info.output("result", &GatherParts::result, "the whole field, of the source's format");
}

void GatherParts::build(Graph& graph) {
    const Field field = field_of(graph, source, cells, halo);
    if (!is_part_of(graph, source, field)) return;
    const Ranks ranks = graph.ranks();
    const std::uint64_t texel_bytes = packed_cell_bytes(graph, source);
    const TexelBox own = box_in_part(field, ranks, ranks.rank);
    const OtherParts others = other_parts(field, ranks, texel_bytes);
    Image whole = image_of(graph, "whole", source, field.cells);
    if (ranks.rank != kRoot) {
        const Buffer sent = pack_boxes(graph, "pack", source, std::span(&own, 1));
        const std::uint64_t size = graph.desc(sent).size;
        exchange_messages(graph, "send", {.sends = {{kRoot, 0, size}}, .receives = {}}, sent, {});
        result = graph.clear(whole, std::array<float, 4>{}, "clear");
        return;
    }
    whole = move_own(graph, source, own, whole, box_in_whole(field, ranks, kRoot));
    if (ranks.size() > 1) {
        const Buffer received = exchange_messages(
            graph, "receive", {.sends = {}, .receives = others.messages}, BufferView(),
            graph.buffer("received", {.size = others.bytes, .stride = 4}));
        whole = unpack_boxes(graph, "unpack", received, whole, others.boxes);
    }
    result = whole;
}

void ScatterParts::describe(PassInfo<ScatterParts>& info) {
    info.summary("Gives each rank its part of an image of rank 0")
        .details("The opposite of mpi/gather. The image of rank 0 counts; those of the other ranks "
                 "have its size, and their contents do not matter. The halo of the result is zero: "
                 "mpi/exchange fills it.")
        .complexity("O(cells)")
        .cost([](const ScatterParts& pass, const Graph& graph) {
            return cost_of_cells(graph, pass.source, pass.cells);
        });
    info.input("source", &ScatterParts::source, "the whole field").picture_or_volume();
    describe_field(info, &ScatterParts::cells, &ScatterParts::halo, 0);
    info.output("result", &ScatterParts::result,
                "the rank's part, with room for the halo, of the source's format");
}

void ScatterParts::build(Graph& graph) {
    const Field field = field_of(graph, source, cells, halo);
    if (!is_whole(graph, source, field)) return;
    const Ranks ranks = graph.ranks();
    const std::uint64_t texel_bytes = packed_cell_bytes(graph, source);
    const TexelBox own = box_in_part(field, ranks, ranks.rank);
    const OtherParts others = other_parts(field, ranks, texel_bytes);
    Image part = image_of(graph, "part", source, texels_of(field, ranks, ranks.rank));
    part = graph.clear(part, std::array<float, 4>{}, "clear");
    if (ranks.rank != kRoot) {
        const std::uint64_t size =
            std::uint64_t{own.size[0]} * own.size[1] * own.size[2] * texel_bytes;
        const Buffer received =
            exchange_messages(graph, "receive", {.sends = {}, .receives = {{kRoot, 0, size}}},
                              BufferView(), graph.buffer("received", {.size = size, .stride = 4}));
        result = unpack_boxes(graph, "unpack", received, part, std::span(&own, 1));
        return;
    }
    if (ranks.size() > 1)
        exchange_messages(graph, "send", {.sends = others.messages, .receives = {}},
                          pack_boxes(graph, "pack", source, others.boxes), {});
    result = move_own(graph, source, box_in_whole(field, ranks, kRoot), part, own);
}

TUFF_PASS(GatherParts)
TUFF_PASS(ScatterParts)

} // namespace tuff::passes
