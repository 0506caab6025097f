#include "passes/filter/orientation.hpp"

namespace tuff::passes {

void FilterOrientation::describe(PassInfo<FilterOrientation>& info) {
    info.summary("Computes the eigenvalues and the main direction of symmetric matrices")
        .details(
            "Two dimensions use a closed form, three and four use Jacobi rotations. The "
            "eigenvalues descend. The main direction is the unit eigenvector of the largest "
            "eigenvalue; a structure has no front, so its largest component is made positive. "
            "Matrices with equal eigenvalues have any main direction, zero matrices have x. The "
            "anisotropy is sqrt(D / (D - 1)) |T - trace(T) I / D| / |T| in Frobenius norms: 0 for "
            "equal eigenvalues and for zero matrices, 1 for a single eigenvalue, more if some are "
            "negative.")
        .source("Jacobi's method: Golub and Van Loan, \"Matrix Computations\", section 8.5")
        .complexity("O(places)")
        .cost([](const FilterOrientation& pass, const Graph&) {
            const double places = places_of(pass.size, pass.batch);
            const double d = pass.dimensions;
            // In four dimensions a sweep is 6 rotations of 8 rows, 3 sweeps are the least.
            const double rotations = pass.dimensions == 2 ? 1.0 : 1.5 * d * (d - 1.0);
            return Cost{.bytes =
                            4.0 * places * (tensor_components(pass.dimensions) + 2.0 * d + 1.0),
                        .operations = places * rotations * (12.0 * d + 10.0)};
        });
    info.input("tensor", &FilterOrientation::tensor,
               "components of upper triangles, as from \"filter/structure_tensor\", f32")
        .elements<float>();
    info.parameter("dimensions", &FilterOrientation::dimensions, "rows of a matrix")
        .range(2, 4)
        .structural();
    describe_tensor_field(info);
    info.output("values", &FilterOrientation::values,
                "the eigenvalues, an array for each, the largest first, f32")
        .elements<float>();
    info.output("vector", &FilterOrientation::vector,
                "the main direction, an array for each component, f32")
        .elements<float>();
    info.output("anisotropy", &FilterOrientation::anisotropy, "the anisotropy of each place, f32")
        .elements<float>();
}

void FilterOrientation::build(Graph& graph) {
    const std::uint32_t components = tensor_components(dimensions);
    const auto field = tensor_field(graph, size, batch, components);
    if (!field || !holds_places(graph, "tensor", tensor, *field, components)) return;
    ComputeNodeBuilder node = graph.compute("filter/orientation", {{"DIMENSIONS", dimensions}});
    node.read("tensor", tensor);
    node.set("places", field->places);
    node.set("arrays", field->arrays);
    values = node.write("values", place_array(graph, "values", *field, dimensions));
    vector = node.write("vector", place_array(graph, "vector", *field, dimensions));
    anisotropy = node.write("anisotropy", place_array(graph, "anisotropy", *field, 1));
    node.dispatch_each(field->places * field->arrays);
}

TUFF_PASS(FilterOrientation)

} // namespace tuff::passes
