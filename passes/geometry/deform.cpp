#include "passes/geometry/deform.hpp"

#include "passes/geometry/scene_counts.hpp"
#include "passes/primitives/elements.hpp"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace tuff::passes {
namespace {

/// What is known on the host of a scene all of whose vertices are where they are seen.
std::shared_ptr<const SceneData> placed(const SceneData& source) {
    auto data = std::make_shared<SceneData>(source);
    std::uint32_t vertices = 0;
    for (SceneDraw& draw : data->draws) {
        draw.vertex_offset = static_cast<std::int32_t>(vertices);
        draw.transform = 0;
        vertices += draw.vertex_count;
    }
    data->transforms.assign(1, {});
    data->transform_names.clear();
    data->motion = nullptr;
    return data;
}

} // namespace

void Deform::describe(PassInfo<Deform>& info) {
    info.summary("Moves the vertices of a scene: twists, bends and sways upright shapes")
        .details(
            "Each movement grows with the height above \"center\"; vertices below it stay, so "
            "shapes are fixed to their floor. All movements swing back and forth with time. "
            "Heights stay, so the volume of a body is constant. Normals and tangents are those of "
            "the moved surface, by the derivatives of the movement.\n\nThe vertices of the result "
            "are in world space, with a copy of a mesh for each node that shows it. Bounds are "
            "those of the original scene: they place cameras and shadow maps, and oit/tiled skips "
            "nothing by them.")
        .source("A. Barr, \"Global and Local Deformations of Solid Primitives\", SIGGRAPH 1984")
        .complexity("O(vertices * log draws)")
        .cost([](const Deform& pass, const Graph&) {
            const auto counts = pass.source ? counts_of(*pass.source.data) : SceneCounts{};
            const double vertices = static_cast<double>(counts.vertices);
            return Cost{.bytes = 160.0 * vertices, .operations = 150.0 * vertices};
        });
    info.input("source", &Deform::source, "the scene to move");
    info.parameter("time", &Deform::time, "time of the movement").unit("seconds");
    info.parameter("rate", &Deform::rate, "frequency of the swing").range(0.0, 1000.0).unit("Hz");
    info.parameter("center", &Deform::center,
                   "point on the axis of the twist; vertices that are not above it stay")
        .unit("world units");
    info.parameter("twist", &Deform::twist, "greatest twist per unit of height")
        .range(-36000.0, 36000.0)
        .unit("degrees");
    info.parameter("bend", &Deform::bend,
                   "greatest displacement along x and z at height 1; it grows with the square");
    info.parameter("wave", &Deform::wave,
                   "greatest displacement along x and z by waves that run upwards, at height 1");
    info.parameter("wave_length", &Deform::wave_length, "length of these waves")
        .range(1e-3, 1e6)
        .unit("world units");
    info.output("scene", &Deform::scene, "the scene as it is at this time");
}

void Deform::build(Graph& graph) {
    scene = source;
    const auto counts = checked_counts(graph, *source.data);
    if (!counts) return;
    constexpr float kTurn = 2.0f * std::numbers::pi_v<float>;
    // In periods, so that late times are as exact as early ones.
    const float phase =
        kTurn *
        static_cast<float>(std::fmod(static_cast<double>(rate) * static_cast<double>(time), 1.0));
    const auto vertices = static_cast<std::uint32_t>(counts->vertices);
    const auto draws = static_cast<std::uint32_t>(source.data->draws.size());
    ComputeNodeBuilder node = graph.compute("geometry/deform");
    node.read("vertices", source.vertices);
    node.read("draws", source.draws);
    node.read("starts", source.starts);
    node.read("transforms", source.transforms);
    node.set("draw_count", draws);
    node.set("vertex_count", vertices);
    node.set("twist", glm::radians(twist) * std::sin(phase));
    node.set("center", center);
    node.set("bend", bend * std::sin(phase));
    node.set("wave", wave);
    node.set("wave_phase", phase);
    node.set("wave_number", kTurn / wave_length);
    const auto elements = [&](std::string_view name, std::uint64_t count, std::uint64_t bytes) {
        return graph.buffer(name,
                            {.size = std::max<std::uint64_t>(count, 1) * bytes, .stride = 16});
    };
    scene.vertices = node.write("moved", elements("vertices", vertices, sizeof(Vertex)));
    scene.draws = node.write("moved_draws", elements("draws", draws, sizeof(SceneDraw)));
    scene.transforms = node.write("identity", elements("transform", 1, sizeof(SceneTransform)));
    scene.data = placed(*source.data);
    scene.bounds_hold = false;
    scene.vertices_move = true;
    node.dispatch_each(std::max({vertices, draws, 1u}));
}

TUFF_PASS(Deform)

} // namespace tuff::passes
