#include "passes/filter/polar.hpp"

namespace tuff::passes {

void FilterPolar::describe(PassInfo<FilterPolar>& info) {
    info.summary("Computes magnitude and phase from the even and odd responses of quadrature "
                 "filters")
        .details("The responses come from \"filter/convolve\" with the kernels \"quadrature\" or "
                 "\"gabor\": for each direction the even, then the odd response. The magnitude "
                 "does not change when a line or an edge moves. The phase tells them apart: 0 for "
                 "bright lines, pi for dark lines, pi / 2 and -pi / 2 for edges, and 0 for zero "
                 "responses.")
        .source("Granlund and Knutsson, \"Signal Processing for Computer Vision\", 1995")
        .complexity("O(places * pairs)")
        .cost([](const FilterPolar& pass, const Graph&) {
            const double numbers = places_of(pass.size, pass.batch) * pass.pairs;
            return Cost{.bytes = 16.0 * numbers, .operations = 20.0 * numbers};
        });
    info.input("responses", &FilterPolar::responses, "even and odd responses, f32")
        .elements<float>();
    info.parameter("pairs", &FilterPolar::pairs, "number of directions: half the number of filters")
        .range(1, 1 << 20)
        .structural();
    describe_tensor_field(info);
    info.output("magnitude", &FilterPolar::magnitude,
                "magnitudes, an array for each direction, f32")
        .elements<float>();
    info.output("phase", &FilterPolar::phase, "the angle of each pair, from -pi to pi, f32")
        .elements<float>();
}

void FilterPolar::build(Graph& graph) {
    const auto field = tensor_field(graph, size, batch, 2 * pairs);
    if (!field || !holds_places(graph, "responses", responses, *field, 2 * pairs)) return;
    ComputeNodeBuilder node = graph.compute("filter/polar");
    node.read("responses", responses);
    node.set("places", field->places);
    node.set("results", field->places * field->arrays * pairs);
    magnitude = node.write("magnitude", place_array(graph, "magnitude", *field, pairs));
    phase = node.write("phase", place_array(graph, "phase", *field, pairs));
    node.dispatch_each(field->places * field->arrays * pairs);
}

TUFF_PASS(FilterPolar)

} // namespace tuff::passes
