#include "passes/bodies/bodies.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

bool holds_bodies(Graph& graph, Buffer buffer, std::uint64_t count, std::uint64_t bytes,
                  std::string_view port) {
    const std::uint64_t room = graph.desc(buffer).size / bytes;
    if (room >= std::max<std::uint64_t>(count, 1)) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" has {} records, but {} are needed", port, room, count));
    return false;
}

} // namespace

std::vector<PortMember> Bodies::members() const {
    std::vector<PortMember> all{{"places", places, BufferElements::of<glm::vec4>()},
                                {"turns", turns, BufferElements::of<glm::vec4>()},
                                {"motions", motions, BufferElements::of<glm::vec4>()},
                                {"shapes", shapes, BufferElements::of<glm::vec4>()}};
    if (rest) all.push_back({"rest", rest, BufferElements::of<glm::vec2>()});
    if (geometry) all.push_back({"geometry", geometry, BufferElements::of<glm::vec4>()});
    if (apart) all.push_back({"apart", apart, BufferElements::of<glm::uvec2>()});
    if (joints) all.push_back({"joints", joints, BufferElements::of<glm::vec4>()});
    return all;
}

BodiesStatus BodiesStatus::read(std::span<const std::uint32_t> words) {
    return status_from<BodiesStatus>(words);
}

Diagnostics BodiesStatus::warnings() const {
    Diagnostics all;
    if (lost_pairs > 0)
        all.push_back(warning("bodies/lost-pairs",
                              fmt::format("{} of {} pairs of bodies did not fit and passed "
                                          "through each other",
                                          lost_pairs, pairs),
                              "set \"room\" to the number of pairs; programs that run frames "
                              "increase the capacity themselves"));
    if (reset > 0)
        all.push_back(warning("bodies/not-finite",
                              fmt::format("the new state of a body was not finite {} times: "
                                          "the body was stopped at its last position",
                                          reset),
                              "look for forces, speeds or masses that are too large"));
    if (coincident > 0)
        all.push_back(warning("bodies/coincident",
                              fmt::format("{} contacts have no direction, because the centers "
                                          "of their bodies coincide: they separate upwards",
                                          coincident),
                              "place the bodies apart at the start"));
    if (tail > 0)
        all.push_back(warning("bodies/many-batches",
                              fmt::format("{} constraints are solved one by one, because their "
                                          "bodies have more than 128 constraints",
                                          tail),
                              "make bodies that touch so many others immovable (mass 0)"));
    if (uncolored > 0)
        all.push_back(warning("bodies/uncolored",
                              fmt::format("block descent had no color for a body {} times, because "
                                          "it touches too many others: it moved by half steps "
                                          "together with others, which converges more slowly",
                                          uncolored),
                              "use more iterations, or another method"));
    return all;
}

std::vector<PoolNeed> BodiesStatus::pool_needs() const {
    if (lost_pairs == 0) return {};
    return {{"pairs", pairs}};
}

bool is_valid(Graph& graph, const Bodies& bodies) {
    if (!in_range(graph, "count", bodies.count, 0, kMaxBodies)) return false;
    if (!in_range(graph, "largest", static_cast<double>(bodies.largest), 1e-6, 1e6)) return false;
    if (!holds_bodies(graph, bodies.places, bodies.count, 16, "places") ||
        !holds_bodies(graph, bodies.turns, bodies.count, 16, "turns") ||
        !holds_bodies(graph, bodies.motions, bodies.count, 32, "motions") ||
        !holds_bodies(graph, bodies.shapes, bodies.count, 32, "shapes") ||
        !holds_bodies(graph, bodies.rest, bodies.count, 8, "rest"))
        return false;
    if (bodies.apart_count > 0 &&
        !holds_bodies(graph, bodies.apart, bodies.apart_count, 8, "apart"))
        return false;
    return bodies.joint_count == 0 ||
           holds_bodies(graph, bodies.joints, bodies.joint_count, 96, "joints");
}

Buffer body_array(Graph& graph, std::string_view name, std::uint64_t count, std::uint32_t bytes) {
    return graph.buffer(
        name, {.size = std::max<std::uint64_t>(count, 1) * bytes, .stride = std::min(bytes, 16u)});
}

Buffer empty_status(Graph& graph) {
    return graph.fill(graph.buffer("status", {.size = sizeof(BodiesStatus), .stride = kWordBytes}),
                      0, "no_status");
}

} // namespace tuff::passes
