#include "passes/filter/structure_tensor.hpp"

#include "passes/filter/directions.hpp"
#include "passes/filter/kernel_design.hpp"

#include <algorithm>
#include <vector>

namespace tuff::passes {

std::uint32_t tensor_responses(TensorMethod method, std::uint32_t dimensions) {
    if (method == TensorMethod::gradient) return dimensions;
    const auto kind = method == TensorMethod::quadrature ? FilterKernelKind::quadrature
                                                         : FilterKernelKind::monomial;
    return kernel_filters(kind, dimensions, kernel_directions(kind, dimensions));
}

/// Over directions n_k that are spread evenly, sum n n n n = K (dd + dd + dd) / (D (D + 2)), so
/// with |q_k| = (u n_k)^2 the sum of |q_k| (alpha n n^T - beta I) is alpha K (I + 2 u u^T) / (D (D
/// + 2)) - beta K I / D: u u^T with these.
TensorDuals tensor_duals(std::uint32_t dimensions) {
    const double d = dimensions;
    const double k = static_cast<double>(filter_directions(dimensions).size());
    return {.alpha = 0.5 * d * (d + 2.0) / k, .beta = 0.5 * d / k};
}

void FilterStructureTensor::describe(PassInfo<FilterStructureTensor>& info) {
    info.summary("Makes the tensor of local structure out of filter responses, place by place")
        .details(
            "Of a plane wave of amplitude A along u the tensor is A u u^T whatever its phase, by "
            "\"quadrature\" and by \"monomial\". With \"quadrature\", the responses q_k of all "
            "directions of \"filter/kernel\" (8, 12 or 24 numbers a place) are summed as |q_k| "
            "(alpha n_k n_k^T - beta I), alpha and beta being 4/K and 1/K in two dimensions, "
            "15/2K and 3/2K in three, 12/K and 2/K in four. With \"monomial\" (5, 9 or 14 "
            "numbers), "
            "S = a a^T + B B^T of the first-order responses a and the second-order ones B, and the "
            "tensor is S / sqrt(|S|). With \"gradient\" (2, 3 or 4 numbers), it is the outer "
            "product of the gradient, of rank 1; smoothed by \"filter/convolve\", \"batch\" being "
            "the components, it is the usual one, in squares of the slope.\n\n"
            "The result has an array for each component of the upper triangle, row by row (xx, "
            "xy, yy; xx, xy, xz, yy, yz, zz; ...), those of the next array behind them. Numbers "
            "that are not finite spread to the place's components alone.")
        .source("Knutsson, \"Representing Local Structure Using Tensors\", 1989; Knutsson, Westin "
                "and Andersson, \"Representing Local Structure Using Tensors II\", 2011")
        .complexity("O(places * filters)")
        .cost([](const FilterStructureTensor& pass, const Graph&) {
            const double places = places_of(pass.size, pass.batch);
            const double filters = tensor_responses(pass.method, pass.dimensions);
            const double components = tensor_components(pass.dimensions);
            return Cost{.bytes = 4.0 * places * (filters + components),
                        .operations = 2.0 * places * filters * components};
        });
    info.input("responses", &FilterStructureTensor::responses,
               "what \"filter/convolve\" made with the kernels of the method, f32")
        .elements<float>();
    info.parameter("method", &FilterStructureTensor::method, "which filters were applied")
        .structural();
    info.parameter("dimensions", &FilterStructureTensor::dimensions, "of the filters")
        .range(2, 4)
        .structural();
    describe_tensor_field(info);
    info.output("tensor", &FilterStructureTensor::tensor, "3, 6 or 10 components a place, f32")
        .elements<float>();
}

void FilterStructureTensor::build(Graph& graph) {
    const std::uint32_t filters = tensor_responses(method, dimensions);
    const std::uint32_t components = tensor_components(dimensions);
    const auto field = tensor_field(graph, size, batch, std::max(filters, components));
    if (!field || !holds_places(graph, "responses", responses, *field, filters)) return;

    ComputeNodeBuilder node = graph.compute(
        "filter/structure_tensor",
        {{"METHOD", ChoiceNames<TensorMethod>::names[static_cast<std::size_t>(method)]},
         {"DIMENSIONS", dimensions}});
    node.read("responses", responses);
    node.set("places", field->places);
    node.set("arrays", field->arrays);
    if (method == TensorMethod::quadrature) {
        std::vector<glm::vec4> directions;
        for (const glm::dvec4& direction : filter_directions(dimensions))
            directions.emplace_back(direction);
        const TensorDuals duals = tensor_duals(dimensions);
        node.set("directions", std::span<const glm::vec4>(directions));
        node.set("alpha", static_cast<float>(duals.alpha));
        node.set("beta", static_cast<float>(duals.beta));
    }
    tensor = node.write("tensor", place_array(graph, "tensor", *field, components));
    node.dispatch_each(field->places * field->arrays);
}

TUFF_PASS(FilterStructureTensor)

} // namespace tuff::passes
