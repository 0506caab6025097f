#include "passes/distance/shade.hpp"

#include "passes/common/picture.hpp"
#include "passes/distance/field.hpp"
#include "passes/distance/shade_placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tuff::passes {
namespace {

constexpr double kMaxShadeSide = 16384.0;
constexpr double kMaxReach = 65536.0; // texels
constexpr double kMaxShadeColor = 65504.0;

/// How far from the contour the field still says how far, texels.
double reach_of(const ShadeDistance& pass, Format format) {
    double reach = std::numeric_limits<double>::infinity();
    if (info(format).kind == NumericKind::unorm) reach = 0.5 / static_cast<double>(pass.scale);
    if (pass.clamp > 0.0f) reach = std::min(reach, static_cast<double>(pass.clamp));
    return reach;
}

/// How far the mode looks, by the parameter that says so.
struct Wanted {
    std::string_view parameter;
    float texels = 0.0f;
};
Wanted wanted_reach(const ShadeDistance& pass) {
    switch (pass.mode) {
    case ShadeMode::outline: return {"thickness", pass.thickness};
    case ShadeMode::glow: return {"radius", pass.radius};
    case ShadeMode::shadow: return {"softness", pass.softness};
    default: return {};
    }
}

bool has_fitting_field(Graph& graph, const ShadeDistance& pass) {
    const FormatInfo& format = info(graph.desc(pass.field).format);
    const bool normalised = format.kind == NumericKind::unorm;
    if (format.channels != 1 || (format.kind != NumericKind::sfloat && !normalised)) {
        graph.error("distance/field-format",
                    fmt::format("input \"field\" has format {}, but needs one channel that "
                                "samplers can filter",
                                format.name),
                    "connect a field of distance/signed or distance/normalize");
        return false;
    }
    if (normalised && pass.scale == 0.0f) {
        graph.error("distance/no-scale",
                    fmt::format("\"scale\" is 0 and input \"field\" has format {}, which cannot "
                                "hold signed distances",
                                format.name),
                    "set \"scale\" to that of distance/normalize");
        return false;
    }
    const double reach = reach_of(pass, format.format);
    const Wanted wanted = wanted_reach(pass);
    if (static_cast<double>(wanted.texels) < reach) return true;
    graph.error("distance/beyond-clamp",
                fmt::format("\"{}\" is {} texels, but the field is flat beyond {}",
                            wanted.parameter, wanted.texels, reach),
                "decrease it, decrease the field's \"scale\", or increase its clamp");
    return false;
}

/// Of the background, else as the parameters say, else all of the field.
std::optional<Extent> extent_of(Graph& graph, const ShadeDistance& pass) {
    if (pass.background) return graph.extent(pass.background);
    const Extent field = graph.extent(pass.field);
    const auto side = [&](std::uint32_t given, std::uint32_t texels) {
        return given != 0 ? static_cast<double>(given)
                          : std::max(1.0, std::round(static_cast<double>(texels) *
                                                     static_cast<double>(pass.magnification)));
    };
    const double width = side(pass.width, field.width);
    const double height = side(pass.height, field.height);
    if (width <= kMaxShadeSide && height <= kMaxShadeSide)
        return Extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    graph.error("pass/out-of-range",
                fmt::format("the picture would have {} x {} pixels, more than {} a side", width,
                            height, kMaxShadeSide),
                "set \"width\" and \"height\", or a smaller \"magnification\"");
    return std::nullopt;
}

void set_look(KernelNode& node, const ShadeDistance& pass) {
    node.set("mode", static_cast<std::uint32_t>(pass.mode));
    node.set("per_texel", pass.scale == 0.0f ? 1.0f : pass.scale);
    node.set("contour", pass.scale == 0.0f ? 0.0f : 0.5f);
    node.set("color", pass.color);
    node.set("effect", pass.effect);
    node.set("ground", pass.ground);
    node.set("thickness", pass.thickness);
    node.set("radius", pass.radius);
    node.set("softness", pass.softness);
    node.set("offset", pass.offset);
    node.set("period", pass.period);
    node.set("animation", pass.animation - std::floor(pass.animation));
}

void describe_look(PassInfo<ShadeDistance>& info) {
    info.parameter("color", &ShadeDistance::color, "color of the shapes, with alpha")
        .range(0.0, kMaxShadeColor);
    info.parameter("effect", &ShadeDistance::effect,
                   "color of outline, glow and shadow, with alpha; hue bands use only the alpha")
        .range(0.0, kMaxShadeColor);
    info.parameter("ground", &ShadeDistance::ground, "color if no background is connected")
        .range(0.0, kMaxShadeColor);
    info.parameter("thickness", &ShadeDistance::thickness,
                   "\"outline\": width to each side of the contour")
        .range(0.0, kMaxReach, RangeEnds::open_low)
        .unit("texels");
    info.parameter("radius", &ShadeDistance::radius, "\"glow\": distance at which it has faded")
        .range(0.0, kMaxReach, RangeEnds::open_low)
        .unit("texels");
    info.parameter("softness", &ShadeDistance::softness,
                   "\"shadow\": softness of its edge, to each side; 0: sharp")
        .range(0.0, kMaxReach)
        .unit("texels");
    info.parameter("offset", &ShadeDistance::offset, "\"shadow\": offset to the right and down")
        .range(-kMaxReach, kMaxReach)
        .unit("texels");
    info.parameter("period", &ShadeDistance::period,
                   "\"hue\": distance from a color to its next band")
        .range(0.0, kMaxReach, RangeEnds::open_low)
        .unit("texels");
    info.parameter("animation", &ShadeDistance::animation,
                   "\"hue\": moves the bands; 1 is a whole turn")
        .range(-1e6, 1e6);
}

void describe_placement(PassInfo<ShadeDistance>& info) {
    info.parameter("width", &ShadeDistance::width,
                   "width of the picture; 0: that of the background, or else of the magnified "
                   "field")
        .range(0, kMaxShadeSide)
        .unit("pixels")
        .structural();
    info.parameter("height", &ShadeDistance::height, "height of the picture; 0: as for \"width\"")
        .range(0, kMaxShadeSide)
        .unit("pixels")
        .structural();
    info.parameter("magnification", &ShadeDistance::magnification, "pixels a texel")
        .range(1.0 / 1024, 4096.0);
    info.parameter("rotation", &ShadeDistance::rotation, "counter-clockwise rotation")
        .unit("degrees");
    info.parameter("tilt", &ShadeDistance::tilt,
                   "tilt of the field's upper part away from the eye; the eye's distance is the "
                   "picture's height")
        .range(-80.0, 80.0)
        .unit("degrees");
    info.parameter("center", &ShadeDistance::center,
                   "point of the field at the center of the picture, as shares of the field's size")
        .range(-100.0, 100.0);
}

} // namespace

