#include "passes/volume/section.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSectionSide = 16384;

/// How the picture lies in the volume, in texels; the middle of the first one is 0.
struct Sheet {
    Extent extent;
    glm::dvec3 origin{0.0}; ///< the middle of the upper left texel
    glm::dvec3 right{0.0};  ///< to the next one
    glm::dvec3 down{0.0};
    glm::dvec3 across{0.0}; ///< from layer to layer
    std::uint32_t layers = 1;
};

template <typename Pass>
void describe_section(PassInfo<Pass>& info) {
    info.parameter("thickness", &Pass::thickness,
                   "thickness of a slab about the plane; its layers are combined")
        .range(0.0, 1e9)
        .unit("world units");
    info.parameter("combine", &Pass::combine, "how the numbers across the slab are combined")
        .structural();
    info.parameter("show", &Pass::show,
                   "\"number\" as a grey, or \"color\": red, green and blue of the texels")
        .structural();
    info.parameter("low", &Pass::low, "the number that is black");
    info.parameter("high", &Pass::high, "the number that is white");
    info.parameter("background", &Pass::background, "linear color and alpha outside the volume");
    info.output("result", &Pass::result, "the picture, rgba32_sfloat, linear light");
    info.output("values", &Pass::values,
                "the numbers themselves, r32_sfloat; 0 where there are none");
    info.cost([](const Pass& pass, const Graph& graph) {
        if (!pass.result) return Cost{};
        const Extent extent = graph.extent(pass.result);
        const double texels = static_cast<double>(extent.width) * extent.height;
        return Cost{.bytes = 24.0 * texels, .operations = 60.0 * texels};
    });
}

template <typename Pass>
bool is_section(Graph& graph, const Pass& pass, const SampledVolume& volume) {
    if (!is_window(graph, pass.low, pass.high)) return false;
    if (pass.show != VolumeShows::color) return true;
    if (volume.channels >= 3 && pass.weights.empty()) return true;
    graph.error(
        "volume/no-such-number",
        volume.channels < 3
            ? fmt::format("\"show\" is \"color\", but a texel has {} number(s)", volume.channels)
            : "\"show\" is \"color\", but \"weights\" filter a single number",
        "set \"show\" to \"number\", and choose a channel by \"number\"");
    return false;
}

template <typename Pass>
void draw_section(Graph& graph, Pass& pass, const SampledVolume& volume, const Sheet& sheet) {
    ComputeNodeBuilder node = graph.compute("volume/section");
    bind_volume(node, volume);
    node.specialize("kCombine", static_cast<std::uint32_t>(pass.combine));
    node.specialize("kColor", static_cast<std::uint32_t>(pass.show));
    node.set("origin", glm::vec3(sheet.origin));
    node.set("right", glm::vec3(sheet.right));
    node.set("down", glm::vec3(sheet.down));
    node.set("across", glm::vec3(sheet.across));
    node.set("layers", sheet.layers);
    node.set("low", pass.low);
    node.set("high", pass.high);
    node.set("background", pass.background);
    pass.result = node.write(
        "result", graph.image("result", {.format = Format::rgba32_sfloat, .extent = sheet.extent}));
    pass.values = node.write(
        "values", graph.image("values", {.format = Format::r32_sfloat, .extent = sheet.extent}));
    node.dispatch_over(sheet.extent);
}

/// Layers of a slab: an odd number, so that one is in the middle.
std::uint32_t layers_of(double thickness, double distance) {
    constexpr double kMaxToASide = 8192.0;
    const double to_a_side = std::floor(0.5 * thickness / distance + 1e-6);
    return 2 * static_cast<std::uint32_t>(std::min(to_a_side, kMaxToASide)) + 1;
}

/// Texels of the picture along both sides, and how long one is in the world.
struct Pixels {
    std::uint32_t width, height;
    double size;
};

