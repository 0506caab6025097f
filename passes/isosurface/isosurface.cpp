#include "passes/isosurface/isosurface.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/isosurface/cases.hpp"
#include "passes/primitives/compact.hpp"
#include "passes/primitives/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

constexpr glm::uvec3 kSurfaceBlock{32, 8, 4};     // points; as shaders/isosurface/block.glsl
constexpr std::uint32_t kStackedBlocks = 4;       // a group finds sides of; as sides.glsl
constexpr std::uint32_t kBlockWords = 32 * 8 * 4; // a word a point
constexpr std::uint32_t kMaxOfCell = 12;          // triangles; as expand_cells.comp
constexpr std::uint64_t kLeastTriangleRoom = 1u << 16;
constexpr std::uint64_t kLeastBlockRoom = 1u << 8;

enum class FieldKind : std::uint8_t { volume, values, voxels, bricks };

/// A field that has been checked.
struct Field {
    FieldKind kind = FieldKind::volume;
    SampledVolume volume;
    glm::uvec3 dims{0};
    glm::uvec3 points{0}; ///< the lattice: texels, and the shell about them
};

std::optional<Field> connected_field(Graph& graph, const IsosurfaceRequest& request) {
    const int connected =
        int(bool(request.field)) + int(bool(request.values)) + int(bool(request.voxels));
    if (connected != 1) {
        graph.error(
            "isosurface/no-field",
            fmt::format("{} of \"field\", \"values\" and \"voxels\" are connected", connected),
            "connect one: a volume, an array, or voxels");
        return std::nullopt;
    }
    if (request.bricks && !request.values) {
        graph.error("isosurface/no-field", "\"bricks\" are connected without \"values\"",
                    "connect the cells of their slots to \"values\"");
        return std::nullopt;
    }
    Field field;
    if (request.voxels) {
        field.kind = FieldKind::voxels;
        field.dims = request.voxels.dims;
    } else if (request.values) {
        const SparseShape& shape = request.bricks.shape;
        field.kind = request.bricks ? FieldKind::bricks : FieldKind::values;
        field.dims = request.bricks ? shape.dims : request.dims;
        const std::uint64_t texels = request.bricks ? shape.count()
                                                    : std::uint64_t{field.dims.x} * field.dims.y *
                                                          std::uint64_t{field.dims.z};
        if (request.number != VolumeNumber::length &&
            static_cast<std::uint32_t>(request.number) >= request.channels) {
            graph.error(
                "volume/no-such-number",
                fmt::format("parameter \"number\" asks for channel {} of \"values\" with {} "
                            "number(s) an element",
                            static_cast<int>(request.number), request.channels),
                "\"channels\" says how many there are, from \"red\" on");
            return std::nullopt;
        }
        if (texels == 0 || capacity(graph, request.values) / request.channels < texels) {
            graph.error("isosurface/bad-dims",
                        fmt::format("\"dims\" are {} x {} x {}, of \"values\" with {} numbers",
                                    field.dims.x, field.dims.y, field.dims.z,
                                    capacity(graph, request.values)),
                        "say how many elements lie along x, y and z, and in \"channels\" how many "
                        "numbers each has");
            return std::nullopt;
        }
    } else {
        const auto volume = sampled_volume(graph, request.field,
                                           {.number = request.number,
                                            .filter = VolumeFilter::nearest,
                                            .weights = {},
                                            .filtering = VolumeFiltering::before,
                                            .spacing = request.spacing});
        if (!volume) return std::nullopt;
        field.volume = *volume;
        field.dims = volume->dims;
    }
    return field;
}

bool is_mask(Graph& graph, const IsosurfaceRequest& request, glm::uvec3 dims) {
    if (!request.valid) return true;
    const ImageDesc& desc = graph.desc(request.valid);
    const Extent size = desc.extent;
    const bool fits =
        size.width + 1 >= dims.x && size.height + 1 >= dims.y && size.depth + 1 >= dims.z;
    if (desc.shape == ImageShape::d3 && info(desc.format).kind == NumericKind::uint && fits)
        return true;
    graph.error("isosurface/bad-mask",
                fmt::format("input \"valid\" has {} x {} x {} texels of {}", size.width,
                            size.height, size.depth, info(desc.format).name),
                "give a volume of unsigned whole numbers, one texel less along each side than the "
                "field, or as many");
    return false;
}