void ShadeDistance::describe(PassInfo<ShadeDistance>& info) {
    info.summary("Draws shapes from their distance field, crisp at any magnification")
        .details(
            "The field is sampled with linear filtering, clamped at its border, and distances "
            "become colors: \"alpha_test\" decides at the contour; \"antialiased\" rises from a "
            "pixel before it to a pixel behind it; \"outline\" draws a band along it; \"glow\" "
            "fades away from it; \"shadow\" draws the same shape moved and softened below; \"hue\" "
            "draws bands of all colors around it. Shapes are drawn over the effect, and the effect "
            "over the background.\n\n\"scale\" 0 takes fields of signed distances "
            "(distance/signed, distance/antialiased); a \"scale\" above 0 takes fields of "
            "distance/normalize with that scale. Lengths are in texels of the field. With "
            "\"analytic\" the width of a pixel in the field follows from the placement alone, "
            "because distances have the slope 1. \"differences\" compares the field at "
            "neighbouring pixels, which also works for other slopes. The \"raster\" method draws "
            "one triangle, filters by the device's sampler and uses fwidth.\n\nA field is flat "
            "beyond its clamp, and beyond 0.5/scale if it has 8 or 16 bits: outlines, glows and "
            "shadows that reach farther are errors. So are fields of integers, which samplers "
            "cannot filter, and fields of more than 32,767 texels a side. A field without a "
            "contour shows no shape, or nothing else.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012; "
                "Green, \"Improved Alpha-Tested Magnification for Vector Textures and Special "
                "Effects\", SIGGRAPH courses, 2007")
        .complexity("O(pixels)")
        .cost([](const ShadeDistance& pass, const Graph& graph) -> Cost {
            if (!pass.result) return {};
            Cost cost = picture_cost(graph, pass.result, pass.result, 60.0);
            cost.bytes /= 2; // written alone
            // A magnified field has fewer texels than that; a small one is read more than once.
            const double texels = static_cast<double>(graph.extent(pass.field).width) *
                                  graph.extent(pass.field).height;
            cost.bytes += texels * tuff::info(graph.desc(pass.field).format).texel_bytes;
            if (pass.background)
                cost.bytes += picture_cost(graph, pass.background, pass.background, 0.0).bytes / 2;
            return cost;
        });
    info.input("field", &ShadeDistance::field, "signed or normalised distances");
    info.optional_input("background", &ShadeDistance::background,
                        "the picture behind, encoded for a display")
        .picture();
    info.parameter("mode", &ShadeDistance::mode, "the effect to draw");
    info.parameter("scale", &ShadeDistance::scale,
                   "scale of distance/normalize; 0: the field has signed distances")
        .range(0.0, 1.0);
    info.parameter("clamp", &ShadeDistance::clamp,
                   "distance beyond which the field is flat; 0: none")
        .range(0.0, kMaxReach)
        .unit("texels");
    describe_placement(info);
    describe_look(info);
    info.parameter("footprint", &ShadeDistance::footprint,
                   "how the compute method computes the width of a pixel");
    info.parameter("method", &ShadeDistance::method, "compute kernel or rasterizer").structural();
    info.parameter("format", &ShadeDistance::format, "format of the result").structural();
    info.output("result", &ShadeDistance::result, "the picture; colors are not converted");
}

