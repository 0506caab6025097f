#pragma once

#include "passes/mapping/rgbd.hpp"

#include <tuff/shared_struct.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

/// Camera tracking: the normal equations of point-to-plane ICP and of photometric odometry, alone
/// or together.
namespace tuff::passes {

/// How the camera is tracked, and when it counts as lost.
struct TrackingSettings {
    float geometric = 1.0f;
    float photometric = 0.1f;
    glm::ivec3 iterations{10, 5, 4}; ///< iterations of the finest level, the middle one, the
                                     ///< coarsest
    float distance = 0.1f;           ///< metres
    float angle = 40.0f;             ///< degrees
    float small_step = 1e-5f;        ///< metres and radians
    float unconstrained = 5e-4f;     ///< pivot
    float least_pairs = 0.4f;        ///< share of the pixels
    float most_error = 0.03f;        ///< metres
    float most_difference = 0.12f;   ///< difference of brightness
    float most_moved = 0.3f;         ///< metres
    float most_turned = 20.0f;       ///< degrees

    template <typename Fields>
    static void describe_fields(const Fields& field) {
        field("geometric", &TrackingSettings::geometric,
              "weight of distances to the reference's surfaces (ICP); 0: not used")
            .range(0.0, 1e3);
        field("photometric", &TrackingSettings::photometric,
              "weight of differences of brightness (odometry): with 0.1 a difference of 1 "
              "counts as a distance of 0.1 m; 0: not used")
            .range(0.0, 1e3);
        field("iterations", &TrackingSettings::iterations,
              "largest number of iterations, for the finest level, the middle one and the "
              "coarsest")
            .range(0, 100)
            .structural();
        field("distance", &TrackingSettings::distance,
              "largest distance between the points of a pair")
            .range(1e-4, 100.0)
            .unit("metres");
        field("angle", &TrackingSettings::angle, "largest angle between the normals of a pair")
            .range(0.0, 180.0)
            .unit("degrees");
        field("small_step", &TrackingSettings::small_step,
              "step size, in metres and radians, below which a level ends")
            .range(0.0, 1.0);
        field("unconstrained", &TrackingSettings::unconstrained,
              "degrees of freedom whose share of all equations is at most this keep their "
              "values")
            .range(0.0, 1.0);
        field("least_pairs", &TrackingSettings::least_pairs,
              "the camera is lost if there are fewer pairs, as a share of the pixels")
            .range(0.0, 1.0);
        field("most_error", &TrackingSettings::most_error,
              "the camera is lost if the mean distance of pairs is larger")
            .range(0.0, 100.0)
            .unit("metres");
        field("most_difference", &TrackingSettings::most_difference,
              "the camera is lost if the mean difference of brightness, 0 to 1, is larger")
            .range(0.0, 1.0);
        field("most_moved", &TrackingSettings::most_moved,
              "the camera is lost if it moves more from one frame to the "
              "next")
            .range(0.0, 100.0)
            .unit("metres");
        field("most_turned", &TrackingSettings::most_turned,
              "the camera is lost if it rotates more from one frame to the "
              "next")
            .range(0.0, 180.0)
            .unit("degrees");
    }
};

/// What tracking reports; `TrackingStatus` of shaders/mapping/tracking_status.glsl.
struct TrackingStatus {
    std::uint32_t frames = 0;        ///< frames so far, including this one
    std::uint32_t lost = 0;          ///< 1: the camera is lost in this frame
    std::uint32_t lost_frames = 0;   ///< lost frames so far
    std::uint32_t iterations = 0;    ///< iterations of all levels
    std::uint32_t unconstrained = 0; ///< degrees of freedom, of 6, that are not determined
    std::uint32_t pairs = 0;         ///< pairs of points and surfaces
    std::uint32_t looks = 0;         ///< pairs of brightness
    float rms_distance = 0.0f;       ///< mean distance of the pairs, metres
    float rms_brightness = 0.0f;
    float moved = 0.0f;  ///< motion since the reference, metres
    float turned = 0.0f; ///< rotation since the reference, radians
    std::uint32_t failure =
        0; ///< bits: too few pairs, too far apart, too fast, not finite, brightness too different

    static constexpr std::string_view kStructName = "TrackingStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(TrackingStatus, frames),         TUFF_MEMBER(TrackingStatus, lost),
            TUFF_MEMBER(TrackingStatus, lost_frames),    TUFF_MEMBER(TrackingStatus, iterations),
            TUFF_MEMBER(TrackingStatus, unconstrained),  TUFF_MEMBER(TrackingStatus, pairs),
            TUFF_MEMBER(TrackingStatus, looks),          TUFF_MEMBER(TrackingStatus, rms_distance),
            TUFF_MEMBER(TrackingStatus, rms_brightness), TUFF_MEMBER(TrackingStatus, moved),
            TUFF_MEMBER(TrackingStatus, turned),         TUFF_MEMBER(TrackingStatus, failure)};
    }
    static TrackingStatus read(std::span<const std::uint32_t> words);
    /// mapping/tracking-lost, mapping/unconstrained
    Diagnostics warnings() const;
};

/// A camera's frame, and the reference that it is aligned with.
struct AlignmentRequest {
    RgbdMaps maps;
    RgbdMaps reference;
    Buffer before; ///< optional; five vec4: the reference camera's pose and counts
    Buffer first;  ///< optional; pose of the first frame
    glm::dmat4 first_pose{1.0};
    TrackingSettings settings;
};

struct AlignmentResult {
    Buffer pose;
    Buffer kept; ///< for the next frame's `AlignmentRequest::before`
    Buffer status;
};

/// Describes `before` and `kept`.
inline constexpr BufferDesc kTrackedDesc{.size = 80, .stride = 16};

/// Returns an empty result, with errors reported, if the request is not valid (mapping/no-weight,
/// mapping/bad-reference).
AlignmentResult align_maps(Graph& graph, const AlignmentRequest& request);

} // namespace tuff::passes
