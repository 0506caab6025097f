#include "passes/volume/cast.hpp"

#include "passes/common/picture.hpp"
#include "passes/volume/bricks.hpp"
#include "passes/volume/histogram.hpp"
#include "passes/volume/transfer.hpp"

#include <glm/geometric.hpp>

#include <cmath>

namespace tuff::passes {
namespace {

bool is_open_volume(Graph& graph, const VolumeCast& pass) {
    if (!pass.open) return true;
    const ImageDesc& desc = graph.desc(pass.open);
    const FormatInfo& format = info(desc.format);
    if (desc.shape == ImageShape::d3 && !format.depth && format.kind != NumericKind::uint &&
        format.kind != NumericKind::sint)
        return true;
    graph.error("volume/bad-open", "input \"open\" is not a volume of real numbers",
                "connect the result of occlusion/ambient or occlusion/cones for the same volume");
    return false;
}

/// Texels of the part without its halo.
glm::ivec3 part_texels(const Graph& graph, const VolumeCast& pass) {
    const Extent extent = graph.extent(pass.source);
    return glm::ivec3(extent.width, extent.height, extent.depth) - 2 * pass.part.halo;
}

/// What a part can be cast by: what asks nothing of other parts.
bool is_cast_in_part(Graph& graph, const VolumeCast& pass) {
    const auto refuse = [&](std::string_view what, std::string_view hint) {
        graph.error("volume/part", std::string(what), std::string(hint));
        return false;
    };
    const glm::ivec3 own = part_texels(graph, pass);
    const glm::ivec3 last = pass.part.first + own;
    for (int axis = 0; axis < 3; ++axis)
        if (own[axis] < 1 || last[axis] > pass.part.cells[axis])
            return refuse("the source is larger than a part of the volume that begins there",
                          "give \"part\" the whole volume's size, the part's first texel and its "
                          "halo");
    if (pass.mode != VolumeCastMode::composite || pass.lookup != TransferLookup::number)
        return refuse("a part of a volume has neither a first surface nor pairs of numbers",
                      "choose the mode \"composite\" and the lookup \"number\"");
    if (pass.filter == VolumeFilter::device || !pass.weights.empty())
        return refuse("a part of a volume has the filters \"linear\" and \"nearest\" alone",
                      "filter the part before its halo is exchanged");
    if (pass.behind || pass.open)
        return refuse("a part of a volume has no \"behind\" and no \"open\"",
                      "put the picture behind the composited one");
    if (pass.shaded && pass.part.halo < 2)
        return refuse("gradients look two texels beyond a part", "exchange a halo of two texels");
    return true;
}

void set_part(ComputeNodeBuilder& node, const Graph& graph, const VolumeCast& pass) {
    const VolumePart& part = pass.part;
    node.set("part_corner", part.first - part.halo);
    // Samples at the ends of the volume are of the parts there, however they are rounded.
    constexpr float kFar = 1e9f;
    glm::vec3 low(part.first);
    const glm::ivec3 last = part.first + part_texels(graph, pass);
    glm::vec3 high(last);
    for (int axis = 0; axis < 3; ++axis) {
        if (part.first[axis] == 0) low[axis] = -kFar;
        if (last[axis] == part.cells[axis]) high[axis] = kFar;
    }
    node.set("part_low", low);
    node.set("part_high", high);
}

void set_open(ComputeNodeBuilder& node, const Graph& graph, const VolumeCast& pass) {
    const auto size = [&](Image volume) {
        const Extent extent = graph.extent(volume);
        return glm::vec3(extent.width, extent.height, extent.depth);
    };
    node.specialize("kOpenColors", std::uint32_t{info(graph.desc(pass.open).format).channels >= 3});
    node.set("open_share", size(pass.open) / size(pass.source));
}

bool is_cast(Graph& graph, const VolumeCast& pass) {
    if (!is_open_volume(graph, pass)) return false;
    if (!(glm::length(pass.light.towards) > 0.0f)) {
        graph.error("pass/out-of-range", "parameter \"light.towards\" has no length");
        return false;
    }
    if (bool(pass.behind) == bool(pass.behind_depth)) return true;
    graph.error("graph/unconnected", "only one of \"behind\" and \"behind_depth\" is connected",
                "connect both: the color and the depth of a picture of the same view");
    return false;
}

/// Which bricks show nothing.
Buffer empty_bricks(Graph& graph, const VolumeCast& pass, const SampledVolume& volume,
                    const TransferFunction& transfer, std::uint32_t entries, Buffer ranges) {
    ComputeNodeBuilder node = graph.compute("volume/empty_bricks");
    node.specialize("kSurface", static_cast<std::uint32_t>(pass.mode));
    transfer.set(node);
    const std::uint32_t bricks = brick_count(volume);
    node.read("ranges", ranges);
    node.set("surface", pass.surface);
    node.set("entry", 1.0f / transfer.scale(entries));
    node.set("bricks", bricks);
    const Buffer empty = node.write(
        "empty", graph.buffer("empty", {.size = 4 * std::uint64_t{bricks}, .stride = 4}));
    node.dispatch_each(bricks);
    return empty;
}

void set_light(ComputeNodeBuilder& node, const CastLight& light) {
    node.set("light.towards", glm::normalize(light.towards));
    node.set("light.color", light.color);
    node.set("light.ambient", light.ambient);
    node.set("light.diffuse", light.diffuse);
    node.set("light.specular", light.specular);
    node.set("light.shininess", light.shininess);
    node.set("light.least_change", light.least_change);
}

void describe_transfer(PassInfo<VolumeCast>& info) {
    info.parameter("mode", &VolumeCast::mode,
                   "\"composite\": the whole volume under the transfer function; \"surface\": the "
                   "first place where the number is \"surface\"")
        .structural();
    info.parameter("transfer", &VolumeCast::transfer,
                   "value, red, green, blue and opacity of 1 to 64 points: linear colors, "
                   "interpolated linearly; values ascend, and two equal values make a jump");
    info.parameter("unit", &VolumeCast::unit, "the length that opacities refer to")
        .range(1e-6, 1e6)
        .unit("texels");
    info.parameter("lookup", &VolumeCast::lookup,
                   "how a step reads the transfer function: by the \"number\" in its middle, or by "
                   "the \"pair\" of numbers at its ends, which misses no color in between")
        .structural();
    info.parameter("surface", &VolumeCast::surface,
                   "the number at the surface; greater numbers are solid");
    info.parameter("surface_color", &VolumeCast::surface_color, "linear color of the surface")
        .range(0.0, 65504.0);
    info.parameter("refinements", &VolumeCast::refinements,
                   "bisections of the step that contains the surface")
        .range(0, 24);
}

void describe_rendering(PassInfo<VolumeCast>& info) {
    info.parameter("shaded", &VolumeCast::shaded,
                   "shades by the gradient of the numbers and \"light\"")
        .structural();
    info.group("light", &VolumeCast::light);
    info.parameter("opaque", &VolumeCast::opaque,
                   "transmittance below which a ray ends; 0: rays go all the way")
        .range(0.0, 1.0);
    info.parameter("jitter", &VolumeCast::jitter,
                   "share of a step by which the starts of rays differ: grain instead of rings")
        .range(0.0, 1.0);
    info.parameter("seed", &VolumeCast::seed, "seed of the grain, for example \"$frame\"");
    info.parameter("skip", &VolumeCast::skip,
                   "skips bricks that show nothing; changes only the time")
        .structural();
}

} // namespace

void VolumeCast::describe(PassInfo<VolumeCast>& info) {
    info.summary("Ray-casts a volume under a transfer function, or a surface of it")
        .details(
            "Rays go from front to back. The light of a step of length s is color * (1 - (1 - "
            "opacity)^(s / unit)): the step length changes how finely the volume is sampled, not "
            "how dense it is. The last step of a ray is shortened to fit.\n\nThe transfer function "
            "becomes a table of 1024 entries, or of 256 x 256 integrals between pairs of numbers. "
            "The default shows numbers from 0 to 1 as greys, with a tenth of the number as "
            "opacity. NaN shows nothing; infinities are beyond the ends of the transfer function. "
            "Bricks of 8 x 8 x 8 texels that show nothing are skipped, which changes no bit of the "
            "result.\n\n\"shaded\" lights by central differences, with Blinn-Phong from both "
            "sides. A picture \"behind\" with its depth shows through the volume and ends rays. "
            "\"histogram\" and \"range\" describe the texels.\n\nWith \"part\" the source is a "
            "part of a larger volume, as a rank has it, with a halo that is exchanged: of 1 texel, "
            "or 2 if \"shaded\". Rays are those of the whole volume, and their samples in the part "
            "count: mpi/composite puts the pictures of all parts together. There is no "
            "background then, and \"depth\", \"range\" and \"histogram\" are of the part and its "
            "halo.\n\nErrors: volume/part, where something is asked of a part that needs others.")
        .source("Levoy, \"Display of Surfaces from Volume Data\", IEEE Computer Graphics and "
                "Applications 8(3), 1988; Engel, Kraus and Ertl, \"High-Quality Pre-Integrated "
                "Volume Rendering\", Graphics Hardware 2001; Gaulin, \"GPU Computation with Cg\", "
                "UNC Charlotte, 2004")
        .complexity("O(pixels * steps of a ray)")
        .cost([](const VolumeCast& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            const Extent extent = graph.extent(pass.source);
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = volume_bytes(graph, pass.source) + 20.0 * pixels,
                        .operations = (pass.shaded ? 260.0 : 50.0) * pixels * extent.depth /
                                      static_cast<double>(pass.step)};
        });
    describe_sampling(info);
    info.optional_input("behind", &VolumeCast::behind, "a picture of the same view").picture();
    info.optional_input("behind_depth", &VolumeCast::behind_depth, "its clip-space depth")
        .depth_picture();
    info.optional_input(
        "open", &VolumeCast::open,
        "openness of each place to the environment light, a volume of any size from "
        "occlusion/ambient or occlusion/cones: it multiplies the \"ambient\" share of the light, "
        "or all light without \"shaded\"; three numbers or more are a color");
    describe_transfer(info);
    describe_rendering(info);
    describe_view(info);
    info.parameter("background", &VolumeCast::background,
                   "linear color and alpha of the background");
    info.group("part", &VolumeCast::part);
    info.output("result", &VolumeCast::result, "the picture, rgba32_sfloat, linear light");
    info.output("depth", &VolumeCast::depth,
                "r32_sfloat: clip-space depth where the transmittance falls below a half; "
                "elsewhere the depth behind, or 1");
    info.output("range", &VolumeCast::range, "the least and the greatest number of the texels")
        .elements<float>();
    info.output("eye", &VolumeCast::eye,
                "of a part: where the camera is, in texels of the whole volume, or with w = 1 the "
                "direction of parallel rays")
        .elements<glm::vec4>();
    info.output("histogram", &VolumeCast::histogram, "number of texels in each 256th of that range")
        .elements<std::uint32_t>();
}

