#include "passes/filter/local_structure.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/filter/convolve.hpp"
#include "passes/filter/directions.hpp"
#include "passes/filter/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tuff::passes {
namespace {

FilterSize sides_of(glm::uvec4 size) {
    return {size.x, size.y, size.z, size.w};
}

glm::uvec4 vector_of(const FilterSize& size) {
    return {size[0], size[1], size[2], size[3]};
}

/// The weights tap by tap, those of all filters side by side and in the order in which numbers are
/// read: the kernel is turned.
std::vector<glm::vec4> weights_by_tap(const KernelSet& kernels) {
    const std::uint64_t taps = filter_count(kernels.size);
    const std::uint32_t fours = (kernels.filters + 3) / 4;
    std::vector<glm::vec4> weights(taps * fours, glm::vec4(0.0f));
    for (std::uint64_t tap = 0; tap < taps; ++tap)
        for (std::uint32_t filter = 0; filter < kernels.filters; ++filter)
            weights[tap * fours + filter / 4][static_cast<int>(filter % 4)] =
                static_cast<float>(kernels.weights[(filter + 1) * taps - 1 - tap]);
    return weights;
}

Buffer fused_structure(Graph& graph, const FilterLocalStructure& pass, const FilterProblem& problem,
                       const KernelSet& kernels, const TensorField& field) {
    const std::uint32_t dimensions = kernel_dimensions(kernels.size);
    ComputeNodeBuilder node = graph.compute(
        "filter/local_structure",
        {{"METHOD", ChoiceNames<TensorMethod>::names[static_cast<std::size_t>(pass.method)]},
         {"DIMENSIONS", dimensions}});
    node.specialize("border", static_cast<std::uint32_t>(problem.border));
    node.read("source", pass.source);
    node.read("weights", constant_array(graph, "weights", weights_by_tap(kernels)));
    glm::uvec4 first(0);
    if (problem.border == FilterBorder::valid) first = vector_of(kernels.size) / 2u;
    node.set("source_size", pass.size);
    node.set("result_size", vector_of(filter_result_size(problem)));
    node.set("first", first);
    node.set("kernel_size", vector_of(kernels.size));
    node.set("places", field.places);
    node.set("arrays", field.arrays);
    if (pass.method == TensorMethod::quadrature) {
        std::vector<glm::vec4> directions;
        for (const glm::dvec4& direction : filter_directions(dimensions))
            directions.emplace_back(direction);
        const TensorDuals duals = tensor_duals(dimensions);
        node.set("directions", std::span<const glm::vec4>(directions));
        node.set("alpha", static_cast<float>(duals.alpha));
        node.set("beta", static_cast<float>(duals.beta));
    }
    const Buffer tensor =
        node.write("tensor", place_array(graph, "tensor", field, tensor_components(dimensions)));
    node.dispatch_each(field.places * field.arrays);
    return tensor;
}

Buffer stored_structure(Graph& graph, const FilterLocalStructure& pass, const KernelDesign& design,
                        const KernelSet& kernels, glm::uvec4 result_size) {
    const Buffer responses = graph
                                 .add(FilterConvolve{.source = pass.source,
                                                     .kernel = constant_kernels(graph, design),
                                                     .size = pass.size,
                                                     .batch = pass.batch,
                                                     .kernel_size = vector_of(kernels.size),
                                                     .filters = kernels.filters,
                                                     .border = pass.border,
                                                     .path = pass.path,
                                                     .tells_path = false})
                                 .result;
    return graph
        .add(FilterStructureTensor{.responses = responses,
                                   .method = pass.method,
                                   .dimensions = kernel_dimensions(kernels.size),
                                   .size = result_size,
                                   .batch = pass.batch})
        .tensor;
}

} // namespace

KernelDesign structure_kernels(TensorMethod method, const FilterSize& size, double frequency,
                               double octaves, KernelWindow window) {
    KernelDesign design{.size = size, .frequency = frequency, .octaves = octaves, .window = window};
    switch (method) {
    case TensorMethod::quadrature: design.kind = FilterKernelKind::quadrature; break;
    case TensorMethod::monomial: design.kind = FilterKernelKind::monomial; break;
    case TensorMethod::gradient:
        design.kind = FilterKernelKind::sobel;
        for (std::uint32_t& side : design.size)
            side = std::min(side, 3u);
        break;
    }
    return design;
}

Buffer smoothed_arrays(Graph& graph, Buffer source, glm::uvec4 size, std::uint32_t arrays,
                       glm::vec4 sigma, FilterBorder border) {
    KernelDesign design{.kind = FilterKernelKind::gaussian, .size = {1, 1, 1, 1}};
    for (int axis = 0; axis < 4; ++axis) {
        if (sigma[axis] <= 0.0f || size[axis] == 1) continue;
        design.sigma[axis] = static_cast<double>(sigma[axis]);
        // 2.5 sigma leave 1.2 percent of the weight outside.
        const auto reach = static_cast<std::uint32_t>(std::ceil(2.5f * sigma[axis]));
        design.size[static_cast<std::size_t>(axis)] = 2 * reach + 1;
    }
    if (filter_count(design.size) == 1) return source;
    return graph
        .add(FilterConvolve{.source = source,
                            .kernel = constant_kernels(graph, design),
                            .size = size,
                            .batch = arrays,
                            .kernel_size = vector_of(design.size),
                            .border = border == FilterBorder::valid ? FilterBorder::clamp : border,
                            .tells_path = false},
             "smooth")
        .result;
}

