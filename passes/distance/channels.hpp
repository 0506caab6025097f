#pragma once

#include "passes/distance/field.hpp"

#include <string_view>

/// Signed distances by inversion, for all methods: they run on the seed and on its inverse.
namespace tuff::passes {

/// What a method makes of a seed.
struct MadeField {
    Image field;
    Image site; ///< only of methods that know it
    Buffer status;
};

/// A seed whose objects are the background of this one.
Image inverted(Graph& graph, Image seed);
/// The fields, and sites where there are any, as two channels of one image; the status of both.
MadeField both_channels(Graph& graph, const MadeField& to_objects, const MadeField& to_background);

/// `make(seed, border)` makes the field of a seed: here of as many channels as are asked for. What
/// lies outside attracts distances to objects alone, unless it is the opposite side.
template <typename Make>
MadeField in_channels(Graph& graph, FieldChannels channels, Image seed, FieldBorder border,
                      Make&& make) {
    if (channels == FieldChannels::one) return make(seed, border);
    graph.push_scope("to_objects");
    const MadeField outside = make(seed, border);
    graph.pop_scope();
    graph.push_scope("to_background");
    const MadeField inside = make(inverted(graph, seed),
                                  border == FieldBorder::object ? FieldBorder::background : border);
    graph.pop_scope();
    return both_channels(graph, outside, inside);
}

} // namespace tuff::passes
