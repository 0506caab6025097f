#include "passes/mapping/room.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr double kOrbitRadius = 1.1; // metres
constexpr double kEyeHeight = 1.3;
constexpr glm::dvec3 kOrbitTarget{0.0, 0.8, 0.0};

} // namespace

glm::dmat4 looking_at(glm::dvec3 position, glm::dvec3 target) {
    glm::dvec3 forward = target - position;
    forward = glm::dot(forward, forward) > 0.0 ? glm::normalize(forward) : glm::dvec3(0, 0, -1);
    glm::dvec3 right = glm::cross(forward, glm::dvec3(0, 1, 0));
    if (glm::dot(right, right) < 1e-12) right = glm::cross(forward, glm::dvec3(0, 0, 1));
    right = glm::normalize(right);
    const glm::dvec3 down = glm::cross(forward, right);
    return {glm::dvec4(right, 0.0), glm::dvec4(down, 0.0), glm::dvec4(forward, 0.0),
            glm::dvec4(position, 1.0)};
}

glm::dmat4 MappingRoom::camera() const {
    if (path == RoomPath::still) return looking_at(glm::dvec3(position), glm::dvec3(target));
    const double angle = 2.0 * std::numbers::pi * double{frame} / double{frames};
    // Up and down twice a round, so that all six directions move.
    const glm::dvec3 eye(kOrbitRadius * std::cos(angle), kEyeHeight + 0.08 * std::sin(2.0 * angle),
                         kOrbitRadius * std::sin(angle));
    return looking_at(eye, kOrbitTarget);
}

glm::vec4 MappingRoom::ball_now() const {
    if (!(frame < ball)) return glm::vec4(0.0f);
    // To and fro, where the camera sees it before it is gone.
    const float angle = 5.5f + 0.3f * std::sin(0.05f * frame);
    return {0.95f * std::cos(angle), 1.1f, 0.95f * std::sin(angle), 0.2f};
}

void MappingRoom::describe(PassInfo<MappingRoom>& info) {
    info.summary("Simulates a depth camera in a furnished room, with noise and a known "
                 "trajectory")
        .details("The room is 4 x 2.5 x 4 m, with a table, a globe, a pillar, a cabinet and a "
                 "chest. It is a distance field, rendered by ray marching. The camera circles the "
                 "table once in \"frames\" frames. A balloon moves back and forth until frame "
                 "\"ball\".\n\n"
                 "Depths have normally distributed noise with the standard deviation of a "
                 "structured-light camera, 0.0012 + 0.0019 (z - 0.4)^2 m. Depth is missing at "
                 "random pixels, and where the angle to the surface is below 7 degrees. The same "
                 "frame and seed give the same pictures.")
        .source("C. Nguyen, S. Izadi and D. Lovell, \"Modeling Kinect Sensor Noise for Improved 3D "
                "Reconstruction and Tracking\", 3DIMPVT 2012")
        .complexity("O(pixels)")
        .cost([](const MappingRoom& pass, const Graph&) {
            const double pixels = double(pass.width) * pass.height;
            return Cost{.bytes = 8.0 * pixels, .operations = 5000.0 * pixels};
        });
    info.parameter("width", &MappingRoom::width, "width of the pictures")
        .range(8, 8192)
        .unit("texels")
        .structural();
    info.parameter("height", &MappingRoom::height, "height of the pictures")
        .range(8, 8192)
        .unit("texels")
        .structural();
    info.parameter("vertical_fov", &MappingRoom::vertical_fov, "full vertical angle of view")
        .range(1.0, 150.0)
        .unit("degrees");
    info.parameter("range", &MappingRoom::range,
                   "smallest and largest depth that the camera "
                   "measures")
        .range(0.01, 100.0)
        .unit("metres");
    info.parameter("frame", &MappingRoom::frame, "number of the frame, also fractional")
        .range(-1e6, 1e6);
    info.parameter("frames", &MappingRoom::frames, "frames of one orbit").range(1.0, 1e6);
    info.parameter("path", &MappingRoom::path, "\"orbit\", or \"still\" at \"position\"");
    info.parameter("position", &MappingRoom::position, "position of a still camera").unit("metres");
    info.parameter("target", &MappingRoom::target, "target of a still camera").unit("metres");
    info.parameter("noise", &MappingRoom::noise, "noise relative to that of a Kinect")
        .range(0.0, 100.0);
    info.parameter("relative", &MappingRoom::relative,
                   "additional noise: standard deviation as a share of the depth")
        .range(0.0, 1.0);
    info.parameter("dropout", &MappingRoom::dropout,
                   "share of pixels without depth; 0: grazing surfaces have depth, too")
        .range(0.0, 1.0);
    info.parameter("ball", &MappingRoom::ball, "first frame without the balloon");
    info.parameter("seed", &MappingRoom::seed, "seed of the noise");
    info.output("result", &MappingRoom::result, "the frame: depth and color");
    info.output("pose", &MappingRoom::pose, "true pose, camera to world").elements<glm::vec4>();
}

void MappingRoom::build(Graph& graph) {
    const Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    const double focal =
        0.5 * height / std::tan(0.5 * double{vertical_fov} * std::numbers::pi / 180.0);
    RgbdFrame made{.depth = graph.image("depth", {.format = Format::r32_sfloat, .extent = extent}),
                   .color = graph.image("color", {.format = Format::rgba8_unorm, .extent = extent}),
                   .intrinsics = {focal, focal, 0.5 * (width - 1), 0.5 * (height - 1)},
                   .range = range};
    if (!is_valid(graph, made)) return;
    graph.push_changing();
    const glm::mat4 rows = glm::transpose(glm::mat4(camera()));
    ComputeNodeBuilder node = graph.compute("mapping/room");
    node.set("intrinsics", made.intrinsics);
    node.set("row_x", rows[0]);
    node.set("row_y", rows[1]);
    node.set("row_z", rows[2]);
    node.set("ball", ball_now());
    node.set("size", glm::uvec2(extent.width, extent.height));
    node.set("range", range);
    node.set("seed", seed + 7919u * static_cast<std::uint32_t>(std::lround(frame * 64.0f)));
    node.set("noise", noise);
    node.set("relative", relative);
    node.set("dropout", dropout);
    made.depth = node.write("depth", made.depth);
    made.color = node.write("color", made.color);
    pose = node.write("camera_pose", graph.buffer("pose", kPoseDesc));
    node.dispatch_over(extent);
    graph.pop_changing();
    result = made;
}

TUFF_PASS(MappingRoom)

} // namespace tuff::passes
