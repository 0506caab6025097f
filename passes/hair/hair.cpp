#include "passes/hair/hair.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

bool holds_hair(Graph& graph, Buffer buffer, std::string_view name, std::uint64_t bytes) {
    if (graph.desc(buffer).size >= bytes) return true;
    graph.error("primitives/too-short",
                fmt::format("buffer \"{}\" of the hair has {} bytes; {} are needed", name,
                            graph.desc(buffer).size, bytes),
                "give it one element for each vertex or strand");
    return false;
}

bool has_counts(Graph& graph, std::uint32_t count, std::uint32_t vertices) {
    return in_range(graph, "count", count, 0, kMaxStrands) &&
           in_range(graph, "vertices", vertices, 2, kMaxStrandVertices) &&
           has_room(graph, count, vertices);
}

} // namespace

GroomStatus GroomStatus::read(std::span<const std::uint32_t> words) {
    return status_from<GroomStatus>(words);
}

Diagnostics GroomStatus::warnings() const {
    if (bad == 0) return {};
    return {warning("hair/bad-strand",
                    fmt::format("{} strands are not finite or have an edge of length 0: they "
                                "only move with the head",
                                bad),
                    "fix the groom")};
}

HairStatus HairStatus::read(std::span<const std::uint32_t> words) {
    return status_from<HairStatus>(words);
}

Diagnostics HairStatus::warnings() const {
    Diagnostics all;
    if (resets > 0)
        all.push_back(
            warning("hair/reset-strands",
                    fmt::format("strands became infinite or NaN {} times and began again at "
                                "rest",
                                resets),
                    "take shorter steps, or look for bodies and heads that are not finite"));
    if (bad_distances > 0)
        all.push_back(warning("hair/bad-distances",
                              fmt::format("vertices met distances that are infinite or NaN {} "
                                          "times: hair passes through the field there",
                                          bad_distances),
                              "fix the field of hair/colliders"));
    return all;
}

bool has_room(Graph& graph, std::uint64_t strands, std::uint64_t vertices) {
    const std::uint64_t most =
        std::min<std::uint64_t>(graph.target().max_storage_buffer_bytes, std::uint64_t{4} << 30);
    const std::uint64_t bytes = strands * vertices * sizeof(glm::vec4);
    if (strands <= kMaxStrands && bytes <= most) return true;
    graph.error("hair/too-large",
                fmt::format("{} strands of {} vertices take {} bytes; a buffer holds {}", strands,
                            vertices, bytes, most),
                fmt::format("use fewer vertices or fewer strands, at most {}", kMaxStrands));
    return false;
}

bool is_valid(Graph& graph, const HairGroom& groom) {
    const std::uint64_t bytes = groom.vertex_count() * sizeof(glm::vec4);
    const std::uint64_t woven = woven_count(groom.count, groom.vertices) * sizeof(glm::vec4);
    return has_counts(graph, groom.count, groom.vertices) &&
           holds_hair(graph, groom.rest, "rest", bytes) &&
           holds_hair(graph, groom.local, "local", woven) &&
           holds_hair(graph, groom.goals, "goals", woven) &&
           holds_hair(graph, groom.frames, "frames", sizeof(glm::vec4) * groom.count) &&
           holds_hair(graph, groom.groups, "groups", std::uint64_t{4} * groom.count);
}

bool is_valid(Graph& graph, const HairState& state, const HairGroom& groom) {
    const std::uint64_t bytes = groom.vertex_count() * sizeof(glm::vec4);
    return holds_hair(graph, state.positions, "positions", bytes) &&
           holds_hair(graph, state.previous, "previous", bytes) &&
           (!state.turns || holds_hair(graph, state.turns, "turns", bytes));
}

bool is_valid(Graph& graph, const HairShape& shape) {
    const std::uint64_t bytes = shape.vertex_count() * sizeof(glm::vec4);
    return has_counts(graph, shape.count, shape.vertices) &&
           holds_hair(graph, shape.positions, "positions", bytes) &&
           holds_hair(graph, shape.tangents, "tangents", bytes) &&
           holds_hair(graph, shape.groups, "groups", std::uint64_t{4} * shape.count);
}

bool is_valid(Graph& graph, const HairRoots& roots, const HairGroom& groom) {
    return holds_hair(graph, roots.places, "places",
                      std::uint64_t{2} * sizeof(glm::vec4) * groom.count);
}

bool has_numbers(Graph& graph, std::string_view name, const std::vector<float>& numbers) {
    if (!numbers.empty() && numbers.size() <= kMaxHairGroups) return true;
    graph.error("hair/few-numbers",
                fmt::format("parameter \"{}\" has {} numbers", name, numbers.size()),
                fmt::format("give one number for all groups, or one for each of up to {} groups",
                            kMaxHairGroups));
    return false;
}

float number_of(const std::vector<float>& numbers, std::uint32_t group) {
    return numbers[std::min<std::size_t>(group, numbers.size() - 1)];
}

Buffer vectors(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = std::max<std::uint64_t>(count, 1) * sizeof(glm::vec4),
                               .stride = sizeof(glm::vec4)});
}

HairGroom prepared(Graph& graph, Buffer points, Buffer groups, std::uint32_t count,
                   std::uint32_t vertices, std::uint32_t group_count) {
    HairGroom groom{.count = count, .vertices = vertices, .group_count = group_count};
    const Buffer zero = graph.fill(array(graph, "status", 1), 0, "no_status");
    ComputeNodeBuilder node = graph.compute("hair/prepare");
    node.set("count", count);
    node.set("vertices", vertices);
    node.read("points", points);
    node.read("given", groups);
    groom.rest = node.write("rest", vectors(graph, "rest", groom.vertex_count()));
    const std::uint64_t woven = woven_count(count, vertices);
    groom.local = node.write("local", vectors(graph, "local", woven));
    groom.goals = node.write("goals", vectors(graph, "goals", woven));
    groom.frames = node.write("first_frames", vectors(graph, "frames", count));
    groom.groups = node.write("groups", array(graph, "groups", count));
    const Buffer status = node.write("status", zero);
    node.dispatch_each(count);
    graph.status<GroomStatus>(status);
    return groom;
}

} // namespace tuff::passes
