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
                fmt::format("the far plane, {}, does not lie behind the near one, {}",
                            pass.far_plane, pass.near_plane));
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
    info.summary("Blurs what is out of focus, as a lens does")
        .details(
            "The circle of confusion on the sensor, of a thin lens aperture * focal_length / "
            "(focus "
            "- focal_length) * |z - focus| / z across, or \"linear\" slope * |z - focus|, gives "
            "the half side of a box around each texel; "
            "a summed-area table gives the mean over it, in the same time for all sizes. "
            "Texels in focus stay as they are to the bit. Along the rows and columns of a texel "
            "its box ends before what is less blurred, so that this does not spread. The "
            "blur is square, and what is hidden behind a blurred edge stays hidden: it is the "
            "method of the lecture, not that of a renderer of lenses.")
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
    info.parameter("near_plane", &DepthOfField::near_plane, "the camera's")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("far_plane", &DepthOfField::far_plane, "the camera's")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("focus", &DepthOfField::focus,
                   "depth that is sharp; of a lens more than focal_length")
        .range(0.0, kAnyFloat)
        .unit("scene units");
    info.parameter("aperture", &DepthOfField::aperture,
                   "\"thin_lens\": diameter of the opening; 0: all is sharp")
        .range(0.0, kAnyFloat)
        .unit("scene units");
    info.parameter("focal_length", &DepthOfField::focal_length, "\"thin_lens\": of the lens")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("slope", &DepthOfField::slope,
                   "\"linear\": diameter on the sensor a unit of distance from the focus")
        .range(0.0, kAnyFloat);
    info.parameter("sensor_height", &DepthOfField::sensor_height,
                   "what the picture's height is on the sensor")
        .range(kLeastFloat, kAnyFloat)
        .unit("scene units");
    info.parameter("max_radius", &DepthOfField::max_radius, "of the blur")
        .range(0.0, kMaxFocusRadius)
        .unit("texels");
    info.output("result", &DepthOfField::result, "of the source's size and format");
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