void FilterLocalStructure::describe(PassInfo<FilterLocalStructure>& info) {
    info.summary("Computes the tensor of local structure of images, volumes and volumes over time")
        .details(
            "The pass combines the kernels of \"method\" (\"filter/kernel\"), the convolution and "
            "\"filter/structure_tensor\", with as many dimensions as \"kernel_size\" has. "
            "\"gradient\" uses Sobel kernels of 3 along each axis for any size. Each component is "
            "then smoothed by a Gaussian of \"smoothing\", along axes where that is not 0; without "
            "smoothing, the tensor of a gradient has rank 1.\n\n\"stored\" keeps the responses of "
            "all filters in memory and takes the fastest path of \"filter/convolve\". \"fused\" "
            "keeps them in registers: it needs memory only for the tensor, and reads each number "
            "once for all filters. Both give the same tensor except for rounding. With the border "
            "\"valid\" the result is kernel_size - 1 smaller; smoothing then repeats its edge.")
        .source("Knutsson, \"Representing Local Structure Using Tensors\", 1989")
        .complexity("O(places * weights * filters); less by transforms")
        .cost([](const FilterLocalStructure& pass, const Graph& graph) {
            const glm::uvec4 k = pass.kernel_size;
            const double taps = static_cast<double>(k.x) * k.y * k.z * k.w;
            const std::uint32_t dimensions = kernel_dimensions(sides_of(k));
            const auto bytes = static_cast<double>(graph.desc(pass.tensor).size);
            const double places = bytes / (4.0 * std::max(tensor_components(dimensions), 1u));
            return Cost{.bytes = static_cast<double>(graph.desc(pass.source).size) + bytes,
                        .operations =
                            2.0 * taps * places * tensor_responses(pass.method, dimensions)};
        });
    info.input("source", &FilterLocalStructure::source, "the numbers, x fastest, f32")
        .elements<float>();
    info.parameter("method", &FilterLocalStructure::method, "filters to use").structural();
    describe_tensor_field(info);
    info.parameter("kernel_size", &FilterLocalStructure::kernel_size,
                   "weights of the filters along x, y, z, w: odd, 1 for unused axes")
        .range(1, 1 << 22)
        .structural();
    info.parameter("frequency", &FilterLocalStructure::frequency, "center frequency of the filters")
        .range(0, 3.1415927, RangeEnds::open_low)
        .unit("radians a number")
        .structural();
    info.parameter("octaves", &FilterLocalStructure::octaves, "bandwidth of the filters")
        .range(0.1, 16)
        .structural();
    info.parameter("window", &FilterLocalStructure::window, "window of the filters").structural();
    info.parameter("smoothing", &FilterLocalStructure::smoothing,
                   "standard deviation of the smoothing along each axis; 0: none")
        .range(0, 100)
        .unit("numbers")
        .structural();
    info.parameter("border", &FilterLocalStructure::border, "values beyond the border")
        .structural();
    info.parameter("form", &FilterLocalStructure::form, "where responses are kept").structural();
    info.parameter("path", &FilterLocalStructure::path,
                   "path of \"stored\"; see \"filter/convolve\"")
        .structural();
    info.output("tensor", &FilterLocalStructure::tensor,
                "components of upper triangles, an array for each, f32")
        .elements<float>();
}

void FilterLocalStructure::build(Graph& graph) {
    const KernelDesign design =
        structure_kernels(method, sides_of(kernel_size), static_cast<double>(frequency),
                          static_cast<double>(octaves), window);
    const auto kernels = shared_kernels(graph, design);
    if (!kernels) return;
    const std::uint32_t dimensions = kernel_dimensions(kernels->size);
    if (dimensions < 2) {
        graph.error("filter/kernel-size", "a tensor needs two dimensions or more",
                    "set \"kernel_size\" to 3 or more along x and y");
        return;
    }
    const FilterProblem problem{
        .size = sides_of(size), .kernel_size = kernels->size, .border = border};
    const glm::uvec4 result_size = vector_of(filter_result_size(problem));
    // Before the filters say it, for they speak of arrays that the user does not know.
    const auto all = tensor_field(graph, size, batch, 1);
    if (!all || !holds_places(graph, "source", source, *all, 1)) return;
    if (border == FilterBorder::valid && filter_count(filter_result_size(problem)) == 0) {
        graph.error("filter/no-result", "the kernel does not fit into the array",
                    "choose a border other than \"valid\"");
        return;
    }
    const auto field = tensor_field(graph, result_size, batch, tensor_components(dimensions));
    if (!field) return;
    if (form == StructureForm::fused && method == TensorMethod::gradient) {
        graph.error("filter/form", "the form \"fused\" does not support gradients",
                    "choose \"stored\", or another method");
        return;
    }
    tensor = form == StructureForm::fused
                 ? fused_structure(graph, *this, problem, *kernels, *field)
                 : stored_structure(graph, *this, design, *kernels, result_size);
    tensor = smoothed_arrays(graph, tensor, result_size, batch * tensor_components(dimensions),
                             smoothing, border);
}

TUFF_PASS(FilterLocalStructure)

} // namespace tuff::passes
