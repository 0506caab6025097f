#include "passes/filter/register.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/filter/array_checks.hpp"
#include "passes/filter/bilateral_ways.hpp"
#include "passes/filter/convolve.hpp"
#include "passes/filter/directions.hpp"
#include "passes/filter/kernel.hpp"
#include "passes/filter/warp.hpp"
#include "passes/filter/ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr float kPyramidSigma = 1.0f; // of the low pass before every other number is left out

/// Arrays of one size, and what is done with all of them.
class RegisterNodes {
  public:
    RegisterNodes(Graph& graph, const FilterRegister& pass, std::uint32_t axes)
        : graph_(graph), pass_(pass), axes_(axes), directions_(filter_directions(axes)) {
        FilterKernel quadrature{.kind = FilterKernelKind::quadrature,
                                .size = glm::uvec4(1),
                                .frequency = pass.frequency,
                                .octaves = pass.octaves};
        for (std::uint32_t axis = 0; axis < axes; ++axis)
            quadrature.size[static_cast<int>(axis)] = pass.kernel_size;
        kernel_ = graph.add(quadrature).kernel;
        kernel_size_ = quadrature.size;
    }

    bool can() const { return bool(kernel_); }

    /// By a Gaussian, one axis after the other; zeros beyond the border, or the nearest number.
    Buffer smoothed(Buffer source, const FilterSize& size, std::uint32_t arrays, float sigma,
                    FilterBorder border) {
        FilterProblem problem{.size = size, .batch = arrays, .border = border};
        const auto radius = static_cast<std::uint32_t>(std::ceil(3.0f * sigma));
        for (std::uint32_t axis = 0; axis < axes_; ++axis) {
            problem.kernel_size = {1, 1, 1, 1};
            problem.kernel_size[axis] = 2 * radius + 1;
            const Buffer weights = constant_array(
                graph_, "gaussian", gaussian_weights(problem.kernel_size, glm::vec4(sigma)));
            // Few weights of many small arrays: one kernel for all levels is ready soonest.
            source = convolve_plain(graph_, source, weights, problem, false);
        }
        return source;
    }

    FilterSize halved(FilterSize size) const {
        for (std::uint32_t axis = 0; axis < axes_; ++axis)
            size[axis] = (size[axis] + 1) / 2;
        return size;
    }

    Buffer coarser(Buffer source, const FilterSize& size) {
        const Buffer low = smoothed(source, size, 1, kPyramidSigma, FilterBorder::clamp);
        return rescaled(low, size, halved(size), 1, {.scale = 2.0f, .gain = 1.0f});
    }

    /// Displacements are twice as long in the finer array.
    Buffer finer_field(Buffer field, const FilterSize& from, const FilterSize& to) {
        return rescaled(field, from, to, axes_, {.scale = 0.5f, .gain = 2.0f});
    }

    Buffer zero_field(const FilterSize& size) {
        return graph_.fill(filter_floats(graph_, "field", filter_count(size) * axes_), 0, "zero");
    }

    Buffer answers(Buffer source, const FilterSize& size) {
        return graph_
            .add(FilterConvolve{.source = source,
                                .kernel = kernel_,
                                .size = as_vector(size),
                                .kernel_size = kernel_size_,
                                .filters = 2 * static_cast<std::uint32_t>(directions_.size()),
                                .border = FilterBorder::clamp,
                                .tells_path = false})
            .result;
    }

    Buffer warped(Buffer source, Buffer field, const FilterSize& size) {
        return graph_.add(FilterWarp{.source = source, .field = field, .size = as_vector(size)})
            .result;
    }

    /// One step of the field.
    Buffer improved(Buffer fixed_answers, Buffer moving, Buffer field, const FilterSize& size) {
        const Buffer equations =
            smoothed(equations_of(fixed_answers, answers(warped(moving, field, size), size), size),
                     size, axes_ * (axes_ + 3) / 2, pass_.sigma_equations, FilterBorder::zero);
        const Buffer weighted = smoothed(solved(equations, field, size), size, axes_ + 1,
                                         pass_.sigma_field, FilterBorder::zero);
        ComputeNodeBuilder node = graph_.compute("filter/register_divide");
        node.read("smoothed", weighted);
        node.read("field", field);
        return finish(std::move(node), size, axes_);
    }

  private:
    struct Rescale {
        float scale;
        float gain;
    };

