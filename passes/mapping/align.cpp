#include "passes/mapping/align.hpp"

#include "passes/mapping/normals.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::string_view kAlignSource =
    "R. Newcombe et al., \"KinectFusion: Real-Time Dense Surface Mapping and Tracking\", ISMAR "
    "2011, section 3.5; F. Steinbruecker, J. Sturm and D. Cremers, \"Real-Time Visual Odometry "
    "from "
    "Dense RGB-D Images\", ICCV workshops 2011; T. Whelan et al., \"Robust Real-Time Visual "
    "Odometry for Dense RGB-D Mapping\", ICRA 2013";

/// The maps of the last frame that was placed, for the next execution.
class KeptMaps {
  public:
    KeptMaps(Graph& graph, const RgbdMaps& like) : graph_(graph), like_(like) {
        for (std::uint32_t level = 0; level < kRgbdLevels; ++level) {
            geometry_[level] = graph.history_image(fmt::format("geometry_{}", level),
                                                   graph.desc(like.geometry[level]));
            grey_[level] =
                graph.history_image(fmt::format("grey_{}", level), graph.desc(like.grey[level]));
        }
    }
    RgbdMaps before() const {
        RgbdMaps maps = like_;
        for (std::uint32_t level = 0; level < kRgbdLevels; ++level) {
            maps.geometry[level] = geometry_[level].previous[0];
            maps.grey[level] = grey_[level].previous[0];
        }
        return maps;
    }
    /// Keeps `maps`, or where the camera is lost what was kept before.
    void keep(const RgbdMaps& maps, Buffer pose) {
        ComputeNodeBuilder node = graph_.compute("mapping/keep_maps");
        node.read("camera_pose", pose);
        RgbdMaps kept = like_;
        for (std::uint32_t level = 0; level < kRgbdLevels; ++level) {
            node.read(fmt::format("new_geometry_{}", level), maps.geometry[level]);
            node.read(fmt::format("new_grey_{}", level), maps.grey[level]);
            node.read(fmt::format("old_geometry_{}", level), geometry_[level].previous[0]);
            node.read(fmt::format("old_grey_{}", level), grey_[level].previous[0]);
            kept.geometry[level] = geometry_[level].current;
            kept.grey[level] = grey_[level].current;
        }
        write_maps(node, kept);
        node.dispatch_over(graph_.extent(maps.geometry[0]));
    }

  private:
    Graph& graph_;
    RgbdMaps like_;
    std::array<ImageHistory, kRgbdLevels> geometry_;
    std::array<ImageHistory, kRgbdLevels> grey_;
};

} // namespace

Cost alignment_cost(Extent extent, const TrackingSettings& settings) {
    Cost cost;
    for (std::uint32_t level = 0; level < kRgbdLevels; ++level) {
        const double texels = double(extent.width >> level) * (extent.height >> level);
        const double times = settings.iterations[static_cast<int>(level)];
        // Geometry of both, and brightness where it counts.
        cost.bytes += times * texels * (settings.photometric > 0.0f ? 40.0 : 32.0);
        cost.operations += times * texels * (settings.photometric > 0.0f ? 250.0 : 150.0);
    }
    return cost;
}

void MappingAlign::describe(PassInfo<MappingAlign>& info) {
    info.summary("Computes the motion of a depth camera between two views")
        .details(
            "The pass takes Gauss-Newton steps from coarse to fine levels. Pairs come from "
            "projective association: a point of the frame and the surface that the reference "
            "camera sees there form a pair if they are close and have similar normals. A step "
            "minimizes two sums of squares: the point-to-plane distances, weighted by the "
            "depths' noise, and the differences of brightness.\n\n"
            "An iteration is one kernel. Groups add up 32 numbers by subgroups, and the last "
            "group solves the six equations with pivoting. Directions without a pivot are left "
            "unchanged and counted (3 in front of a wall). A level ends when its steps have "
            "become small; its other iterations dispatch no groups.\n\n"
            "The pose maps from the camera to the reference camera. Errors: mapping/no-weight, "
            "mapping/bad-reference.")
        .source(kAlignSource)
        .complexity("O(pixels * iterations)")
        .cost([](const MappingAlign& pass, const Graph& graph) {
            return alignment_cost(graph.extent(pass.maps.geometry[0]), pass.tracking);
        });
    info.input("maps", &MappingAlign::maps, "surfaces of the camera");
    info.input("reference", &MappingAlign::reference, "surfaces of the reference camera");
    info.group("tracking", &MappingAlign::tracking);
    info.output("pose", &MappingAlign::pose,
                "pose that maps from the camera to the reference "
                "camera")
        .elements<glm::vec4>();
    info.output("status", &MappingAlign::status, "counts and errors of the alignment")
        .elements<TrackingStatus>();
}

void MappingAlign::build(Graph& graph) {
    const AlignmentResult found =
        align_maps(graph, {.maps = maps, .reference = reference, .settings = tracking});
    pose = found.pose;
    status = found.status;
}

void MappingLocalise::describe(PassInfo<MappingLocalise>& info) {
    info.summary("Tracks a depth camera from frame to frame (odometry)")
        .details(
            "Each frame is aligned (mapping/align) with the last frame whose pose is known, "
            "and the motions are concatenated. Errors add up over the frames; mapping/tsdf "
            "avoids that by aligning with its map. With \"photometric\" 0 the pass is ICP, "
            "with \"geometric\" 0 photometric odometry, otherwise their weighted sum.\n\n"
            "A camera that jumps or sees too little is lost: the last row of its pose is 0, "
            "and a warning gives the reason. The reference stays, so the camera is found again "
            "when it comes back.")
        .source(kAlignSource)
        .complexity("O(pixels * iterations)")
        .cost([](const MappingLocalise& pass, const Graph& graph) {
            return alignment_cost(graph.extent(pass.frame.depth), pass.tracking);
        });
    info.input("frame", &MappingLocalise::frame, "depth and color of the camera");
    info.optional_input("first", &MappingLocalise::first,
                        "pose of the first frame; without it the world's origin is the "
                        "camera's first position")
        .elements<glm::vec4>();
    info.group("tracking", &MappingLocalise::tracking);
    info.parameter("smooth", &MappingLocalise::smooth, "smoothing of depths, as in mapping/normals")
        .range(0.0, 100.0);
    info.parameter("edge", &MappingLocalise::edge,
                   "largest difference of depth within a "
                   "surface, as in mapping/normals")
        .range(0.0, 10.0)
        .unit("metres");
    info.output("pose", &MappingLocalise::pose, "pose, camera to world").elements<glm::vec4>();
    info.output("status", &MappingLocalise::status, "counts and errors of the tracking")
        .elements<TrackingStatus>();
}

void MappingLocalise::build(Graph& graph) {
    if (!is_valid(graph, frame) || (first && !is_pose(graph, first, "first"))) return;
    const RgbdMaps now =
        graph.add(MappingNormals{.frame = frame, .smooth = smooth, .edge = edge}).maps;
    KeptMaps kept(graph, now);
    const BufferHistory tracked = graph.history_buffer("tracked", kTrackedDesc);
    const AlignmentResult found = align_maps(graph, {.maps = now,
                                                     .reference = kept.before(),
                                                     .before = tracked.previous[0],
                                                     .first = first,
                                                     .settings = tracking});
    if (!found.pose) return;
    kept.keep(now, found.pose);
    (void)graph.copy(found.kept, tracked.current, "keep_pose");
    pose = found.pose;
    status = found.status;
}

TUFF_PASS(MappingAlign)
TUFF_PASS(MappingLocalise)

} // namespace tuff::passes
