#include "passes/image/convolve.hpp"

#include "passes/image/kernel.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace tuff::passes {
namespace {

/// From here on two one-dimensional passes beat one: they read width + height instead of
/// width * height texels from shared memory, but move 32 more bytes a texel through memory.
constexpr std::size_t kSeparableFrom = 25;

/// The weights as `vec4 weights[73]` of image/convolve holds them.
std::vector<glm::vec4> packed_weights(const Kernel& kernel) {
    const std::vector<float> weights = float_weights(kernel);
    std::vector<glm::vec4> packed((weights.size() + 3) / 4, glm::vec4(0.0f));
    for (std::size_t i = 0; i < weights.size(); ++i)
        packed[i / 4][static_cast<glm::length_t>(i % 4)] = weights[i];
    return packed;
}

/// The kernels to run one after the other: one, or row and column.
std::vector<Kernel> kernels_to_run(Graph& graph, Kernel kernel, Separation separation) {
    const bool flat = kernel.width == 1 || kernel.height == 1;
    const bool small = kernel.weights.size() < kSeparableFrom;
    const bool wanted =
        separation == Separation::on || (separation == Separation::automatic && !small);
    if (!wanted || flat) return {std::move(kernel)};
    if (auto parts = separate(kernel)) return {std::move(parts->row), std::move(parts->column)};
    if (separation == Separation::on)
        graph.error("image/not-separable",
                    fmt::format("the {}x{} kernel is not a product of a column and a row",
                                kernel.width, kernel.height),
                    "set \"separable\" to \"auto\" or \"off\"");
    return {std::move(kernel)};
}

} // namespace

void Convolve::describe(PassInfo<Convolve>& info) {
    info.summary("Filters an image with any kernel of odd width and height up to 17x17")
        .details(
            "result(p) = sum over k of source(p + k) * kernel(k) + bias, which is correlation; "
            "\"flip\" rotates the kernel by 180 degrees, which makes it convolution. 8-bit images "
            "are filtered as they are encoded, sRGB formats after decoding (their result is "
            "rgba16_sfloat). Sums are taken in 32-bit floats.\n\nGroups of 16x16 read the image "
            "through a tile in shared memory. A kernel that is the product of a column and a row "
            "(to 1e-6 of its largest weight) runs as two one-dimensional passes with a 32-bit "
            "float image between them.\n\nThe image may be smaller than the kernel. Even or larger "
            "kernels, a wrong number of weights and weights that are not finite are errors; so are "
            "depth, integer, layered and three-dimensional images. Formats without negative "
            "numbers clamp negative results to 0: a bias of 0.5 shows them.")
        .source("Gaulin, \"GPU Computation with Cg: 2-D Filters and 3-D Convolution\", UNC "
                "Charlotte, 2004")
        .complexity("O(texels * width * height), or O(texels * (width + height)) where separable")
        .cost([](const Convolve& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result,
                                8.0 * static_cast<double>(pass.kernel.size()));
        });
    info.input("source", &Convolve::source, "the image to filter").picture();
    info.parameter("kernel", &Convolve::kernel,
                   "width * height weights, row by row from the top; the identity unless given")
        .structural();
    info.parameter("width", &Convolve::width, "columns of the kernel, odd")
        .range(1, kMaxKernelSize)
        .unit("texels")
        .structural();
    info.parameter("height", &Convolve::height, "rows of the kernel, odd")
        .range(1, kMaxKernelSize)
        .unit("texels")
        .structural();
    info.parameter("flip", &Convolve::flip, "convolution instead of correlation").structural();
    info.parameter("normalise", &Convolve::normalisation,
                   "\"sum\" divides the weights by their sum, unless that is 0");
    info.parameter("bias", &Convolve::bias, "added to red, green and blue after filtering");
    info.parameter("border", &Convolve::border,
                   "beyond the edge: the nearest texel, zero, or the image mirrored");
    info.parameter("clamp", &Convolve::clamp_result, "limits the result to [0, 1]");
    info.parameter("alpha", &Convolve::alpha, "copied from the source, or filtered too");
    info.parameter("separable", &Convolve::separable,
                   "two one-dimensional passes: \"auto\" where possible and worthwhile (25 weights "
                   "or more), \"on\", \"off\"")
        .structural();
    info.parameter("format", &Convolve::format, "format of the result").structural();
    info.output("result", &Convolve::result, "the filtered image, of the source's size");
}

void Convolve::build(Graph& graph) {
    Result<Kernel> checked = checked_kernel(kernel, width, height);
    if (!checked) {
        for (Diagnostic& diagnostic : checked.error())
            graph.report(std::move(diagnostic));
        return;
    }
    Kernel prepared = std::move(*checked);
    if (normalisation == Normalisation::sum) prepared = normalised(std::move(prepared));
    if (flip) prepared = flipped(std::move(prepared));

    result = source;
    const std::vector<Kernel> passes = kernels_to_run(graph, std::move(prepared), separable);
    for (const Kernel& pass : passes) {
        const bool last = &pass == &passes.back();
        const bool whole = passes.size() == 1;
        ComputeNodeBuilder node =
            graph.compute("image/convolve", whole ? "whole" : (last ? "columns" : "rows"));
        node.specialize("radius_x", pass.width / 2);
        node.specialize("radius_y", pass.height / 2);
        node.set("weights", std::span<const glm::vec4>(packed_weights(pass)));
        node.set("bias", last ? bias : 0.0f);
        node.set("border", static_cast<std::int32_t>(border));
        node.set("clamp_result", std::uint32_t(last && clamp_result));
        node.set("filter_alpha", std::uint32_t(alpha == AlphaUse::filter));
        node.read("source", ImageView(result).mip(0));
        // What lies between the passes is kept in 32-bit floats, or its rounding would show.
        const Image target = last ? image_like(graph, "result", source,
                                               result_format(graph.desc(source).format, format))
                                  : image_like(graph, "rows", source, Format::rgba32_sfloat);
        result = node.write("result", target);
        node.dispatch_over(graph.extent(source));
    }
}

TUFF_PASS(Convolve)

} // namespace tuff::passes