    Buffer rescaled(Buffer source, const FilterSize& from, const FilterSize& to,
                    std::uint32_t arrays, Rescale by) {
        const std::uint64_t count = filter_count(to) * arrays;
        ComputeNodeBuilder node = graph_.compute("filter/rescale");
        node.read("source", source);
        node.set("size", as_vector(from));
        node.set("result_size", as_vector(to));
        node.set("scale", by.scale);
        node.set("gain", by.gain);
        node.set("count", static_cast<std::uint32_t>(count));
        const Buffer result = node.write("result", filter_floats(graph_, "rescaled", count));
        node.dispatch_each(static_cast<std::uint32_t>(count));
        return result;
    }

    Buffer equations_of(Buffer fixed, Buffer moving, const FilterSize& size) {
        std::array<glm::vec4, 6> directions{};
        std::ranges::transform(directions_, directions.begin(),
                               [](const glm::dvec4& n) { return glm::vec4(n); });
        ComputeNodeBuilder node = graph_.compute("filter/register_equations");
        node.read("fixed_answers", fixed);
        node.read("moving_answers", moving);
        node.set("directions", std::span<const glm::vec4>(directions));
        node.set("direction_count", static_cast<std::uint32_t>(directions_.size()));
        node.set("frequency", pass_.frequency);
        return finish(std::move(node), size, axes_ * (axes_ + 3) / 2);
    }

    Buffer solved(Buffer equations, Buffer field, const FilterSize& size) {
        ComputeNodeBuilder node = graph_.compute("filter/register_solve");
        node.read("equations", equations);
        node.read("field", field);
        // Half a period: phases say no more.
        node.set("limit", 3.1415927f / pass_.frequency);
        return finish(std::move(node), size, axes_ + 1);
    }

    /// One invocation a place, which writes a number of each of `arrays`.
    Buffer finish(ComputeNodeBuilder node, const FilterSize& size, std::uint32_t arrays) {
        const std::uint64_t count = filter_count(size);
        node.set("axes", axes_);
        node.set("count", static_cast<std::uint32_t>(count));
        const Buffer result = node.write("result", filter_floats(graph_, "result", count * arrays));
        node.dispatch_each(static_cast<std::uint32_t>(count));
        return result;
    }

    Graph& graph_;
    const FilterRegister& pass_;
    std::uint32_t axes_;
    std::span<const glm::dvec4> directions_;
    Buffer kernel_;
    glm::uvec4 kernel_size_{1};
};

/// An image of the pyramid.
struct RegisterLevel {
    FilterSize size;
    Buffer fixed;
    Buffer moving;
};

/// Reports filter/axes unless there are two or three of them, each as long as it must be.
std::uint32_t register_axes(Graph& graph, const FilterSize& size) {
    const std::uint32_t axes = kernel_dimensions(size);
    bool each = axes == 2 || axes == 3;
    for (std::uint32_t axis = 0; each && axis < axes; ++axis)
        each = size[axis] > 1;
    if (each) return axes;
    graph.error("filter/axes",
                fmt::format("{} x {} x {} x {} is neither an image nor a volume", size[0], size[1],
                            size[2], size[3]),
                "set \"size\" above 1 along x and y, or along x, y and z");
    return 0;
}

} // namespace