void ShadeDistance::build(Graph& graph) {
    const ImageDesc desc = graph.desc(field);
    if (desc.shape != ImageShape::d2 || desc.layers != 1 || desc.samples != 1) {
        graph.error("image/not-two-dimensional",
                    "input \"field\" has depth, layers, faces or samples",
                    "connect a single "
                    "layer");
        return;
    }
    if (!has_field_size(graph, desc.extent) || !has_fitting_field(graph, *this)) return;
    const std::optional<Extent> extent = extent_of(graph, *this);
    if (!extent) return;
    const ShadePlacement placement = shade_placement(*this, desc.extent, *extent);
    const Image target =
        graph.image("result", {.format = format == ShadeFormat::rgba8_unorm ? Format::rgba8_unorm
                                                                            : Format::rgba16_sfloat,
                               .extent = *extent});
    const auto connect = [&](KernelNode& node, Sampler sampler) {
        set_look(node, *this);
        node.set("to_x", placement.x);
        node.set("to_y", placement.y);
        node.set("to_w", placement.w);
        node.read("field", ImageView(field).mip(0), sampler);
        node.read_optional("background", background ? ImageView(background).mip(0) : ImageView{},
                           Sampler::nearest());
    };
    if (method == ShadeMethod::compute) {
        ComputeNodeBuilder node = graph.compute("distance/shade");
        connect(node, Sampler::nearest());
        node.set("differences", footprint == ShadeWidth::differences ? 1u : 0u);
        result = node.write("result", target);
        node.dispatch_over(*extent);
        return;
    }
    RasterNodeBuilder node = graph.raster("distance/shade_draw");
    connect(node, {});
    node.set("differences", 1u);
    node.state().depth_test = false;
    node.state().depth_write = false;
    result = node.color(target, discarded());
    node.draw({.count = 3});
}

TUFF_PASS(ShadeDistance)

} // namespace tuff::passes
