#include "passes/mapping/trajectory.hpp"

#include "passes/common/status.hpp"

namespace tuff::passes {

TrajectoryStatus TrajectoryStatus::read(std::span<const std::uint32_t> words) {
    return status_from<TrajectoryStatus>(words);
}

void MappingTrajectory::describe(PassInfo<MappingTrajectory>& info) {
    info.summary("Records the trajectory of a camera and its errors")
        .details("Errors compare the poses as they are. The trajectories are not aligned, "
                 "because a camera that begins at the true pose needs no alignment. The root "
                 "mean square of position errors is the absolute trajectory error. Frames "
                 "without a pose are counted and have no error. After \"room\" frames "
                 "positions are no longer recorded, but errors still count.")
        .source("J. Sturm et al., \"A Benchmark for the Evaluation of RGB-D SLAM Systems\", IROS "
                "2012")
        .complexity("O(room)")
        .cost([](const MappingTrajectory& pass, const Graph&) {
            return Cost{.bytes = 64.0 * pass.room, .operations = 0.0};
        });
    info.input("pose", &MappingTrajectory::pose, "pose of the camera").elements<glm::vec4>();
    info.optional_input("truth", &MappingTrajectory::truth, "true pose of the camera")
        .elements<glm::vec4>();
    info.parameter("room", &MappingTrajectory::room, "capacity, in frames")
        .range(1, 1 << 20)
        .structural();
    info.output("positions", &MappingTrajectory::positions, "x, y, z and 1; 0 for a lost camera")
        .elements<glm::vec4>();
    info.output("true_positions", &MappingTrajectory::true_positions, "the same for the true pose")
        .elements<glm::vec4>();
    info.output("status", &MappingTrajectory::status, "frames and errors")
        .elements<TrajectoryStatus>();
}

void MappingTrajectory::build(Graph& graph) {
    if (!is_pose(graph, pose, "pose") || (truth && !is_pose(graph, truth, "truth"))) return;
    const auto frames = static_cast<std::uint32_t>(room);
    const BufferDesc desc{.size = std::uint64_t{16} * frames, .stride = 16};
    const BufferDesc status_desc{.size = sizeof(TrajectoryStatus), .stride = 4};
    const BufferHistory kept = graph.history_buffer("kept_positions", desc);
    const BufferHistory kept_truth = graph.history_buffer("kept_true_positions", desc);
    const BufferHistory kept_status = graph.history_buffer("kept_status", status_desc);
    ComputeNodeBuilder node = graph.compute("mapping/trajectory");
    node.set("room", frames);
    node.read("camera_pose", pose);
    node.read_optional("truth", truth);
    node.read("before", kept.previous[0]);
    node.read("true_before", kept_truth.previous[0]);
    node.read("status_before", kept_status.previous[0]);
    node.match<TrajectoryStatus>("status");
    positions = node.write("positions", graph.buffer("positions", desc));
    true_positions = node.write("true_positions", graph.buffer("true_positions", desc));
    status = node.write("status", graph.buffer("status", status_desc));
    node.dispatch_each(frames);
    (void)graph.copy(positions, kept.current, "keep_positions");
    (void)graph.copy(true_positions, kept_truth.current, "keep_true_positions");
    (void)graph.copy(status, kept_status.current, "keep_status");
}

void MappingPlot::describe(PassInfo<MappingPlot>& info) {
    info.summary("Draws a camera's trajectory from above, over the true trajectory")
        .details("x is to the right, z down. The trajectory is orange, the true one below it "
                 "grey, another one between them blue. A cross marks the camera; it is red if the "
                 "camera is lost.")
        .complexity("O(pixels * frames)")
        .cost([](const MappingPlot& pass, const Graph&) {
            return Cost{.bytes = 4.0 * pass.width * pass.height, .operations = 0.0};
        });
    info.input("positions", &MappingPlot::positions, "the trajectory, from mapping/trajectory")
        .elements<glm::vec4>();
    info.optional_input("true_positions", &MappingPlot::true_positions,
                        "the true trajectory, from mapping/trajectory")
        .elements<glm::vec4>();
    info.optional_input("other_positions", &MappingPlot::other_positions,
                        "another trajectory of as many frames, from mapping/trajectory")
        .elements<glm::vec4>();
    info.input("status", &MappingPlot::status, "the status of mapping/trajectory")
        .elements<TrajectoryStatus>();
    info.parameter("width", &MappingPlot::width, "width of the picture")
        .range(1, 8192)
        .unit("texels")
        .structural();
    info.parameter("height", &MappingPlot::height, "height of the picture")
        .range(1, 8192)
        .unit("texels")
        .structural();
    info.parameter("low", &MappingPlot::low, "lower x and z of the plot").unit("metres");
    info.parameter("high", &MappingPlot::high, "upper x and z of the plot").unit("metres");
    info.parameter("line", &MappingPlot::line, "width of lines").range(0.5, 64.0).unit("texels");
    info.output("result", &MappingPlot::result, "rgba8_unorm");
}

void MappingPlot::build(Graph& graph) {
    if (!(low.x < high.x && low.y < high.y)) {
        graph.error("pass/out-of-range", "\"low\" is not less than \"high\"",
                    "give the lower and upper corner of the plot");
        return;
    }
    for (const Buffer more : {true_positions, other_positions})
        if (more && graph.desc(more).size < graph.desc(positions).size) {
            graph.error("mapping/bad-trajectory",
                        "the trajectories have room for different numbers of frames",
                        "give all of them the same \"room\" in mapping/trajectory");
            return;
        }
    const Extent extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    ComputeNodeBuilder node = graph.compute("mapping/plot");
    node.set("size", glm::vec2(width, height));
    node.set("low", low);
    node.set("high", high);
    node.set("line", line);
    node.set("room", static_cast<std::uint32_t>(graph.desc(positions).size / 16));
    node.read("positions", positions);
    node.read_optional("true_positions", true_positions);
    node.read_optional("other_positions", other_positions);
    node.read("status", status);
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(MappingTrajectory)
TUFF_PASS(MappingPlot)

} // namespace tuff::passes
