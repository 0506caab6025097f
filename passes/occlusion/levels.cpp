#include "passes/occlusion/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kRunOfLevel = 8; // texels, as in shaders/occlusion/level.comp

std::uint32_t longest_side(glm::ivec3 dims) {
    return static_cast<std::uint32_t>(std::max({dims.x, dims.y, dims.z}));
}

/// Levels above the volume whose cubes are no wider than it is.
std::uint32_t levels_within(glm::ivec3 dims, std::uint32_t most) {
    return std::min(most, static_cast<std::uint32_t>(std::bit_width(longest_side(dims))) - 1);
}

glm::ivec3 halved(glm::ivec3 dims, std::uint32_t times) {
    return ((dims - 1) >> static_cast<int>(times)) + 1;
}

std::uint32_t least_mips(const LevelParameters& parameters, std::uint32_t levels) {
    switch (parameters.method) {
    case OcclusionMethod::n_buffer:
    case OcclusionMethod::summed: return 0;
    case OcclusionMethod::mip: return levels;
    case OcclusionMethod::hybrid: return std::min(parameters.mips, levels);
    }
    return 0;
}

/// Texels of level `level` where `mips` of the levels are of half the size. Cubes that begin before
/// the volume reach into it: there are as many more of them as they are wide.
glm::ivec3 dims_of_level(glm::ivec3 dims, std::uint32_t level, std::uint32_t mips) {
    if (level <= mips) return halved(dims, level);
    return halved(dims, mips) + (1 << static_cast<int>(level - mips)) - 1;
}

} // namespace

glm::vec3 OcclusionLevel::begin() const {
    const float width = static_cast<float>(1u << (number - halvings)); // texels
    const float corner = 0.5f / scale() - 0.5f; // the middle of the first voxel in texels
    return glm::vec3(first) + 0.5f * (width - 1.0f) - corner;
}

OcclusionLevels::OcclusionLevels(Graph& graph, Image opacity, std::uint32_t most,
                                 const LevelParameters& parameters)
    : graph_(&graph), parameters_(parameters) {
    last_ = {.means = opacity, .dims = volume_dims(graph, opacity)};
    count_ = levels_within(last_.dims, most);
    mips_ = least_mips(parameters, count_);
    const std::uint64_t budget = std::uint64_t{parameters.budget} << 20;
    while (budget > 0 && mips_ < count_ && bytes_of(mips_).pair > budget)
        ++mips_;
}

OcclusionLevels::Bytes OcclusionLevels::bytes_of(std::uint32_t mips) const {
    const std::uint64_t texel = info(format_of(parameters_.precision)).texel_bytes;
    Bytes found;
    std::uint64_t before = 0;
    for (std::uint32_t level = 1; level <= count_; ++level) {
        const glm::ivec3 dims = dims_of_level(last_.dims, level, mips);
        const std::uint64_t bytes = texel * static_cast<std::uint64_t>(dims.x) *
                                    static_cast<std::uint64_t>(dims.y) *
                                    static_cast<std::uint64_t>(dims.z);
        found.pair = std::max(found.pair, before + bytes);
        found.all += bytes;
        before = bytes;
    }
    return found;
}

bool OcclusionLevels::fit_at_once() const {
    const std::uint64_t budget = std::uint64_t{parameters_.budget} << 20;
    return budget == 0 || bytes_of(mips_).all <= budget;
}

void OcclusionLevels::add() {
    OcclusionLevel next = last_;
    ++next.number;
    const bool halves = next.number <= mips_;
    const int apart = halves ? 1 : 1 << (last_.number - last_.halvings);
    if (halves) {
        ++next.halvings;
        next.dims = halved(last_.dims, 1);
    } else {
        next.first = glm::ivec3(1 - 2 * apart);
        next.dims = last_.dims + apart;
    }
    ComputeNodeBuilder node =
        graph_->compute("occlusion/level", fmt::format("level_{}", next.number));
    set_border(node, parameters_.border);
    set_kept(node, parameters_.precision);
    node.set("dims", last_.dims);
    node.set("level_dims", next.dims);
    node.set("first", next.first - last_.first);
    node.set("apart", halves ? 0 : apart);
    node.read("source", ImageView(last_.means).mip(0), Sampler::nearest());
    next.means = node.write("result", volume_like(*graph_, fmt::format("means_{}", next.number),
                                                  next.dims, format_of(parameters_.precision)));
    Extent invocations = graph_->extent(next.means);
    if (!halves) { // two by two texels that are `apart`, and runs of them along z
        const auto distance = static_cast<std::uint32_t>(apart);
        const auto over = [&](std::uint32_t texels, std::uint32_t count) {
            return (texels + distance * count - 1) / (distance * count) * distance;
        };
        invocations = {over(invocations.width, 2), over(invocations.height, 2),
                       over(invocations.depth, kRunOfLevel)};
    }
    node.dispatch_over(invocations);
    last_ = next;
}