void FilterRegister::describe(PassInfo<FilterRegister>& info) {
    info.summary("Deforms one image or volume to match another")
        .details(
            "The pass finds displacements so that moving(p + field[p]) matches fixed[p], by the "
            "phases of quadrature filters, which do not depend on brightness. It works from coarse "
            "to fine over a pyramid, with several iterations at each level. An iteration deforms "
            "the moving image by the field so far and filters it. Along each direction the phases "
            "differ by the frequency times the displacement; the least-squares solution over all "
            "directions, with equations smoothed by \"sigma_equations\", is added to the field. "
            "Then the field is smoothed by \"sigma_field\", weighted by its certainty, which fills "
            "places where neither image has structure.\n\nA level finds displacements up to half a "
            "period of its filters, pi / frequency numbers; at the coarsest level they are "
            "2^(levels - 1) times smaller. Levels with sides below 8 are left out. An edge gives "
            "no information about displacements along it (the aperture problem): there the "
            "neighbours decide.\n\nErrors: filter/axes, filter/empty, filter/too-short, "
            "filter/too-large, filter/kernel-size, filter/frequency.")
        .source(
            "Knutsson and Andersson, \"Morphons: segmentation using elastic canvas and paint on "
            "priors\", ICIP 2005; Forsberg, Eklund, Andersson and Knutsson, \"Phase-based "
            "non-rigid 3D image registration\", HP-MICCAI 2011")
        .complexity("O(iterations * numbers * weights of the quadrature filters)")
        .cost([](const FilterRegister& pass, const Graph& graph) {
            const double numbers = static_cast<double>(graph.desc(pass.result).size) / 4.0;
            const bool volume = pass.size.z > 1;
            const double taps = std::pow(pass.kernel_size, volume ? 3.0 : 2.0);
            const double filters = volume ? 12.0 : 8.0;
            return Cost{.bytes = 4.0 * numbers * filters * 2.0 * (pass.iterations + 1.0),
                        .operations = 2.0 * numbers * filters * taps * (pass.iterations + 1.0)};
        });
    info.input("fixed", &FilterRegister::fixed, "the image to match, f32, x fastest")
        .elements<float>();
    info.input("moving", &FilterRegister::moving, "the image to deform, f32, of the same size")
        .elements<float>();
    info.parameter("size", &FilterRegister::size, "numbers along x, y and, for volumes, z; w is 1")
        .structural();
    info.parameter("levels", &FilterRegister::levels, "levels of the pyramid, each half as large")
        .range(1, 10)
        .structural();
    info.parameter("iterations", &FilterRegister::iterations, "iterations at each level")
        .range(1, 100)
        .structural();
    info.parameter("kernel_size", &FilterRegister::kernel_size,
                   "weights of quadrature filters along each axis: an odd number")
        .range(3, 31)
        .structural();
    info.parameter("frequency", &FilterRegister::frequency,
                   "center frequency of the quadrature filters")
        .range(0.1, 3.0)
        .unit("radians a number")
        .structural();
    info.parameter("octaves", &FilterRegister::octaves, "bandwidth of the quadrature filters")
        .range(0.5, 6.0)
        .structural();
    info.parameter("sigma_equations", &FilterRegister::sigma_equations,
                   "deviation of the Gaussian over equations")
        .range(0.3, 50.0)
        .unit("numbers")
        .structural();
    info.parameter("sigma_field", &FilterRegister::sigma_field,
                   "deviation of the Gaussian over the field: more makes it stiffer")
        .range(0.3, 50.0)
        .unit("numbers")
        .structural();
    info.output("field", &FilterRegister::field,
                "f32: displacements along x of all numbers, then along y, then along z")
        .elements<float>();
    info.output("result", &FilterRegister::result, "the deformed moving image, f32")
        .elements<float>();
}

void FilterRegister::build(Graph& graph) {
    const std::uint64_t held = graph.desc(fixed).size / sizeof(float);
    // The answers of 12 filters are the largest.
    const auto array = checked_arrays(graph, {.size = size, .whole = held, .more = 12});
    if (!array) return;
    if (!holds_numbers(graph, "moving", moving, filter_count(*array))) return;
    const std::uint32_t axes = register_axes(graph, *array);
    if (axes == 0) return;
    if (!checked_kernel_size(graph, "kernel_size", {kernel_size, 1, 1, 1})) return;
    RegisterNodes nodes(graph, *this, axes);
    if (!nodes.can()) return;

    std::vector<RegisterLevel> pyramid{{*array, fixed, moving}};
    const auto has_coarser = [&](FilterSize next) {
        return std::all_of(next.begin(), next.begin() + axes,
                           [](std::uint32_t extent) { return extent >= 8; });
    };
    while (pyramid.size() < levels && has_coarser(nodes.halved(pyramid.back().size))) {
        const RegisterLevel finer = pyramid.back();
        graph.push_scope(fmt::format("level_{}", pyramid.size()));
        pyramid.push_back({nodes.halved(finer.size), nodes.coarser(finer.fixed, finer.size),
                           nodes.coarser(finer.moving, finer.size)});
        graph.pop_scope();
    }
    Buffer found = nodes.zero_field(pyramid.back().size);
    for (std::size_t i = pyramid.size(); i-- > 0;) {
        const RegisterLevel& level = pyramid[i];
        graph.push_scope(fmt::format("level_{}", i));
        if (i + 1 < pyramid.size())
            found = nodes.finer_field(found, pyramid[i + 1].size, level.size);
        const Buffer fixed_answers = nodes.answers(level.fixed, level.size);
        found = graph.repeat("improve", iterations, found, [&](Buffer so_far, std::uint32_t) {
            return nodes.improved(fixed_answers, level.moving, so_far, level.size);
        });
        graph.pop_scope();
    }
    field = found;
    result = nodes.warped(moving, field, *array);
}

TUFF_PASS(FilterRegister)

} // namespace tuff::passes