std::optional<Field> checked_field(Graph& graph, const IsosurfaceRequest& request) {
    auto field = connected_field(graph, request);
    if (!field) return std::nullopt;
    const glm::uvec3 dims = field->dims;
    const std::uint32_t least = std::min({dims.x, dims.y, dims.z});
    const std::uint32_t most = std::max({dims.x, dims.y, dims.z});
    if (least < (request.closed ? 1u : 2u) || most > kMaxIsosurfaceSide) {
        graph.error("isosurface/bad-size",
                    fmt::format("a field of {} x {} x {} texels has no cells, or too many", dims.x,
                                dims.y, dims.z),
                    fmt::format("a side has 2 to {} texels, or from 1 with \"closed\"",
                                kMaxIsosurfaceSide));
        return std::nullopt;
    }
    if (!is_mask(graph, request, dims)) return std::nullopt;
    field->points = dims + (request.closed ? 2u : 0u);
    return field;
}

std::uint32_t pool_room(const Graph& graph, std::string_view name, std::uint64_t wanted,
                        std::uint64_t most, std::uint64_t bytes) {
    const std::uint64_t fits = graph.target().max_storage_buffer_bytes / bytes;
    const std::uint64_t room =
        std::min({graph.pool(name, std::min(wanted, most), bytes), most, fits});
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(room, 1));
}

/// A search as it is built.
class IsosurfaceSearch {
  public:
    IsosurfaceSearch(Graph& graph, const IsosurfaceRequest& request, const IsosurfaceCut& cut,
                     const Field& field)
        : graph_(graph), request_(request), cut_(cut), field_(field), tables_(case_tables(graph)),
          grid_((field.points + kSurfaceBlock - 1u) / kSurfaceBlock) {
        const std::uint64_t x = field.points.x;
        const std::uint64_t y = field.points.y;
        const std::uint64_t z = field.points.z;
        points_ = x * y * z;
        // A surface as large as the field's six sides has one and a half triangles for each of
        // their texels; twice as much has room.
        std::uint64_t guess = std::max(kLeastTriangleRoom, 8 * (x * y + y * z + z * x));
        std::uint64_t blocks = std::max(kLeastBlockRoom, block_count() / 4);
        if (field.kind == FieldKind::bricks) {
            const SparseShape& shape = request.bricks.shape;
            const std::uint64_t side = std::max({shape.brick.x, shape.brick.y, shape.brick.z});
            guess = std::clamp(4 * side * side * shape.capacity, kLeastTriangleRoom, guess);
            blocks =
                std::clamp<std::uint64_t>(2 * shape.count() / kBlockWords, kLeastBlockRoom, blocks);
            find_bricks();
        }
        const std::uint64_t triangles =
            request.most_triangles > 0 ? static_cast<std::uint64_t>(request.most_triangles) : guess;
        const std::uint64_t most = std::min<std::uint64_t>(kMaxMeshTriangles, 12 * points_);
        triangle_room_ = pool_room(graph, "triangles", triangles, most, 12);
        if (cut.streams) {
            cell_room_ = pool_room(graph, "cells", triangles, points_, 4ull * kMaxOfCell);
            triangle_room_ = std::min<std::uint32_t>(
                triangle_room_,
                static_cast<std::uint32_t>(graph.target().max_storage_buffer_bytes / 36));
            vertex_room_ = 3 * triangle_room_;
            return;
        }
        vertex_room_ = pool_room(graph, "vertices", std::max<std::uint64_t>(triangles / 2, 64),
                                 4 * points_, 12);
        block_room_ = pool_room(graph, "blocks", blocks, block_count(), 4ull * kBlockWords);
    }

    IsosurfaceResult run() {
        status_ = graph_.fill(graph_.buffer("status", {.size = sizeof(IsosurfaceStatus),
                                                       .stride = sizeof(IsosurfaceStatus)}),
                              0, "clear");
        if (cut_.streams)
            find_by_streams();
        else
            find_by_blocks();
        finish();
        graph_.status<IsosurfaceStatus>(status_);
        result_.mesh.vertex_count = vertex_room_;
        result_.mesh.triangle_count = triangle_room_;
        result_.status = status_;
        return result_;
    }

  private:
    std::uint64_t block_count() const { return std::uint64_t{grid_.x} * grid_.y * grid_.z; }

    Buffer words(std::string_view name, std::uint64_t count) const {
        return array(graph_, name, count);
    }
    Buffer triples(std::string_view name, std::uint64_t count) const {
        return graph_.buffer(name, {.size = 12 * count, .stride = 4});
    }

