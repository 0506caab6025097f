#pragma once

#include "passes/mapping/rgbd.hpp"

#include <tuff/shared_struct.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tuff::passes {

/// The errors of a trajectory; `TrajectoryStatus` of shaders/mapping/trajectory.comp.
struct TrajectoryStatus {
    std::uint32_t frames = 0;   ///< frames so far
    std::uint32_t lost = 0;     ///< frames without a pose
    float rms_distance = 0.0f;  ///< root mean square of positions (absolute trajectory error),
                                ///< metres
    float most_distance = 0.0f; ///< metres
    float rms_angle = 0.0f;     ///< degrees
    float most_angle = 0.0f;    ///< degrees
    float distance = 0.0f;      ///< position error of this frame, metres
    float angle = 0.0f;         ///< rotation error of this frame, degrees

    static constexpr std::string_view kStructName = "TrajectoryStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(TrajectoryStatus, frames),
                          TUFF_MEMBER(TrajectoryStatus, lost),
                          TUFF_MEMBER(TrajectoryStatus, rms_distance),
                          TUFF_MEMBER(TrajectoryStatus, most_distance),
                          TUFF_MEMBER(TrajectoryStatus, rms_angle),
                          TUFF_MEMBER(TrajectoryStatus, most_angle),
                          TUFF_MEMBER(TrajectoryStatus, distance),
                          TUFF_MEMBER(TrajectoryStatus, angle)};
    }
    static TrajectoryStatus read(std::span<const std::uint32_t> words);
};

/// Records the trajectory of a camera. See `describe`.
struct MappingTrajectory {
    static constexpr std::string_view kName = "mapping/trajectory";

    Buffer pose;
    Buffer truth; ///< optional
    int room = 1024;

    Buffer positions; ///< vec4: w is 1, or 0 for lost frames
    Buffer true_positions;
    Buffer status;

    static void describe(PassInfo<MappingTrajectory>& info);
    void build(Graph& graph);
};

/// Draws trajectories from above. See `describe`.
struct MappingPlot {
    static constexpr std::string_view kName = "mapping/plot";

    Buffer positions;
    Buffer true_positions;  ///< optional
    Buffer other_positions; ///< optional
    Buffer status;
    int width = 320;
    int height = 320;
    glm::vec2 low{-2.0f};
    glm::vec2 high{2.0f};
    float line = 2.0f; ///< texels

    Image result;

    static void describe(PassInfo<MappingPlot>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
