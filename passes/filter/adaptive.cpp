#include "passes/filter/adaptive.hpp"

#include "passes/filter/convolve.hpp"
#include "passes/filter/kernel.hpp"

#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

FilterSize adaptive_size(glm::uvec4 size) {
    return {size.x, size.y, size.z, size.w};
}

KernelDesign structure_design(const FilterAdaptive& pass) {
    return structure_kernels(pass.method, adaptive_size(pass.kernel_size),
                             static_cast<double>(pass.structure_frequency),
                             static_cast<double>(pass.octaves), KernelWindow::root_cosine);
}

bool is_possible(Graph& graph, const FilterAdaptive& pass) {
    if (pass.method == TensorMethod::gradient) {
        graph.error("pass/unknown-choice",
                    "the method \"gradient\" gives tensors of another scale, the squared slope",
                    "choose \"quadrature\" or \"monomial\"");
        return false;
    }
    if (pass.border == FilterBorder::valid) {
        graph.error("filter/no-border",
                    "the border \"valid\" leaves places without a structure tensor",
                    "choose another border, for example \"mirror\"");
        return false;
    }
    return true;
}

} // namespace

/// A filter of energy e leaves noise of variance e. By "quadrature", the even and odd response make
/// a magnitude of mean sqrt(pi / 4 (e + o)), and the sum over all directions is that times I. By
/// "monomial", S is on average I times the energies of a row of a a^T + B B^T, and the tensor is
/// S / sqrt(|S|), |S| being sqrt(D) times that.
double noise_eigenvalue(TensorMethod method, const KernelSet& kernels) {
    const std::uint32_t dimensions = kernel_dimensions(kernels.size);
    if (method == TensorMethod::quadrature) {
        double mean = 0.0;
        for (std::uint32_t pair = 0; pair < kernels.filters / 2; ++pair)
            mean += std::sqrt(0.25 * std::numbers::pi *
                              (noise_gain(kernels, 2 * pair) + noise_gain(kernels, 2 * pair + 1)));
        return mean / (kernels.filters / 2);
    }
    double trace = 0.0;
    std::uint32_t filter = 0;
    while (filter < dimensions)
        trace += noise_gain(kernels, filter++);
    for (std::uint32_t i = 0; i < dimensions; ++i)
        for (std::uint32_t j = i; j < dimensions; ++j)
            trace += (i == j ? 1.0 : 2.0) * noise_gain(kernels, filter++);
    const double of_axis = trace / dimensions;
    return std::sqrt(of_axis / std::sqrt(static_cast<double>(dimensions)));
}

void FilterAdaptive::describe(PassInfo<FilterAdaptive>& info) {
    info.summary("Denoises images, volumes and volumes over time and keeps lines and edges sharp")
        .details(
            "Each place gets its own filter: a low pass, plus the high pass in the directions in "
            "which the place has structure. The low pass is a half at \"frequency\". The high pass "
            "is the rest, as 3, 6 or 10 filters, which makes 4, 7 or 11 filters in all "
            "(\"adaptive\" of \"filter/kernel\"). The result is L + sum of C_ij H_ij. The control "
            "tensor C has the eigenvectors of the tensor of local structure, and the eigenvalues "
            "g_1 = m(l_1 / level), g_k = g_(k-1) mu(l_k / l_(k-1)):\n\nm(x) = (x^b / (x^(a+b) + "
            "1))^(1/j) with a, b, j of \"energy\": noise passes only the low pass; a above 0 "
            "weakens strong structure.\n\nmu(x) = ((x (1-a))^b / ((x (1-a))^b + (a "
            "(1-x))^b))^(1/j) with a, b, j of \"spread\": where numbers vary along one axis, only "
            "detail along that axis passes.\n\nThe level is \"strength\" times the average "
            "eigenvalue of white noise of standard deviation \"noise\"; for noise 0 all detail of "
            "the main axis passes. The structure is the smoothed result of "
            "\"filter/local_structure\" with kernels of the same size and the center "
            "\"structure_frequency\"; or it is connected, already smoothed.")
        .source("Granlund and Knutsson, \"Signal Processing for Computer Vision\", chapter 10, "
                "1995; Eklund et al., \"True 4D Image Denoising on the GPU\", 2011")
        .complexity("O(places * weights * filters); less by transforms")
        .cost([](const FilterAdaptive& pass, const Graph&) {
            const glm::uvec4 k = pass.kernel_size;
            const double taps = static_cast<double>(k.x) * k.y * k.z * k.w;
            const std::uint32_t dimensions = kernel_dimensions({k.x, k.y, k.z, k.w});
            const std::uint32_t structure =
                pass.structure ? 0 : tensor_responses(pass.method, dimensions);
            const std::uint32_t filters = structure + 1 + tensor_components(dimensions);
            const double places = places_of(pass.size, pass.batch);
            return Cost{.bytes = 8.0 * places, .operations = 2.0 * taps * filters * places};
        });
    info.input("source", &FilterAdaptive::source, "the numbers, x fastest, f32").elements<float>();
    info.optional_input("structure", &FilterAdaptive::structure,
                        "a tensor for each place; computed if not connected")
        .elements<float>();
    info.parameter("method", &FilterAdaptive::method,
                   "method for the structure: quadrature or monomial")
        .structural();
    describe_tensor_field(info);
    info.parameter("kernel_size", &FilterAdaptive::kernel_size,
                   "weights along x, y, z, w: odd, 1 for unused axes")
        .range(1, 1 << 22)
        .structural();
    info.parameter("frequency", &FilterAdaptive::frequency,
                   "frequency at which the low pass is a half")
        .range(0, 3.1415927, RangeEnds::open_low)
        .unit("radians a number")
        .structural();
    info.parameter("structure_frequency", &FilterAdaptive::structure_frequency,
                   "center frequency of the filters for the structure")
        .range(0, 3.1415927, RangeEnds::open_low)
        .unit("radians a number")
        .structural();
    info.parameter("octaves", &FilterAdaptive::octaves, "bandwidth of these filters")
        .range(0.1, 16)
        .structural();
    info.parameter("smoothing", &FilterAdaptive::smoothing,
                   "smoothing of the structure: standard deviation along each axis; 0: none")
        .range(0, 100)
        .unit("numbers")
        .structural();
    info.parameter("noise", &FilterAdaptive::noise, "standard deviation of the source's noise")
        .range(0, 1e30);
    info.parameter("strength", &FilterAdaptive::strength, "factor of the noise level")
        .range(0, 1000);
    info.parameter("energy", &FilterAdaptive::energy, "a, b and j of m").range(0, 100);
    info.parameter("spread", &FilterAdaptive::spread, "a (below 1), b and j of mu").range(0, 100);
    info.parameter("border", &FilterAdaptive::border, "values beyond the border").structural();
    info.parameter("path", &FilterAdaptive::path, "path of \"filter/convolve\"").structural();
    info.output("result", &FilterAdaptive::result,
                "the denoised numbers, of the source's size, f32")
        .elements<float>();
    info.output("tensor", &FilterAdaptive::tensor, "the structure used, f32").elements<float>();
}

