#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// What the parallel primitives share: arrays of 32-bit elements, how many there are, and how many
/// groups that makes.
///
/// An array is a buffer of words; the type of its elements is a parameter of the pass. Its length
/// is known on the CPU (the parameter "length"; by default all that the buffer holds) or on the
/// device (the input "count", whose first word says it). Kernels include primitives/length.glsl
/// and read it as `element_count(params.most)`.
///
/// A pass is written so:
///
///     const std::optional<Length> n = length_of(graph, source, length, count);
///     if (!n) return; // reported
///     const Groups groups = groups_for(graph, *n, kTile);
///     ComputeNodeBuilder node = graph.compute("primitives/my_kernel");
///     specialize(node, type);
///     node.read("source", source);
///     bind_length(node, *n);
///     result = node.write("result", array(graph, "result", n->most));
///     groups.dispatch(node);
namespace tuff::passes {

/// Bytes of an element.
inline constexpr std::uint32_t kWordBytes = 4;

/// The numbers are those of primitives/elements.glsl.
enum class Element : std::uint8_t { u32, i32, f32 };

/// What reductions and scans combine elements by. The numbers are those of
/// primitives/operators.glsl.
enum class Combine : std::uint8_t { sum, min, max };

/// Invocations of a group, and elements that a group takes at a time: four quads (uvec4) each. As
/// in primitives/tile.glsl.
inline constexpr std::uint32_t kGroup = 256;
inline constexpr std::uint32_t kTile = 16 * kGroup;

/// Elements are counted in 32 bits and addressed in bytes, so there may be no more than this.
inline constexpr std::uint32_t kMaxElements = (1u << 30) - 1;

/// Stands for "as many as the buffer holds" where a pass takes a length.
inline constexpr std::int64_t kAllElements = -1;

/// How many elements a pass works on.
struct Length {
    std::uint32_t most = 0; ///< the number; with a `count`, what the buffers have room for
    Buffer count;           ///< if connected, its first word is the number, or `most` if greater
};

/// Words that `buffer` has room for.
std::uint64_t capacity(const Graph& graph, Buffer buffer);

/// The number of elements that a pass's cost speaks of; where a count on the device decides, the
/// most there may be.
double cost_elements(const Graph& graph, Buffer source, std::int64_t length);

/// Checks what a pass is given, and says how many elements `source` has: the first `length` of it,
/// or those that `count` says. With both, `length` bounds the count. Reports, and returns nothing,
/// where `source` is not connected (graph/unconnected), `length` is more than it holds
/// (primitives/too-long) or the array is too long to address (primitives/too-long).
[[nodiscard]] std::optional<Length> length_of(Graph& graph, Buffer source,
                                              std::int64_t length = kAllElements, Buffer count = {},
                                              std::string_view port = "source");

/// Checks that `buffer` holds at least as many elements as `length` may come to. Reports
/// primitives/too-short, or graph/unconnected.
[[nodiscard]] bool holds(Graph& graph, Buffer buffer, const Length& length, std::string_view port);

/// A transient array of `elements` words (room for one where there are none).
Buffer array(Graph& graph, std::string_view name, std::uint64_t elements);

/// `buffer`, for kernels that read it as quads of words: kernels may read and write up to the next
/// whole quad beyond the end of every buffer but imported ones, which are copied where they do not
/// end in a whole quad.
Buffer pad_to_uvec4(Graph& graph, Buffer buffer);

/// Sets `element_type` of primitives/elements.glsl and `combine_by` of primitives/operators.glsl.
void specialize(ComputeNodeBuilder& node, Element type);
void specialize(ComputeNodeBuilder& node, Combine combine);

/// Binds what primitives/length.glsl declares, and sets the parameter `most`.
void bind_length(ComputeNodeBuilder& node, const Length& length);

/// Workgroups for all elements: known now, or counted on the device. There is at least one, also
/// for no elements, so that results which exist even then get written. More than 65,535 groups are
/// folded into two dimensions, with up to one row too many: `group_index()` of
/// invocation.glsl numbers them, and a group beyond the last element has nothing to do.
struct Groups {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    Buffer arguments; ///< if connected, the counts for an indirect dispatch

    void dispatch(ComputeNodeBuilder& node) const;
    /// Of a ray kernel, each of whose invocations is a group.
    void launch(RayNodeBuilder& node) const;
};

/// Adds the node that counts the groups where the length is known on the device only.
Groups groups_for(Graph& graph, const Length& length, std::uint32_t elements_per_group);

/// Dispatches an invocation for each element: `invocation_index()` of invocation.glsl numbers them.
void dispatch_each(Graph& graph, ComputeNodeBuilder& node, const Length& length);

/// Groups for `groups` as such, folded.
Groups fold_groups(std::uint64_t groups);

/// Dispatches an invocation for each of `count` things in groups of `group` of them, folded, and at
/// least one group.
void dispatch_each(ComputeNodeBuilder& node, std::uint64_t count, std::uint32_t group);

/// Declares the parameters "type" and "length" and the input "count" of a pass with these fields.
template <typename Pass>
void describe_length(PassInfo<Pass>& info) {
    info.optional_input("count", &Pass::count,
                        "the first word is the number of elements, at most \"length\"")
        .template elements<std::uint32_t>();
    info.parameter("length", &Pass::length,
                   "number of elements, or the limit of \"count\"; -1: all that the buffer holds")
        .range(-1, kMaxElements)
        .unit("elements")
        .structural();
}
template <typename Pass>
void describe_type(PassInfo<Pass>& info) {
    info.parameter("type", &Pass::type, "type of the elements").structural();
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Element> {
    static constexpr std::array<std::string_view, 3> names{"u32", "i32", "f32"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::Combine> {
    static constexpr std::array<std::string_view, 3> names{"sum", "min", "max"};
};