void VolumeCast::build(Graph& graph) {
    const auto volume = sampled_volume(graph, source, sampling_parameters(*this));
    const auto points = transfer_function(graph, transfer);
    if (!volume || !points || !is_cast(graph, *this)) return;
    const bool in_part = part.cells != glm::ivec3(0);
    if (in_part && !is_cast_in_part(graph, *this)) return;
    SampledVolume whole = *volume;
    if (in_part) whole.dims = glm::uvec3(part.cells);
    const auto view_rays = rays_through(graph, whole, view_parameters(*this), scene);
    if (!view_rays) return;
    const Extent extent{width, height, 1};
    result = graph.image("result", {.format = Format::rgba32_sfloat, .extent = extent});
    depth = graph.image("depth", {.format = Format::r32_sfloat, .extent = extent});
    if (behind && !(same_size(graph, result, "result", behind, "behind") &
                    same_size(graph, result, "result", behind_depth, "behind_depth"))) {
        result = {};
        depth = {};
        return;
    }
    const bool composites = mode == VolumeCastMode::composite;
    const bool pairs = composites && lookup == TransferLookup::pair;
    const float lengths = step / unit;
    const std::uint32_t entries = pairs ? kTransferSide : kTransferEntries;
    const Buffer table = pairs ? transfer_pairs(graph, *points, lengths)
                               : transfer_table(graph, *points, kTransferEntries);
    Buffer empty;
    const Buffer ranges = brick_ranges(graph, *volume);
    if (skip && !volume->weights)
        empty = empty_bricks(graph, *this, *volume, *points, entries, ranges);

    ComputeNodeBuilder node = graph.compute("volume/cast", {{"PART", in_part}});
    bind_volume(node, whole);
    view_rays->set(node);
    node.specialize("kSurface", std::uint32_t{!composites});
    node.specialize("kShaded", std::uint32_t{shaded});
    node.specialize("kPairs", std::uint32_t{pairs});
    node.read_optional("empty", BufferView(empty), "kSkips");
    node.read_optional("behind", ImageView(behind).mip(0), Sampler::nearest());
    node.read_optional("behind_depth", ImageView(behind_depth).mip(0), Sampler::nearest());
    node.read_optional("open", ImageView(open).mip(0),
                       filter == VolumeFilter::device ? Sampler{} : Sampler::nearest());
    if (open) set_open(node, graph, *this);
    node.read("table", table);
    node.set("first", points->numbers.front());
    node.set("scale", points->scale(entries));
    node.set("entries", entries);
    node.set("lengths", lengths);
    node.set("opaque", opaque);
    node.set("jitter", jitter);
    node.set("frame", seed);
    node.set("surface", surface);
    node.set("surface_color", surface_color);
    node.set("refinements", refinements);
    set_light(node, light);
    node.set("background", in_part ? glm::vec4(0.0f) : background);
    if (in_part) {
        set_part(node, graph, *this);
        eye = node.write("eye", graph.buffer("eye", {.size = 16, .stride = 16}));
    }
    result = node.write("result", result);
    depth = node.write("depth", depth);
    node.dispatch_over(extent);

    const NumberHistogram counted = count_numbers(graph, *volume, ranges);
    range = counted.range;
    histogram = counted.counts;
}

TUFF_PASS(VolumeCast)

} // namespace tuff::passes