    void find_bricks() {
        const auto bricks = static_cast<std::uint32_t>(request_.bricks.shape.bricks());
        ComputeNodeBuilder node = graph_.compute("isosurface/brick_bases");
        bind_map(node, request_.bricks);
        node.set("bricks", bricks);
        brick_bases_ = node.write("brick_bases", words("brick_bases", bricks));
        node.dispatch_each(bricks);
    }

    ComputeNodeBuilder field_node(std::string_view kernel, bool dual_variant = true) {
        ShaderVariant variant{{"FIELD", static_cast<std::uint32_t>(field_.kind)}};
        if (dual_variant)
            variant = {{"FIELD", static_cast<std::uint32_t>(field_.kind)},
                       {"DUAL", cut_.dual ? 1u : 0u}};
        ComputeNodeBuilder node = graph_.compute(kernel, variant);
        if (field_.kind == FieldKind::volume)
            bind_texels(node, field_.volume);
        else if (field_.kind != FieldKind::voxels)
            bind_values(node);
        else
            node.read("voxel_words", request_.voxels.words);
        if (field_.kind == FieldKind::bricks) {
            const glm::ivec3 brick(request_.bricks.shape.brick);
            node.specialize("kSlotX", brick.x);
            node.specialize("kSlotY", brick.y);
            node.specialize("kSlotZ", brick.z);
            node.read("brick_bases", brick_bases_);
        }
        if (field_.kind != FieldKind::volume) node.set("dims", glm::ivec3(field_.dims));
        node.set("shell", request_.closed ? 1 : 0);
        node.set("origin", request_.origin);
        node.set("iso", request_.iso);
        node.set("spacing", request_.spacing);
        node.set("upwards", request_.inside == SurfaceInside::above ? 1.0f : -1.0f);
        node.set("vertex_room", vertex_room_);
        node.set("triangle_room", triangle_room_);
        node.set("block_room", block_room_);
        node.set("cell_room", cell_room_);
        return node;
    }

    void bind_values(ComputeNodeBuilder& node) {
        node.read("field_values", request_.values);
        node.specialize("kNumber", static_cast<std::uint32_t>(request_.number));
        node.specialize("kChannels", request_.channels);
    }

    /// Of kernels that classify cells.
    ComputeNodeBuilder cell_node(std::string_view kernel) {
        ComputeNodeBuilder node = field_node(kernel);
        node.specialize("kDecider", cut_.decider ? 1u : 0u);
        node.read_optional("valid_cells", request_.valid, Sampler::nearest(), "kMasked");
        node.read("cell_cases", tables_.cases);
        return node;
    }

    /// Texels that are not numbers; of bricks they are voxels that nobody knows.
    void count_missing(ComputeNodeBuilder& node) {
        if (field_.kind != FieldKind::bricks) status_ = node.write("surface_status", status_);
    }

    /// Where points lie, for kernels that make vertices.
    void bind_place(ComputeNodeBuilder& node) {
        if (field_.kind == FieldKind::voxels) node.read("voxel_frame", request_.voxels.frame);
    }

