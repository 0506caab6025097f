#include "passes/image/depth_of_field.hpp"

#include "passes/common/picture.hpp"
#include "passes/image/box_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tuff::passes {
namespace {

constexpr double kMaxFocusRadius = 4096.0;
constexpr double kAnyFloat = std::numeric_limits<float>::max();
constexpr double kLeastFloat = std::numeric_limits<float>::min();

bool has_planes(Graph& graph, const DepthOfField& pass) {
    if (pass.far_plane > pass.near_plane) return true;
    graph.error("pass/out-of-range",
                fmt::format("the far plane, {}, is not behind the near plane, {}", pass.far_plane,
                            pass.near_plane));
    return false;
}

bool has_lens(Graph& graph, const DepthOfField& pass) {
    if (pass.confusion == Confusion::linear || pass.focus > pass.focal_length) return true;
    graph.error(
        "pass/out-of-range",
        fmt::format("a lens of focal length {} cannot focus at {}", pass.focal_length, pass.focus),
        "set \"focus\" to more than \"focal_length\"");
    return false;
}

/// What a circle's diameter on the sensor is proportional to: for a thin lens the diameter for what
/// is infinitely far.
double diameter(const DepthOfField& pass) {
    if (pass.confusion == Confusion::linear) return pass.slope;
    return double{pass.aperture} * pass.focal_length / (double{pass.focus} - pass.focal_length);
}

} // namespace

void DepthOfField::describe(PassInfo<DepthOfField>& info) {
    info.summary("Blurs texels that are out of focus, as a lens does")
        .details(
            "Each texel becomes the mean over a box, which a summed-area table gives in the same "
            "time for all sizes. Half the side of the box is the circle of confusion on the "
            "sensor: its diameter is aperture * focal_length / (focus - focal_length) * |z - "
            "focus| / z for a thin lens, or slope * |z - focus| for \"linear\". Texels in focus "
            "stay the same to the bit. Along the rows and columns of a texel its box ends before "
            "texels that are less blurred, so sharp texels do not bleed. This is the method of the "
            "lecture: the blur is square, and what is hidden behind a blurred edge stays hidden.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal; Potmesil and "
                "Chakravarty, \"A lens and aperture camera model for synthetic image generation\", "
                "SIGGRAPH 1981 (circle of confusion)")
        .complexity("O(texels)")
        .cost([](const DepthOfField& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 150.0);
        });
    info.input("source", &DepthOfField::source, "a picture, linear light").picture();
    info.input("depth", &DepthOfField::depth,
               "its clip-space depth, 0 near and 1 far or nothing: depth of scene/mesh_raster")
        .depth_picture();
    info.optional_input("table", &DepthOfField::table,
                        "the source's summed-area table, where there is one already");
    info.parameter("confusion", &DepthOfField::confusion,
                   "\"thin_lens\", or \"linear\" in the distance from the focus");
    info.parameter("near_plane", &DepthOfField::near_plane, "near plane of the camera")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("far_plane", &DepthOfField::far_plane, "far plane of the camera")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("focus", &DepthOfField::focus,
                   "distance in focus; for a lens more than focal_length")
        .range(0.0, kAnyFloat)
        .unit("scene units");
    info.parameter("aperture", &DepthOfField::aperture,
                   "\"thin_lens\": diameter of the aperture; 0: all is sharp")
        .range(0.0, kAnyFloat)
        .unit("scene units");
    info.parameter("focal_length", &DepthOfField::focal_length,
                   "\"thin_lens\": focal length of the lens")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("slope", &DepthOfField::slope,
                   "\"linear\": diameter on the sensor a unit of distance from the focus")
        .range(0.0, kAnyFloat);
    info.parameter("sensor_height", &DepthOfField::sensor_height,
                   "height of the picture on the sensor")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("max_radius", &DepthOfField::max_radius, "largest radius of the blur")
        .range(0.0, kMaxFocusRadius)
        .unit("texels");
    info.output("result", &DepthOfField::result,
                "the blurred picture, of the source's size and format");
}

void DepthOfField::build(Graph& graph) {
    if (!same_size(graph, source, "source", depth, "depth")) return;
    if (!has_planes(graph, *this) || !has_lens(graph, *this)) return;
    const SummedArea sums = table_for(graph, table, source, SumPrecision::offset);
    if (!sums) return;

    ComputeNodeBuilder node = graph.compute("image/depth_of_field", "blur");
    node.read("source", ImageView(source).mip(0), Sampler::nearest());
    node.read("depth", ImageView(depth).mip(0), Sampler::nearest());
    node.read("sums", sums.sums, Sampler::nearest());
    node.read("mean", sums.mean);
    node.set("origin", glm::ivec2(sums.origin));
    node.set("near_plane", near_plane);
    node.set("far_plane", far_plane);
    node.set("focus", focus);
    node.set("confusion", static_cast<std::uint32_t>(confusion));
    const double strength = 0.5 * diameter(*this) / sensor_height * graph.extent(source).height;
    node.set("strength", static_cast<float>(std::min(strength, kAnyFloat))); // times 0 it is 0
    node.set("max_radius", max_radius);
    result = node.write("result",
                        image_like(graph, "result", source,
                                   result_format(graph.desc(source).format, OutputFormat::same)));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(DepthOfField)

} // namespace tuff::passes
