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
    info.summary("Computes the tensor of local structure from filter responses")
        .details(
            "For a plane wave of amplitude A along u, \"quadrature\" and \"monomial\" give the "
            "tensor A u u^T for any phase.\n\n\"quadrature\" takes the responses q_k of all "
            "directions of \"filter/kernel\" (8, 12 or 24 numbers a place) and sums |q_k| (alpha "
            "n_k n_k^T - beta I), with alpha and beta 4/K and 1/K in two dimensions, 15/2K and "
            "3/2K in three, 12/K and 2/K in four. \"monomial\" (5, 9 or 14 numbers) computes S = a "
            "a^T + B B^T from the first-order responses a and the second-order responses B; the "
            "tensor is S / sqrt(|S|). \"gradient\" (2, 3 or 4 numbers) is the outer product of the "
            "gradient, of rank 1; smoothed by \"filter/convolve\", with the components as "
            "\"batch\", it is the usual structure tensor, in squares of the slope.\n\nThe result "
            "has an array for each component of the upper triangle, row by row (xx, xy, yy; xx, "
            "xy, xz, yy, yz, zz; ...), followed by the components of the next array. Numbers that "
            "are not finite spread only to the components of their place.")
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
               "responses of \"filter/convolve\" with the kernels of the method, f32")
        .elements<float>();
    info.parameter("method", &FilterStructureTensor::method, "filters of the responses")
        .structural();
    info.parameter("dimensions", &FilterStructureTensor::dimensions, "dimensions of the filters")
        .range(2, 4)
        .structural();
    describe_tensor_field(info);
    info.output("tensor", &FilterStructureTensor::tensor,
                "the tensors, 3, 6 or 10 components a place, f32")
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
