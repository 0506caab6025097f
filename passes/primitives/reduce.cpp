#include "passes/primitives/reduce.hpp"

#include "passes/primitives/expression.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

/// More groups than the largest devices run at once, and few enough for one group to join.
constexpr std::uint32_t kMaxReduceGroups = 2048;

/// As in primitives/reduce_body.glsl.
enum class Accumulates : std::uint32_t { value, index, mean, product };

bool finds_index(Reduction operation) {
    return operation == Reduction::argmin || operation == Reduction::argmax;
}

Accumulates accumulates(Reduction operation) {
    if (finds_index(operation)) return Accumulates::index;
    if (operation == Reduction::product) return Accumulates::product;
    return operation == Reduction::mean ? Accumulates::mean : Accumulates::value;
}

Combine combine_of(Reduction operation) {
    switch (operation) {
    case Reduction::min:
    case Reduction::argmin: return Combine::min;
    case Reduction::max:
    case Reduction::argmax: return Combine::max;
    case Reduction::sum:
    case Reduction::product: // of words as they are, which the operator is for sums
    case Reduction::custom:
    case Reduction::mean: break;
    }
    return Combine::sum;
}

ElementType number_of(Element type) {
    switch (type) {
    case Element::u32: return ElementType::u32;
    case Element::i32: return ElementType::i32;
    case Element::f32: break;
    }
    return ElementType::f32;
}

/// Of the indices, an index and the element.
BufferElements result_elements(const Reduce& pass) {
    if (pass.operation == Reduction::mean) return BufferElements::of<float>();
    const ElementType type = number_of(pass.type);
    if (!finds_index(pass.operation)) return BufferElements(type);
    return {"Found",
            {{.name = "index", .type = ElementType::u32, .count = 1, .offset = 0},
             {.name = "element", .type = type, .count = 1, .offset = kWordBytes}},
            2 * kWordBytes};
}

/// A kernel with the operator compiled into it, or as it is where there is none of the user's.
std::optional<std::string> reduce_kernel(Graph& graph, const Reduce& pass,
                                         std::string_view shader) {
    if (pass.operation != Reduction::custom) return std::string(shader);
    return kernel_with(graph, shader,
                       {.parameter = "combine",
                        .text = pass.combine,
                        .x = pass.type,
                        .y = pass.type,
                        .result = pass.type,
                        .variables = Variables::pair});
}

/// One word: what combining with changes nothing.
std::optional<Buffer> identity_word(Graph& graph, const Reduce& pass) {
    const auto shader = kernel_with(graph, "primitives/reduce_identity",
                                    {.parameter = "identity",
                                     .text = pass.identity,
                                     .result = pass.type,
                                     .variables = Variables::none});
    if (!shader) return {};
    ComputeNodeBuilder node = graph.compute(*shader, "identity");
    node.set("p", pass.p);
    node.set("words", 1u);
    const Buffer word = node.write("result", array(graph, "identity", 1));
    node.dispatch(1);
    return word;
}

} // namespace

void Reduce::describe(PassInfo<Reduce>& info) {
    info.summary("Combines all elements of an array into one: sum, product, extremes, mean, or any "
                 "operator")
        .details(
            "The order of combination depends only on the length, so the result is the same to the "
            "bit in every run.\n\nSums and products of integers wrap modulo 2^32. A sum or mean of "
            "f32 is within 40 + n / 2,000,000 roundings of the exact one, relative to the sum of "
            "magnitudes; a product of f32 is within n roundings. An empty product is 1. \"mean\" "
            "is f32 for every type: each element is rounded to f32 first. An empty mean is NaN.\n\n"
            "Minima and maxima ignore NaN, and -0 is less than +0. An empty minimum or maximum is "
            "the greatest or least value of the type (infinities for f32). \"argmin\" and "
            "\"argmax\" give two words, the index and the element: the lowest index of equal "
            "elements, and 4294967295 if every element is NaN.\n\n\"custom\" combines x and y by "
            "the GLSL expression \"combine\", which must be associative and commutative. "
            "\"identity\" is its neutral element and the result of an empty array: for example \"x "
            "^ y\" and \"0u\". Both expressions may use the parameter p. They are compiled when "
            "the graph is built; an expression that does not compile is an error.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(n)")
        .cost([](const Reduce& pass, const Graph& graph) {
            const double n = cost_elements(graph, pass.source, pass.length);
            return Cost{.bytes = 4.0 * n, .operations = n};
        });
    info.input("source", &Reduce::source, "the elements").elements_by("type");
    describe_length(info);
    describe_type(info);
    info.parameter("operation", &Reduce::operation, "the operator").structural();
    info.parameter("combine", &Reduce::combine,
                   "\"custom\": combines two elements x and y, for example \"max(abs(x), abs(y))\"")
        .structural();
    info.parameter("identity", &Reduce::identity,
                   "\"custom\": the neutral element, for example \"0.0\"")
        .structural();
    info.parameter("p", &Reduce::p, "four numbers for the two expressions");
    info.output("result", &Reduce::result,
                "one word; \"argmin\" and \"argmax\": two words, the index and the element")
        .elements_from(
            "of the source's type; \"mean\": f32; \"argmin\" and \"argmax\": the index first",
            [](const Reduce& pass) { return result_elements(pass); });
}

void Reduce::build(Graph& graph) {
    const std::optional<Length> n = length_of(graph, source, length, count);
    if (!n) return;
    const bool custom = operation == Reduction::custom;
    const auto tiles_kernel = reduce_kernel(graph, *this, "primitives/reduce_tiles");
    if (!tiles_kernel) return;
    const auto partials_kernel = reduce_kernel(graph, *this, "primitives/reduce_partials");
    if (!partials_kernel) return;
    const std::optional<Buffer> identity_of =
        custom ? identity_word(graph, *this) : std::optional(Buffer());
    if (!identity_of) return;
    const std::uint32_t tiles = n->most / kTile + (n->most % kTile != 0 ? 1 : 0);
    const std::uint32_t groups = std::clamp(tiles, 1u, kMaxReduceGroups);
    const Buffer quads = pad_to_uvec4(graph, source);
    const auto start = [&](const std::string& shader, std::string_view name) {
        ComputeNodeBuilder node = graph.compute(shader, name);
        specialize(node, operation == Reduction::mean ? Element::f32 : type);
        specialize(node, combine_of(operation));
        node.specialize("reduction", static_cast<std::uint32_t>(accumulates(operation)));
        node.specialize("source_type", static_cast<std::uint32_t>(type));
        bind_length(node, *n);
        node.set("max_groups", kMaxReduceGroups);
        if (custom) {
            node.read("own_identity", *identity_of);
            node.set("p", p);
        }
        return node;
    };

    // So few groups that those which a count leaves without work do no harm: the dispatch need not
    // be indirect.
    ComputeNodeBuilder first = start(*tiles_kernel, "reduce_tiles");
    first.read("source", quads);
    const Buffer partials =
        first.write("partials", graph.buffer("partials", {.size = 8 * groups, .stride = 8}));
    first.dispatch(groups);

    ComputeNodeBuilder last = start(*partials_kernel, "reduce_partials");
    last.read("partials", partials);
    result = last.write("result", array(graph, "result", finds_index(operation) ? 2 : 1));
    last.dispatch(1);
}

TUFF_PASS(Reduce)

} // namespace tuff::passes
