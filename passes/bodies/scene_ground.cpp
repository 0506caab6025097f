#include "passes/bodies/scene_parts.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kMaxGroundPoints = 1u << 24; // 64 MiB

/// As `GroundStatus` of shaders/bodies/ground.comp.
struct GroundStatus {
    std::uint32_t not_finite = 0; ///< texels that are no finite number
    std::uint32_t cut = 0;        ///< heights beyond the highest

    static constexpr std::string_view kStructName = "GroundStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(GroundStatus, not_finite), TUFF_MEMBER(GroundStatus, cut)};
    }
    static GroundStatus read(std::span<const std::uint32_t> words) {
        return words.size() < 2 ? GroundStatus{} : GroundStatus{words[0], words[1]};
    }
    Diagnostics warnings() const {
        Diagnostics all;
        if (not_finite > 0)
            all.push_back(warning("bodies/ground-not-finite",
                                  fmt::format("{} texels of the ground are not finite numbers: "
                                              "heights are 0 there, and distances outside",
                                              not_finite),
                                  "look for NaN and infinities in the picture or volume"));
        if (cut > 0)
            all.push_back(warning("bodies/ground-too-high",
                                  fmt::format("{} heights are beyond \"heights.highest\" and were "
                                              "cut",
                                              cut),
                                  "increase \"heights.highest\""));
        return all;
    }
};

/// Whether an image has floats or shares, in the shape that is asked for, with at least two and not
/// too many points.
bool is_ground(Graph& graph, Image image, ImageShape shape, std::string_view port) {
    const ImageDesc& desc = graph.desc(image);
    const FormatInfo& format = tuff::info(desc.format);
    const bool numbers = format.kind == NumericKind::sfloat || format.kind == NumericKind::ufloat ||
                         format.kind == NumericKind::unorm || format.kind == NumericKind::snorm;
    const bool deep = shape == ImageShape::d3;
    if (desc.shape != shape || !numbers || format.depth || desc.samples != 1) {
        graph.error(
            "bodies/bad-ground",
            fmt::format("\"{}\" is not a {} of real numbers", port, deep ? "volume" : "picture"),
            deep ? "connect a volume of signed distances, as distance/signed makes it"
                 : "connect a picture of heights, as terrain/heights makes it");
        return false;
    }
    const Extent e = desc.extent;
    const std::uint64_t points = std::uint64_t{e.width} * e.height * (deep ? e.depth : 1);
    if (e.width >= 2 && e.height >= 2 && (!deep || e.depth >= 2) && points <= kMaxGroundPoints)
        return true;
    graph.error(
        "bodies/bad-ground",
        fmt::format("\"{}\" has {} x {} x {} texels", port, e.width, e.height, e.depth),
        fmt::format("give at least 2 along each axis, and at most {} in all", kMaxGroundPoints));
    return false;
}

BodyStart ground_start(const MakeBodies& scene, glm::vec3 place) {
    return {
        .place = place, .mass = 0.0f, .friction = scene.friction, .restitution = scene.restitution};
}

/// vec4s of a header and of so many numbers.
std::uint32_t ground_quads(std::uint64_t points) {
    return static_cast<std::uint32_t>(1 + (points + 3) / 4);
}

} // namespace

std::optional<GroundBodies> add_ground(Graph& graph, const MakeBodies& scene, BodyList& list) {
    GroundBodies ground;
    auto next = static_cast<std::uint32_t>(list.geometry.size());
    if (scene.heights) {
        if (!is_ground(graph, scene.heights, ImageShape::d2, "heights")) return std::nullopt;
        const Extent e = graph.desc(scene.heights).extent;
        ground.heights_first = next;
        const glm::vec2 half = 0.5f * scene.heights_ground.size;
        list.field_on_device(ShapeKind::heights, {half.x, scene.heights_ground.highest, half.y},
                             next, ground_start(scene, scene.heights_ground.position));
        next += ground_quads(std::uint64_t{e.width} * e.height);
        ground.quads = next;
    }
    if (scene.field) {
        if (!is_ground(graph, scene.field, ImageShape::d3, "field")) return std::nullopt;
        const Extent e = graph.desc(scene.field).extent;
        ground.field_first = next;
        const glm::vec3 steps(e.width - 1, e.height - 1, e.depth - 1);
        list.field_on_device(ShapeKind::distances, 0.5f * scene.field_ground.spacing * steps, next,
                             ground_start(scene, scene.field_ground.position));
        next += ground_quads(std::uint64_t{e.width} * e.height * e.depth);
        ground.quads = next;
    }
    return ground;
}

Buffer ground_geometry(Graph& graph, const MakeBodies& scene, const GroundBodies& ground,
                       Buffer geometry) {
    const Buffer all = body_array(graph, "all_geometry", ground.quads, 16);
    const std::uint64_t before =
        std::min(graph.desc(geometry).size, graph.desc(all).size); // one at least
    Buffer written =
        graph.copy(BufferView(geometry, 0, before), BufferView(all, 0, before), "copy_geometry");
    Buffer status = graph.fill(
        graph.buffer("ground_status", {.size = sizeof(GroundStatus), .stride = kWordBytes}), 0,
        "no_ground_status");
    const auto put = [&](Image image, bool deep, std::uint32_t first, float scale, float most) {
        const Extent e = graph.desc(image).extent;
        const std::uint64_t points = std::uint64_t{e.width} * e.height * (deep ? e.depth : 1);
        ComputeNodeBuilder node = graph.compute("bodies/ground", {{"DEEP", deep ? 1u : 0u}},
                                                deep ? "ground_field" : "ground_heights");
        node.read("source", ImageView(image), Sampler::nearest());
        node.set("first", first);
        node.set("scale", scale);
        node.set("spacing", scene.field_ground.spacing);
        node.set("most", most);
        written = node.write("geometry", written);
        status = node.accumulate("status", status);
        node.dispatch_each(ground_quads(points));
    };
    if (scene.heights)
        put(scene.heights, false, ground.heights_first, scene.heights_ground.scale,
            scene.heights_ground.highest);
    if (scene.field) {
        const GroundField& field = scene.field_ground;
        put(scene.field, true, ground.field_first, field.scale > 0.0f ? field.scale : field.spacing,
            1e9f);
    }
    graph.status<GroundStatus>(status);
    return written;
}

} // namespace tuff::passes