void FilterAdaptive::build(Graph& graph) {
    if (!is_possible(graph, *this)) return;
    const KernelDesign design{.kind = FilterKernelKind::adaptive,
                              .size = adaptive_size(kernel_size),
                              .frequency = static_cast<double>(frequency)};
    const auto kernels = shared_kernels(graph, design);
    const auto structure_set = kernels ? shared_kernels(graph, structure_design(*this)) : nullptr;
    if (!structure_set) return;
    const std::uint32_t dimensions = kernel_dimensions(kernels->size);
    if (dimensions < 2) {
        graph.error("filter/kernel-size", "a tensor needs two dimensions or more",
                    "set \"kernel_size\" to 3 or more along x and y");
        return;
    }
    if (!(energy.y > 0.0f && energy.z > 0.0f && spread.x < 1.0f && spread.y > 0.0f &&
          spread.z > 0.0f)) {
        graph.error("pass/out-of-range", "\"energy\" or \"spread\" is out of range",
                    "set b and j above 0, and a of \"spread\" below 1");
        return;
    }
    const auto field = tensor_field(graph, size, batch, kernels->filters);
    if (!field || !holds_places(graph, "source", source, *field, 1)) return;
    if (structure &&
        !holds_places(graph, "structure", structure, *field, tensor_components(dimensions)))
        return;

    tensor = structure ? structure
                       : graph
                             .add(FilterLocalStructure{.source = source,
                                                       .method = method,
                                                       .size = size,
                                                       .batch = batch,
                                                       .kernel_size = kernel_size,
                                                       .frequency = structure_frequency,
                                                       .octaves = octaves,
                                                       .smoothing = smoothing,
                                                       .border = border,
                                                       .path = path},
                                  "structure")
                             .tensor;
    const Buffer responses = graph
                                 .add(FilterConvolve{.source = source,
                                                     .kernel = constant_kernels(graph, design),
                                                     .size = size,
                                                     .batch = batch,
                                                     .kernel_size = kernel_size,
                                                     .filters = kernels->filters,
                                                     .border = border,
                                                     .path = path,
                                                     .tells_path = false})
                                 .result;
    ComputeNodeBuilder node = graph.compute("filter/adapt", {{"DIMENSIONS", dimensions}});
    node.read("tensor", tensor);
    node.read("responses", responses);
    node.set("places", field->places);
    node.set("arrays", field->arrays);
    node.set("level", static_cast<float>(noise_eigenvalue(method, *structure_set) *
                                         static_cast<double>(strength * noise)));
    node.set("energy", energy);
    node.set("spread", spread);
    result = node.write("result", place_array(graph, "denoised", *field, 1));
    node.dispatch_each(field->places * field->arrays);
}

TUFF_PASS(FilterAdaptive)

} // namespace tuff::passes
