#include "passes/bodies/move_nodes.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kNoBody = 0xffffffffu; // of shaders/bodies/move_nodes.comp

/// Whether a node's name is the pattern, or begins with it where it ends with a star.
bool matches(std::string_view name, std::string_view pattern) {
    if (!pattern.ends_with('*')) return name == pattern;
    pattern.remove_suffix(1);
    return !name.empty() && name.starts_with(pattern);
}

/// The body of each transform; nothing, and a report, where names or bodies are missing.
std::optional<std::vector<std::uint32_t>> followers_of(Graph& graph, const MoveNodes& pass) {
    const SceneData& scene = *pass.source.data;
    std::vector<std::uint32_t> followers(std::max<std::size_t>(scene.transforms.size(), 1),
                                         kNoBody);
    std::uint32_t next = pass.first;
    for (const std::string& pattern : pass.nodes) {
        bool found = false;
        for (std::size_t i = 0; i < scene.transform_names.size(); ++i) {
            if (!matches(scene.transform_names[i], pattern)) continue;
            found = true;
            if (followers[i] == kNoBody) followers[i] = next++;
        }
        if (found) continue;
        std::string known;
        for (std::size_t i = 0; i < std::min<std::size_t>(scene.transform_names.size(), 8); ++i)
            if (!scene.transform_names[i].empty())
                known +=
                    fmt::format("{}\"{}\"", known.empty() ? "" : ", ", scene.transform_names[i]);
        graph.error("bodies/no-such-node",
                    fmt::format("the scene has no drawn node called \"{}\"", pattern),
                    known.empty() ? "its drawn nodes have no names"
                                  : fmt::format("the names are {}", known));
        return {};
    }
    if (next > pass.bodies.count) {
        graph.error("bodies/too-few",
                    fmt::format("{} nodes follow the bodies from index {} on, but there are {} "
                                "bodies",
                                next - pass.first, pass.first, pass.bodies.count),
                    "name fewer nodes, or add bodies");
        return {};
    }
    return followers;
}

/// The corner of a box with this number.
glm::vec3 corner_of(const Bounds& box, int number) {
    return {number & 1 ? box.max.x : box.min.x, number & 2 ? box.max.y : box.min.y,
            number & 4 ? box.max.z : box.min.z};
}

/// How far a mesh that follows a body reaches from the body's middle.
float reach_of(const Bounds& box, const glm::mat4& world, bool keeps_placement) {
    // The middle lies in the mesh's box, wherever that is.
    if (keeps_placement) return glm::length(box.max - box.min);
    const glm::mat3 axes(world);
    const glm::vec3 scale(glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2]));
    const bool is_flat = glm::determinant(axes) == 0.0f;
    const glm::mat3 to_mesh = is_flat ? glm::mat3(1.0f) : glm::inverse(axes);
    float reach = 0.0f;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 from_node = to_mesh * (corner_of(box, corner) - glm::vec3(world[3]));
        reach = std::max(reach, glm::length(is_flat ? from_node : scale * from_node));
    }
    return reach;
}

/// The scene's data with bounds in which the moved nodes are as long as bodies are where they are
/// expected: where they are at a time is known to the device alone.
std::shared_ptr<const SceneData> with_bounds(const SceneData& scene, const Bodies& bodies,
                                             const std::vector<std::uint32_t>& followers,
                                             bool keeps_placement) {
    auto moved = std::make_shared<SceneData>(scene);
    for (std::size_t d = 0; d < scene.draws.size(); ++d) {
        const std::uint32_t transform = scene.draws[d].transform;
        Bounds& box = moved->draw_bounds[d];
        if (followers[transform] == kNoBody || box.empty()) continue;
        const float reach = reach_of(box, scene.transforms[transform].world, keeps_placement);
        box = {bodies.low - reach, bodies.high + reach};
        moved->bounds.grow(box.min);
        moved->bounds.grow(box.max);
    }
    return moved;
}

} // namespace

void MoveNodes::describe(PassInfo<MoveNodes>& info) {
    info.summary("Moves nodes of a scene with rigid bodies")
        .details(
            "The first of \"nodes\" follows the body with index \"first\", the second node "
            "follows the next body, and so on.\n\n"
            "Without \"initial\", the mesh of a node is in the frame of its body; only the "
            "scale of the node's own transform is kept. \"initial\" has the bodies at the time "
            "when the scene was made; with it, nodes keep their placement relative to the "
            "bodies. The bounds of a moved node are the box in which the bodies are expected, "
            "enlarged by its mesh; shadow maps and cameras cover it.")
        .complexity("O(nodes that draw)")
        .cost([](const MoveNodes& pass, const Graph&) {
            const double nodes =
                pass.source ? static_cast<double>(pass.source.data->transforms.size()) : 0.0;
            return Cost{.bytes = 300.0 * nodes, .operations = 150.0 * nodes};
        });
    info.input("source", &MoveNodes::source, "the scene");
    info.input("bodies", &MoveNodes::bodies, "the bodies that move the nodes");
    info.optional_input("initial", &MoveNodes::initial,
                        "the bodies that belong to the scene's original placement");
    info.parameter("nodes", &MoveNodes::nodes,
                   "names of nodes; a name that ends with * matches all nodes that begin like "
                   "it, in the order of the file")
        .structural();
    info.parameter("first", &MoveNodes::first, "index of the body that the first node follows")
        .structural();
    info.output("scene", &MoveNodes::scene, "the scene with these nodes moved");
}

void MoveNodes::build(Graph& graph) {
    if (!is_valid(graph, bodies) || (initial && !is_valid(graph, initial))) return;
    if (initial && initial.count != bodies.count) {
        graph.error("bodies/too-few",
                    fmt::format("\"initial\" has {} bodies, but \"bodies\" has {}", initial.count,
                                bodies.count),
                    "connect the bodies that the simulation started with");
        return;
    }
    const auto followers = followers_of(graph, *this);
    if (!followers) return;
    auto bytes = std::make_shared<std::vector<std::byte>>(followers->size() * sizeof(kNoBody));
    std::memcpy(bytes->data(), followers->data(), bytes->size());
    ComputeNodeBuilder node = graph.compute("bodies/move_nodes");
    node.read("followers",
              graph.constant_buffer("followers", {.size = bytes->size(), .stride = sizeof(kNoBody)},
                                    bytes));
    node.read("places", bodies.places);
    node.read("turns", bodies.turns);
    node.read_optional("initial_places", initial ? initial.places : Buffer{}, "has_initial");
    node.read_optional("initial_turns", initial ? initial.turns : Buffer{}, "has_initial");
    node.read("transforms", source.transforms);
    node.set("transform_count", static_cast<std::uint32_t>(source.data->transforms.size()));
    scene = source;
    scene.transforms =
        node.write("moved", graph.buffer("transforms", {.size = graph.desc(source.transforms).size,
                                                        .stride = sizeof(SceneTransform)}));
    scene.data = with_bounds(*source.data, bodies, *followers, static_cast<bool>(initial));
    scene.bounds_hold = false;
    node.dispatch_each(static_cast<std::uint32_t>(followers->size()));
}

TUFF_PASS(MoveNodes)

} // namespace tuff::passes
