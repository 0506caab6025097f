#include "passes/voxel/voxelize.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/picture.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxFrameGroups = 512;
// Words of the buffer `parts`, as in shaders/voxel/parts.glsl, and of a part in `part_list`.
constexpr std::uint32_t kPartCounters = 8;
constexpr std::uint32_t kWholeCount = 4;
constexpr std::uint32_t kPartsNeeded = 5;
constexpr std::uint32_t kPartWords = 2;

bool holds_words(Graph& graph, Buffer buffer, std::uint64_t words, std::string_view port) {
    const std::uint64_t room = graph.desc(buffer).size / 4;
    if (room >= words) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" holds {} words, but {} are needed", port, room, words));
    return false;
}

bool is_valid_mesh(Graph& graph, const TriangleMesh& mesh) {
    return holds_words(graph, mesh.positions, std::max(3 * std::uint64_t{mesh.vertex_count}, 1ul),
                       "mesh.positions") &&
           holds_words(graph, mesh.indices, std::max(3 * std::uint64_t{mesh.triangle_count}, 1ul),
                       "mesh.indices");
}

void report_too_large(Graph& graph, glm::uvec3 dims, std::uint64_t bytes, std::uint64_t most) {
    graph.error("voxel/grid-too-large",
                fmt::format("a grid of {} x {} x {} voxels takes {} bytes at a time, but kernels "
                            "can bind at most {}",
                            dims.x, dims.y, dims.z, bytes, most),
                "voxelize parts of the box one after the other, or use fewer voxels");
}

bool is_valid(Graph& graph, glm::uvec3 dims, BySlabs by_slabs) {
    for (int axis = 0; axis < 3; ++axis)
        if (!in_range(graph, "grid.dims", dims[axis], 1, kMaxVoxelsPerAxis)) return false;
    VoxelGrid grid;
    grid.dims = dims;
    const std::uint64_t bytes = 4 * grid.word_count();
    const std::uint64_t most = graph.target().max_storage_buffer_bytes;
    if (by_slabs == BySlabs::yes || bytes <= most) return true;
    report_too_large(graph, dims, bytes, most);
    return false;
}

bool is_valid(Graph& graph, const VoxelGridParameters& parameters) {
    if (parameters.bounds == VoxelBounds::mesh) return true;
    for (int axis = 0; axis < 3; ++axis) {
        const float low = parameters.low[axis];
        const float high = parameters.high[axis];
        if (high > low) continue;
        graph.error("pass/out-of-range", fmt::format("the grid reaches from {} to {} along axis {}",
                                                     low, high, "xyz"[axis]));
        return false;
    }
    return true;
}

Buffer new_frame(Graph& graph) {
    return graph.buffer("frame", {.size = 48, .stride = 16});
}

Buffer given_frame(Graph& graph, const VoxelGridParameters& parameters) {
    ComputeNodeBuilder node = graph.compute("voxel/given_frame", "frame");
    const glm::vec3 size = parameters.high - parameters.low;
    const glm::vec3 dims(parameters.dims);
    node.set("corner", parameters.low);
    node.set("voxels_per_unit", dims / size);
    node.set("voxel", size / dims);
    const Buffer frame = node.write("frame", new_frame(graph));
    node.dispatch(1);
    return frame;
}

Buffer mesh_frame(Graph& graph, const TriangleMesh& mesh, glm::uvec3 dims) {
    const Buffer none = graph.fill(graph.buffer("bounds", {.size = 32}), ~0u, "no_bounds");
    ComputeNodeBuilder node = graph.compute("voxel/mesh_frame", "frame");
    const std::uint32_t groups =
        std::clamp(div_round_up(mesh.vertex_count, node.group_size()[0]), 1u, kMaxFrameGroups);
    node.set("dims", dims);
    node.set("vertices", mesh.vertex_count);
    node.set("groups", groups);
    node.read("positions", mesh.positions);
    (void)node.write("bounds", none);
    const Buffer frame = node.write("frame", new_frame(graph));
    node.dispatch(groups);
    return frame;
}

} // namespace

Buffer zeros(Graph& graph, std::string_view name, std::uint64_t words) {
    return graph.fill(graph.buffer(name, {.size = 4 * words, .stride = 4}), 0,
                      fmt::format("clear_{}", name));
}

std::optional<VoxelGrid> begin_grid(Graph& graph, const TriangleMesh& mesh,
                                    const VoxelGridParameters& parameters,
                                    const VoxelGrid& frame_of, BySlabs by_slabs) {
    const glm::uvec3 dims = frame_of ? frame_of.dims : parameters.dims;
    if (!is_valid_mesh(graph, mesh) || !is_valid(graph, dims, by_slabs) ||
        !is_valid(graph, parameters))
        return {};
    VoxelGrid grid;
    grid.frame = frame_of.frame;
    grid.dims = dims;
    if (!frame_of)
        grid.frame = parameters.bounds == VoxelBounds::given ? given_frame(graph, parameters)
                                                             : mesh_frame(graph, mesh, dims);
    grid.words = zeros(graph, "voxels", grid.word_count());
    grid.status = zeros(graph, "status", kVoxelStatusWords);
    return grid;
}

bool is_valid(Graph& graph, const VoxelGrid& grid) {
    return is_valid(graph, grid.dims, BySlabs::no);
}