    void find_by_blocks() {
        const std::uint64_t blocks = block_count();
        ComputeNodeBuilder find = field_node("isosurface/find_blocks", false);
        const Buffer sides = find.write("block_sides", words("block_sides", blocks));
        count_missing(find);
        find.dispatch(grid_.x, grid_.y, (grid_.z + kStackedBlocks - 1) / kStackedBlocks);
        ComputeNodeBuilder mark = graph_.compute("isosurface/mark_blocks");
        mark.read("block_sides", sides);
        mark.set("lattice", glm::ivec3(field_.points));
        const Buffer block_used = mark.write("block_used", words("block_used", blocks));
        Buffer slots = mark.write("block_slots", words("block_slots", blocks));
        mark.dispatch_each(static_cast<std::uint32_t>(blocks));
        const Compact used = graph_.add(Compact{.source = block_used,
                                                .flags = block_used,
                                                .length = static_cast<std::int64_t>(blocks),
                                                .emits = Emits::indices},
                                        "used_blocks");

        ComputeNodeBuilder count = cell_node("isosurface/count_blocks");
        count.read("used_blocks", used.result);
        count.read("used_count", used.kept);
        if (field_.kind != FieldKind::bricks) count.read("surface_status", status_);
        const Buffer slot_vertices = count.write("slot_vertices", words("slot_vertices", blocks));
        const Buffer slot_triangles =
            count.write("slot_triangles", words("slot_triangles", blocks));
        slots = count.write("block_slots", slots);
        const Buffer point_words = count.write(
            "point_words", words("point_words", std::uint64_t{kBlockWords} * block_room_));
        const Groups groups =
            groups_for(graph_, {.most = static_cast<std::uint32_t>(blocks), .count = used.kept}, 1);
        groups.dispatch(count);
        const auto first_of = [&](Buffer counts, std::string_view name) {
            return graph_.add(Scan{.source = counts,
                                   .count = used.kept,
                                   .length = static_cast<std::int64_t>(blocks)},
                              name);
        };
        const Scan first_vertex = first_of(slot_vertices, "first_vertices");
        const Scan first_triangle = first_of(slot_triangles, "first_triangles");

        ComputeNodeBuilder vertices = field_node("isosurface/vertices");
        bind_place(vertices);
        vertices.read("cell_cases", tables_.cases);
        if (!cut_.dual) vertices.read("case_triangles", tables_.triangles);
        vertices.read("used_blocks", used.result);
        vertices.read("used_count", used.kept);
        vertices.read("first_vertices", first_vertex.result);
        vertices.read("point_words", point_words);
        result_.mesh.positions = vertices.write("positions", triples("positions", vertex_room_));
        result_.normals = vertices.write("normals", triples("normals", vertex_room_));
        groups.dispatch(vertices);

        ComputeNodeBuilder triangles =
            graph_.compute("isosurface/triangles", {{"DUAL", cut_.dual ? 1u : 0u}});
        triangles.read("cell_cases", tables_.cases);
        if (cut_.dual)
            triangles.read("positions", result_.mesh.positions);
        else
            triangles.read("case_triangles", tables_.triangles);
        triangles.read("used_blocks", used.result);
        triangles.read("used_count", used.kept);
        triangles.read("first_vertices", first_vertex.result);
        triangles.read("first_triangles", first_triangle.result);
        triangles.read("block_slots", slots);
        triangles.read("point_words", point_words);
        triangles.set("lattice", glm::ivec3(field_.points));
        triangles.set("vertex_room", vertex_room_);
        triangles.set("triangle_room", triangle_room_);
        triangles.set("block_room", block_room_);
        result_.mesh.indices = triangles.write("indices", triples("indices", triangle_room_));
        groups.dispatch(triangles);

        used_count_ = used.kept;
        first_vertices_ = first_vertex.result;
        first_triangles_ = first_triangle.result;
        vertex_count_ = first_vertex.total;
        triangle_count_ = first_triangle.total;
    }

    /// Cells that have triangles, then their triangles: each time a stream that is expanded, and
    /// filtered so that its order stays.
    void find_by_streams() {
        ComputeNodeBuilder classify = cell_node("isosurface/cell_keys");
        const Buffer keys = classify.write("cell_keys", words("cell_keys", points_));
        count_missing(classify);
        classify.dispatch(grid_.x, grid_.y, grid_.z);
        const Compact used = graph_.add(Compact{.source = keys,
                                                .flags = keys,
                                                .length = static_cast<std::int64_t>(points_),
                                                .emits = Emits::indices},
                                        "used_cells");

        const std::uint64_t most_records = std::uint64_t{kMaxOfCell} * cell_room_;
        ComputeNodeBuilder expand = graph_.compute("isosurface/expand_cells");
        expand.read("cell_cases", tables_.cases);
        expand.read("cell_keys", keys);
        expand.read("used_cells", used.result);
        expand.read("used_count", used.kept);
        expand.set("cell_room", cell_room_);
        const Buffer records = expand.write("records", words("records", most_records));
        const Buffer record_count = expand.write("record_count", words("record_count", 1));
        dispatch_each(graph_, expand, Length{.most = cell_room_, .count = used.kept});
        const Compact found = graph_.add(Compact{.source = records,
                                                 .flags = records,
                                                 .count = record_count,
                                                 .length = static_cast<std::int64_t>(most_records)},
                                         "found");

        ComputeNodeBuilder triangles = field_node("isosurface/stream_triangles", false);
        bind_place(triangles);
        triangles.read("cell_cases", tables_.cases);
        triangles.read("case_triangles", tables_.triangles);
        triangles.read("cell_keys", keys);
        triangles.read("used_cells", used.result);
        triangles.read("records", found.result);
        triangles.read("record_count", found.kept);
        result_.mesh.positions = triangles.write("positions", triples("positions", vertex_room_));
        result_.normals = triangles.write("normals", triples("normals", vertex_room_));
        result_.mesh.indices = triangles.write("indices", triples("indices", triangle_room_));
        dispatch_each(graph_, triangles, Length{.most = triangle_room_, .count = found.kept});

        used_count_ = used.kept;
        vertex_count_ = found.kept; // not looked at: three for each triangle
        triangle_count_ = found.kept;
    }

