#include "passes/image/seamless_clone.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/solver/poisson.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cstddef>

namespace tuff::passes {
namespace {

constexpr std::array<std::string_view, 3> kColors{"red", "green", "blue"};
constexpr std::uint32_t kMaxCycles = 1000;

std::size_t colors_of(const Graph& graph, Image image) {
    return std::min<std::size_t>(info(graph.desc(image).format).channels, kColors.size());
}

bool is_valid(Graph& graph, const SeamlessClone& pass) {
    if (!is_placement(graph, pass.source, pass.mask, pass.channel)) return false;
    if (colors_of(graph, pass.source) >= colors_of(graph, pass.target)) return true;
    graph.error("image/unsupported-format",
                fmt::format("input \"source\" has format {}, with fewer color channels than "
                            "\"target\", which has {}",
                            info(graph.desc(pass.source).format).name,
                            info(graph.desc(pass.target).format).name),
                "convert one of them to the other's format");
    return false;
}

/// The texels of the target that take part: those under the source and their neighbours.
struct Box {
    glm::ivec2 size;
    glm::ivec2 origin;
};

/// Of the same size for every offset, so that these may change from frame to frame.
Box box_of(const Graph& graph, const SeamlessClone& pass) {
    const Extent whole = graph.extent(pass.target);
    const Extent part = graph.extent(pass.source);
    const glm::ivec2 target(whole.width, whole.height);
    const glm::ivec2 size = glm::min(glm::ivec2(part.width, part.height) + 2, target);
    return {size, glm::clamp(pass.offset - 1, glm::ivec2(0), target - size)};
}

} // namespace

void SeamlessClone::describe(PassInfo<SeamlessClone>& info) {
    info.summary("Clones part of one picture into another so that no edge shows")
        .details(
            "Inside the mask, the result has the gradients of the source; at the mask's edge it "
            "meets the target. This is Poisson's equation with the target's colors as boundary. "
            "solver/poisson solves it for the difference to the target, channel by channel, on the "
            "texels under the source. Alpha and all texels outside the mask are the target's, to "
            "the bit.\n\nWith \"mixed\" guidance each pair of neighbours takes the stronger "
            "gradient of the two pictures, so the target shows through flat parts of the source. "
            "For monochrome transfer pass the source through image/grayscale first.\n\nThe pass "
            "works on the values as stored. Give it pictures encoded for a display (sRGB read as "
            "unorm): equal steps there look about equally strong everywhere, while gradients of "
            "linear light from a bright place are glaring, or below 0, in a dark place. Formats of "
            "limited range clamp the result.\n\nWhere the mask touches the target's edges, the "
            "equations have no neighbours there. Beyond the source's edges its outermost texels "
            "are repeated. A mask that covers all of the target keeps the target's mean color. An "
            "empty mask, or a source wholly beyond the target, leaves the target unchanged; so do "
            "colors that are not finite. A source with fewer color channels than the target is an "
            "error.")
        .source("Perez, Gangnet, Blake, \"Poisson Image Editing\", SIGGRAPH 2003")
        .complexity("O(texels of the source)");
    describe_placement(info);
    info.parameter("threshold", &SeamlessClone::threshold, "mask values above it are inside")
        .range(0.0, 1.0);
    info.parameter("guidance", &SeamlessClone::guidance, "whose gradients the result takes");
    info.parameter("tolerance", &SeamlessClone::tolerance,
                   "the residual's norm at which to stop, relative to that of the right-hand side")
        .range(0.0, 0.1);
    info.parameter("max_cycles", &SeamlessClone::max_cycles, "most cycles of the solver")
        .range(1, kMaxCycles)
        .structural();
    info.parameter("format", &SeamlessClone::format,
                   "format of the result; \"same\" is the target's")
        .structural();
    info.output("result", &SeamlessClone::result, "the picture, of the target's size");
    info.output("status", &SeamlessClone::status,
                "16 words for each of red, green and blue, as in solver/poisson")
        .elements(poisson_status_elements());
}

void SeamlessClone::build(Graph& graph) {
    if (!is_valid(graph, *this)) return;
    const Box box = box_of(graph, *this);
    const auto width = static_cast<std::uint32_t>(box.size.x);
    const auto height = static_cast<std::uint32_t>(box.size.y);
    const std::uint64_t count = std::uint64_t{width} * height;

    ComputeNodeBuilder equations = graph.compute("image/seamless_clone_equations", "equations");
    equations.set("box", box.size);
    equations.set("origin", box.origin);
    equations.set("offset", offset);
    equations.set("channel", static_cast<std::int32_t>(channel));
    equations.set("stronger", guidance == CloneGuidance::mixed ? 1 : 0);
    equations.set("threshold", threshold);
    equations.read("target", ImageView(target).mip(0));
    equations.read("source", ImageView(source).mip(0));
    equations.read_optional("mask", ImageView(mask).mip(0));
    const Buffer cells = equations.write("cells", array(graph, "cells", count));
    std::array<Buffer, 3> sides;
    for (std::size_t c = 0; c < kColors.size(); ++c)
        sides[c] = equations.write(kColors[c], array(graph, kColors[c], count));
    equations.dispatch_over({width, height});

    // Solves of their own, not one of three layers: what each colour has reached decides when it
    // stops, and the three run side by side.
    const std::size_t colors = colors_of(graph, target);
    std::array<Buffer, 3> added = sides;
    status = array(graph, "status", kColors.size() * kPoissonStatusWords);
    if (colors < kColors.size()) status = graph.fill(status, 0, "no_status");
    for (std::size_t c = 0; c < colors; ++c) {
        const Poisson solve = graph.add(Poisson{.rhs = sides[c],
                                                .cells = cells,
                                                .size = {width, height, 1},
                                                .method = PoissonMethod::mgpcg,
                                                .tolerance = tolerance,
                                                .max_cycles = max_cycles},
                                        kColors[c]);
        added[c] = solve.solution;
        constexpr std::uint64_t kBytes = kPoissonStatusWords * 4;
        status = graph.copy(solve.status, BufferView(status, c * kBytes, kBytes), "keep_status");
    }

    ComputeNodeBuilder node = graph.compute("image/seamless_clone", "add");
    node.read("target", ImageView(target).mip(0));
    for (std::size_t c = 0; c < kColors.size(); ++c)
        node.read(kColors[c], added[c]);
    node.set("box", box.size);
    node.set("origin", box.origin);
    node.set("used", glm::ivec3(colors > 0, colors > 1, colors > 2));
    result = node.write("result", image_like(graph, "result", target,
                                             result_format(graph.desc(target).format, format)));
    node.dispatch_over(graph.extent(target));
}

TUFF_PASS(SeamlessClone)

} // namespace tuff::passes
