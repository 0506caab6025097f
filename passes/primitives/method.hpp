#pragma once

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
/// the same bits each time although the order of combination matters, and takes three passes.
ScanMethod choose(ScanMethod method, const Graph& graph, bool repeatable = false);

/// The zeroed buffer `look_back` of primitives/look_back.glsl, for so many tiles.
Buffer look_back_states(Graph& graph, std::uint64_t tiles);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ScanMethod> {
    static constexpr std::array<std::string_view, 3> names{"auto", "look_back", "three_pass"};
};
