#pragma once

#include "passes/primitives/elements.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// The two ways to scan an array, and what runs on tiles of it.
namespace tuff::passes {

/// How many times a scan goes over memory.
enum class ScanMethod : std::uint8_t {
    automatic,
    look_back,  ///< reads each element once; waits for groups that started earlier
    three_pass, ///< reads each element twice; no group waits
};

/// `method`, or the better one where it is `automatic`: look-back where the graph's target makes
/// sure that groups go on (`DeviceCaps::forward_progress`). `repeatable` asks for results that are
/// the same bits each time although the order of combination matters, and takes three passes. So
/// does every method where groups that wait could wait for ever: where the target does not let
/// loops wait (`DeviceCaps::unbounded_loops`), and on GPUs that do not make sure that groups go on.
ScanMethod choose(ScanMethod method, const Graph& graph, bool repeatable = false);

/// What a group that looks back takes at a time. Large tiles look back less often; small ones keep
/// a device busy with fewer elements.
struct TileShape {
    std::uint32_t group = kGroup;
    std::uint32_t quads = 4; ///< of each invocation

    std::uint32_t elements() const { return 4 * quads * group; }
};

/// Words of the buffer `look_back` of primitives/look_back.glsl, for tiles of so many elements.
std::uint64_t look_back_words(const Length& length, const TileShape& shape);

/// That buffer, zeroed.
Buffer look_back_states(Graph& graph, const Length& length, const TileShape& shape);

/// Binds what primitives/look_back.glsl declares, and sets the constants of the tile's shape.
void bind_look_back(ComputeNodeBuilder& node, const TileShape& shape, Buffer states);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ScanMethod> {
    static constexpr std::array<std::string_view, 3> names{"auto", "look_back", "three_pass"};
};