bool are_opacities(Graph& graph, Image image, std::string_view port) {
    if (!image) return true;
    const ImageDesc& desc = graph.desc(image);
    const FormatInfo& format = info(desc.format);
    const bool is_real = format.kind != NumericKind::uint && format.kind != NumericKind::sint;
    if (desc.shape == ImageShape::d3 && !format.depth && is_real) return true;
    graph.error("occlusion/not-opacities",
                fmt::format("input \"{}\" is {} of format {}, not a volume of real numbers", port,
                            desc.shape == ImageShape::d3 ? "a volume" : "a picture", format.name),
                "make a volume of opacities with occlusion/opacity");
    return false;
}

bool has_room(Graph& graph, Image opacity, std::uint32_t levels,
              const LevelParameters& parameters) {
    if (parameters.method == OcclusionMethod::summed) {
        const glm::dvec3 vectors(planned_sums(graph, opacity, levels, parameters.border).dims);
        const auto bytes = static_cast<std::uint64_t>(16.0 * vectors.x * vectors.y * vectors.z);
        if (bytes <= graph.target().max_storage_buffer_bytes) return true;
        graph.error(
            "occlusion/too-large",
            fmt::format("sums of the volume take {} bytes, but a buffer of the device holds {}",
                        bytes, graph.target().max_storage_buffer_bytes),
            "set \"method\" to \"n_buffer\", \"mip\" or \"hybrid\"");
        return false;
    }
    const OcclusionLevels planned(graph, opacity, levels, parameters);
    const glm::ivec3 dims =
        dims_of_level(volume_dims(graph, opacity), planned.count(), planned.mips());
    const std::uint32_t most = graph.target().max_image_3d;
    if (longest_side(dims) <= most) return true;
    graph.error(
        "occlusion/too-large",
        fmt::format("level {} has {} x {} x {} texels, but an image of the device has at most "
                    "{} along a side",
                    planned.count(), dims.x, dims.y, dims.z, most),
        "set \"method\" to \"hybrid\" or \"mip\", or use fewer levels");
    return false;
}

bool fit(Graph& graph, Image opacity, Image numbers) {
    if (!numbers || graph.extent(opacity) == graph.extent(numbers)) return true;
    const glm::ivec3 a = volume_dims(graph, opacity);
    const glm::ivec3 b = volume_dims(graph, numbers);
    graph.error("occlusion/size",
                fmt::format("\"opacity\" has {} x {} x {} texels, but \"numbers\" has {} x {} "
                            "x {}",
                            a.x, a.y, a.z, b.x, b.y, b.z),
                "connect the volume that the opacities were made from");
    return false;
}

double volume_texels(const Graph& graph, Image volume) {
    if (!volume) return 0.0;
    const glm::dvec3 dims(volume_dims(graph, volume));
    return dims.x * dims.y * dims.z;
}

glm::ivec3 volume_dims(const Graph& graph, Image volume) {
    const Extent extent = graph.extent(volume);
    return {static_cast<int>(extent.width), static_cast<int>(extent.height),
            static_cast<int>(extent.depth)};
}

Image volume_like(Graph& graph, std::string_view name, glm::ivec3 dims, Format format) {
    const glm::uvec3 texels(dims);
    return graph.image(
        name,
        {.format = format, .extent = {texels.x, texels.y, texels.z}, .shape = ImageShape::d3});
}

Format format_of(OcclusionPrecision precision) {
    switch (precision) {
    case OcclusionPrecision::unorm8: return Format::r8_unorm;
    case OcclusionPrecision::unorm16: return Format::r16_unorm;
    case OcclusionPrecision::float16: return Format::r16_sfloat;
    case OcclusionPrecision::float32: return Format::r32_sfloat;
    }
    return Format::r32_sfloat;
}

void set_kept(ComputeNodeBuilder& node, OcclusionPrecision precision) {
    const float units = precision == OcclusionPrecision::unorm8    ? 255.0f
                        : precision == OcclusionPrecision::unorm16 ? 65535.0f
                                                                   : 0.0f;
    node.specialize("kUnits", units);
    node.specialize("kHalf", std::uint32_t{precision == OcclusionPrecision::float16});
}

void set_border(ComputeNodeBuilder& node, OcclusionBorder border) {
    node.specialize("kClamps", std::uint32_t{border == OcclusionBorder::clamp});
}

} // namespace tuff::passes