VoxelPartsStatus VoxelPartsStatus::read(std::span<const std::uint32_t> words) {
    VoxelPartsStatus status;
    if (words.size() < kPartCounters) return status;
    status.whole = words[kWholeCount];
    status.needed = words[kPartsNeeded] | std::uint64_t{words[kPartsNeeded + 1]} << 32;
    return status;
}

Diagnostics VoxelPartsStatus::warnings() const {
    if (whole == 0) return {};
    return {warning(
        "voxel/few-parts",
        fmt::format("{} large triangles had no room in the list of parts: the result is right, but "
                    "slow",
                    whole),
        fmt::format("set \"parts\" to {}; over several frames the list grows", needed))};
}

std::vector<PoolNeed> VoxelPartsStatus::pool_needs() const {
    if (whole == 0) return {};
    return {{"parts", needed}};
}

LargeTriangles write_large(Graph& graph, ComputeNodeBuilder& node, const TriangleMesh& mesh,
                           std::uint32_t parts) {
    const std::uint64_t triangles = std::max(mesh.triangle_count, 1u);
    const std::uint64_t words = graph.target().max_storage_buffer_bytes / 4;
    // A buffer holds these, and all triangles behind them.
    const std::uint64_t most = words > triangles ? (words - triangles) / kPartWords : 0;
    const std::uint64_t grown = graph.pool("parts", parts, 4 * kPartWords);
    const auto room = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(parts, std::min({grown, most, std::uint64_t{kMaxVoxelParts}})));
    const std::uint64_t size = 4 * (kPartWords * room + triangles);
    node.set("room", room);
    return {.counts = node.write("parts", zeros(graph, "parts", kPartCounters)),
            .list = node.write("part_list", graph.buffer("part_list", {.size = size})),
            .room = room};
}

void take_large(Graph& graph, ComputeNodeBuilder& node, const LargeTriangles& large) {
    node.set("room", large.room);
    node.read("parts", large.counts);
    node.read("part_list", large.list);
    node.dispatch_indirect(large.counts);
    graph.status<VoxelPartsStatus>(large.counts);
}

void bind_mesh(KernelNode& node, const TriangleMesh& mesh, Buffer frame) {
    node.read("positions", mesh.positions);
    node.read("indices", mesh.indices);
    node.read("frame", frame);
    node.set("vertices", mesh.vertex_count);
}

std::vector<VoxelGrid> slabs_of(Graph& graph, const VoxelGrid& grid, std::uint32_t slab_bytes,
                                SliceRoom room) {
    const DeviceCaps& target = graph.target();
    const std::uint64_t most =
        std::min(target.max_storage_buffer_bytes,
                 slab_bytes == 0 ? target.max_storage_buffer_bytes : std::uint64_t{slab_bytes});
    if (room.bytes * (std::uint64_t{grid.dims.y} + room.more) <= most) return {grid};
    // Slabs begin where kernels may bind a part of a buffer.
    const std::uint64_t slice = grid.dims.x * grid.row_bytes();
    const std::uint64_t alignment = std::max(target.storage_offset_alignment, 4u);
    const std::uint64_t step = alignment / std::gcd(alignment, slice);
    const std::uint64_t fit = most / room.bytes;
    const std::uint64_t slices = fit > room.more ? (fit - room.more) / step * step : 0;
    if (slices == 0) {
        report_too_large(graph, grid.dims, room.bytes * (step + room.more), most);
        return {};
    }
    std::vector<VoxelGrid> slabs;
    for (std::uint64_t first = 0; first < grid.dims.y; first += slices) {
        VoxelGrid slab = grid;
        slab.is_slab = true;
        slab.dims.y = static_cast<std::uint32_t>(std::min(slices, grid.dims.y - first));
        slab.first_byte = first * slice;
        ComputeNodeBuilder node = graph.compute("voxel/slab_frame", "slab");
        node.set("first", static_cast<std::uint32_t>(first));
        node.read("grid", grid.frame);
        slab.frame = node.write("frame", new_frame(graph));
        node.dispatch(1);
        if (first > 0) slab.status = zeros(graph, "unused", kVoxelStatusWords);
        slabs.push_back(slab);
    }
    return slabs;
}

namespace {

Buffer count_words(Graph& graph, const VoxelGrid& grid, BufferView words, std::uint64_t count) {
    ComputeNodeBuilder node = graph.compute("voxel/count");
    node.read("words", words);
    node.set("count", static_cast<std::uint32_t>(count));
    const Buffer status = node.accumulate("status", grid.status);
    constexpr std::uint64_t kWordsEach = 16; // of an invocation, as in voxel/count
    node.dispatch_each(static_cast<std::uint32_t>(div_round_up(count, kWordsEach)));
    return status;
}

} // namespace

VoxelGrid counted(Graph& graph, VoxelGrid grid) {
    const std::uint64_t most = graph.target().max_storage_buffer_bytes / 4;
    const std::uint64_t all = grid.word_count();
    if (all <= most) {
        grid.status = count_words(graph, grid, grid.words, all);
        return grid;
    }
    // Words; a kernel may begin at any of these.
    const std::uint64_t unit = std::max(graph.target().storage_offset_alignment / 4, 1u);
    const std::uint64_t step = most / unit * unit;
    for (std::uint64_t first = 0; first < all; first += step) {
        const std::uint64_t count = std::min(step, all - first);
        grid.status = count_words(graph, grid, BufferView(grid.words, 4 * first, 4 * count), count);
    }
    return grid;
}

} // namespace tuff::passes