/// A side left open takes what the other one needs; without any a pixel is the finest spacing.
Pixels pixels_of(const VolumeSlice& pass, glm::dvec2 edges, double finest) {
    const auto count = [](double length) {
        return static_cast<std::uint32_t>(
            std::clamp(std::lround(length), 1L, static_cast<long>(kMaxSectionSide)));
    };
    double size = finest;
    if (pass.width > 0 && pass.height > 0)
        size = std::max(edges.x / pass.width, edges.y / pass.height);
    else if (pass.width > 0)
        size = edges.x / pass.width;
    else if (pass.height > 0)
        size = edges.y / pass.height;
    return {pass.width > 0 ? pass.width : count(edges.x / size),
            pass.height > 0 ? pass.height : count(edges.y / size), size};
}

Sheet sheet_of(const VolumeSlice& pass, const SampledVolume& volume, int slice) {
    const int axis = static_cast<int>(pass.axis);
    const int x = axis == 0 ? 1 : 0;
    const int y = axis == 2 ? 1 : 2;
    const glm::dvec3 edges(volume.edges());
    const glm::dvec3 spacing(volume.spacing);
    const Pixels pixels = pixels_of(pass, {edges[x], edges[y]}, std::min(spacing[x], spacing[y]));
    const double size = pixels.size;
    Sheet sheet{.extent = {pixels.width, pixels.height, 1}};
    sheet.right[x] = size / spacing[x];
    sheet.down[y] = (pass.upwards ? -size : size) / spacing[y];
    // The middle of the picture is that of the slice.
    const glm::dvec3 middle = 0.5 * (glm::dvec3(volume.dims) - 1.0);
    sheet.origin = middle - 0.5 * (pixels.width - 1.0) * sheet.right -
                   0.5 * (pixels.height - 1.0) * sheet.down;
    sheet.origin[axis] = slice;
    sheet.across[axis] = 1.0;
    sheet.layers = layers_of(static_cast<double>(pass.thickness), spacing[axis]);
    return sheet;
}

std::optional<Sheet> sheet_of(Graph& graph, const VolumeOblique& pass,
                              const SampledVolume& volume) {
    const glm::dvec3 spacing(volume.spacing);
    const double length = glm::length(glm::dvec3(pass.normal));
    if (!(length > 0.0)) {
        graph.error("pass/out-of-range", "parameter \"normal\" has no length");
        return std::nullopt;
    }
    const glm::dvec3 normal = glm::dvec3(pass.normal) / length;
    glm::dvec3 up(pass.up);
    glm::dvec3 right = glm::cross(up, normal);
    if (glm::length(right) < 1e-6 * std::max(glm::length(up), 1e-300)) {
        // Along the normal: the axis farthest from it.
        up = glm::dvec3(0.0);
        int axis = 0;
        for (int i = 1; i < 3; ++i)
            if (std::abs(normal[i]) < std::abs(normal[axis])) axis = i;
        up[axis] = 1.0;
        right = glm::cross(up, normal);
    }
    right = glm::normalize(right);
    const glm::dvec3 down = -glm::cross(normal, right);
    const double diagonal = glm::length(glm::dvec3(volume.edges()));
    const double size = pass.pixel > 0.0f ? static_cast<double>(pass.pixel)
                                          : diagonal / std::min(pass.width, pass.height);
    const double finest = static_cast<double>(volume.finest());
    Sheet sheet{.extent = {pass.width, pass.height, 1}};
    sheet.right = size * right / spacing;
    sheet.down = size * down / spacing;
    sheet.across = finest * normal / spacing;
    sheet.layers = layers_of(static_cast<double>(pass.thickness), finest);
    sheet.origin = glm::dvec3(pass.point) * glm::dvec3(volume.dims) - 0.5 -
                   0.5 * (pass.width - 1.0) * sheet.right - 0.5 * (pass.height - 1.0) * sheet.down;
    return sheet;
}

} // namespace