    void finish() {
        ComputeNodeBuilder node = graph_.compute("isosurface/finish");
        node.match<IsosurfaceStatus>("surface_status");
        node.specialize("kVerticesATriangle", cut_.streams ? 3u : 0u);
        node.read("vertex_count", vertex_count_);
        node.read("triangle_count", triangle_count_);
        node.read("used_count", used_count_);
        node.read_optional("first_vertices", first_vertices_, "kHasBlocks");
        node.read_optional("first_triangles", first_triangles_, "kHasBlocks");
        node.set("vertex_room", vertex_room_);
        node.set("triangle_room", triangle_room_);
        node.set("block_room", block_room_);
        node.set("cell_room", cell_room_);
        result_.mesh.positions = node.write("positions", result_.mesh.positions);
        result_.normals = node.write("normals", result_.normals);
        result_.mesh.indices = node.write("indices", result_.mesh.indices);
        status_ = node.write("surface_status", status_);
        result_.draw =
            node.write("draw_arguments", graph_.buffer("draw", {.size = 20, .stride = 4}));
        node.dispatch_each(std::max(vertex_room_, triangle_room_));
    }

    Graph& graph_;
    const IsosurfaceRequest& request_;
    const IsosurfaceCut& cut_;
    const Field& field_;
    CaseTables tables_;
    glm::uvec3 grid_; ///< blocks
    std::uint64_t points_ = 0;
    std::uint32_t vertex_room_ = 0;
    std::uint32_t triangle_room_ = 0;
    std::uint32_t block_room_ = 0;
    std::uint32_t cell_room_ = 0;
    Buffer status_;
    Buffer brick_bases_;    ///< of bricks
    Buffer first_vertices_; ///< not of streams, like the next one
    Buffer first_triangles_;
    Buffer used_count_;
    Buffer vertex_count_;
    Buffer triangle_count_;
    IsosurfaceResult result_;
};

} // namespace

IsosurfaceStatus IsosurfaceStatus::read(std::span<const std::uint32_t> words) {
    return status_from<IsosurfaceStatus>(words);
}

Diagnostics IsosurfaceStatus::warnings() const {
    Diagnostics all;
    for (const PoolNeed& need : pool_needs())
        all.push_back(warning(
            "isosurface/lost-triangles",
            fmt::format("the {} of a surface found no room, so triangles are missing: {} were "
                        "needed",
                        need.pool, need.elements),
            need.pool == "triangles" ? fmt::format("\"most_triangles\" {} would do", need.elements)
                                     : "over several frames the room grows"));
    if (not_finite > 0)
        all.push_back(warning("isosurface/not-finite",
                              fmt::format("{} texels of the field are no numbers: the surface has "
                                          "holes there",
                                          not_finite),
                              "find what makes them"));
    return all;
}

std::vector<PoolNeed> IsosurfaceStatus::pool_needs() const {
    std::vector<PoolNeed> needs;
    if (triangles > triangle_room) needs.push_back({"triangles", triangles});
    if (block_room > 0 && vertices > vertex_room) needs.push_back({"vertices", vertices});
    if (block_room > 0 && blocks > block_room) needs.push_back({"blocks", blocks});
    if (cell_room > 0 && cells > cell_room) needs.push_back({"cells", cells});
    return needs;
}

IsosurfaceResult find_isosurface(Graph& graph, const IsosurfaceRequest& request,
                                 const IsosurfaceCut& cut) {
    const auto field = checked_field(graph, request);
    if (!field) return {};
    return IsosurfaceSearch(graph, request, cut, *field).run();
}

double field_bytes(const Graph& graph, const IsosurfaceRequest& request) {
    if (request.field) return volume_bytes(graph, request.field);
    if (request.voxels) return 4.0 * static_cast<double>(request.voxels.word_count());
    if (request.bricks)
        return 4.0 * request.channels * static_cast<double>(request.bricks.shape.count());
    return 4.0 * request.channels * request.dims.x * request.dims.y *
           static_cast<double>(request.dims.z);
}

} // namespace tuff::passes