void VolumeSlice::describe(PassInfo<VolumeSlice>& info) {
    info.summary("Shows a slice of a volume perpendicular to one of its axes, or a slab of slices")
        .details(
            "Across x the picture shows y to the right and z downwards; across y it shows x and z; "
            "across z it shows x and y. Its pixels are squares in the world: where the spacing "
            "differs, so does the number of pixels. With neither \"width\" nor \"height\" a pixel "
            "is as large as the finer spacing, so slices of even spacing show the texels "
            "unchanged. With both, the slice is centered, as large as fits. A slab contains all "
            "slices whose middles are at most half its thickness away. NaNs do not count; where "
            "only NaNs are found the picture is black.")
        .complexity("O(pixels * slices of the slab)");
    describe_sampling(info);
    info.parameter("axis", &VolumeSlice::axis, "axis that the slice is perpendicular to")
        .structural();
    info.parameter("index", &VolumeSlice::index, "index of the slice, from 0; -1: the middle slice")
        .range(-1, 16383);
    info.parameter("width", &VolumeSlice::width, "width of the picture; 0: follows from the height")
        .range(0, kMaxSectionSide)
        .unit("texels")
        .structural();
    info.parameter("height", &VolumeSlice::height,
                   "height of the picture; 0: follows from the width")
        .range(0, kMaxSectionSide)
        .unit("texels")
        .structural();
    info.parameter("upwards", &VolumeSlice::upwards,
                   "flips the picture: it begins with the last row");
    describe_section(info);
}

void VolumeSlice::build(Graph& graph) {
    const auto volume = sampled_volume(graph, source, sampling_parameters(*this));
    if (!volume || !is_section(graph, *this, *volume)) return;
    const auto slices = static_cast<std::int32_t>(volume->dims[static_cast<int>(axis)]);
    if (index >= slices) {
        graph.error("volume/no-such-slice",
                    fmt::format("\"index\" is {}, but there are {} slices", index, slices),
                    fmt::format("set \"index\" to 0 to {}", slices - 1));
        return;
    }
    draw_section(graph, *this, *volume, sheet_of(*this, *volume, index < 0 ? slices / 2 : index));
}

void VolumeOblique::describe(PassInfo<VolumeOblique>& info) {
    info.summary("Shows a section of a volume along any plane, or a slab about it")
        .details("The plane goes through \"point\", which is the center of the picture. \"normal\" "
                 "points to the viewer; \"up\", projected onto the plane, points upwards in the "
                 "picture. Directions are in the world, where texels have their spacing. A plane "
                 "perpendicular to an axis shows the same as volume/slice. NaNs do not count.")
        .complexity("O(pixels * layers of the slab)");
    describe_sampling(info);
    info.parameter("point", &VolumeOblique::point,
                   "point of the plane; 0: the volume's first corner, 1: its last corner")
        .range(-1.0, 2.0);
    info.parameter("normal", &VolumeOblique::normal, "direction of the normal; any length but 0")
        .range(-1e6, 1e6);
    info.parameter("up", &VolumeOblique::up, "upward direction; replaced if it is along the normal")
        .range(-1e6, 1e6);
    info.parameter("pixel", &VolumeOblique::pixel,
                   "size of a pixel; 0: the picture shows the whole plane")
        .range(0.0, 1e9)
        .unit("world units");
    info.parameter("width", &VolumeOblique::width, "width of the picture")
        .range(1, kMaxSectionSide)
        .unit("texels")
        .structural();
    info.parameter("height", &VolumeOblique::height, "height of the picture")
        .range(1, kMaxSectionSide)
        .unit("texels")
        .structural();
    describe_section(info);
}

void VolumeOblique::build(Graph& graph) {
    const auto volume = sampled_volume(graph, source, sampling_parameters(*this));
    if (!volume || !is_section(graph, *this, *volume)) return;
    const auto sheet = sheet_of(graph, *this, *volume);
    if (sheet) draw_section(graph, *this, *volume, *sheet);
}

TUFF_PASS(VolumeSlice)
TUFF_PASS(VolumeOblique)

} // namespace tuff::passes
