#pragma once

#include <tuff/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// An independent judge of compiled plans.
///
/// It plays a plan several times over, as the queues of a device would, and keeps for every part
/// of every image and buffer what the Vulkan memory model says of the accesses made so far: which
/// later operations come after them, which find them available, and which see them. It shares no
/// code with the compiler: its tables come from the Vulkan specification, its algorithm is a walk.
///
/// Where the specification leaves room, the stricter reading is taken:
///  - the barriers of one command do not chain among themselves;
///  - an image barrier orders only accesses to the memory of its range, never other resources;
///  - a fill of a buffer may count as a copy or as a clear, so it has to be ordered as both;
///  - an attachment may be blended and depth is tested, so writing them reads them as well;
///  - a write needs those before it visible, not available alone, whether or not they were read;
///  - a level's batch and the events it waits for do not chain, nor do events with the barriers
///    after the level they are set after;
///  - imports, constants and histories come from the graphics queue and outputs go there.
/// And one reading is the customary one: an image barrier covers the memory of its range, so also
/// what was written there through another resource that shared it.
namespace tuff::oracle {

enum class Fault : std::uint8_t {
    malformed,          ///< the plan contradicts itself or the description
    culled_though_used, ///< something that lasts needs a node that does not run
    placement,          ///< outside its block, misaligned or too small
    usage,              ///< not created for one of its uses
    unordered,          ///< nothing orders two conflicting accesses
    unavailable,        ///< ordered, but the earlier write is still in a cache
    invisible,          ///< available, but the later access may use a stale cache
    wrong_layout,       ///< not the layout the access or the barrier names, or not a legal one
    bad_submission,     ///< submissions that do not follow each other, or an end before the end
    wrong_queue,        ///< a queue that cannot do it, or that nobody asked for
    ownership,          ///< another queue owns it, or a transfer lacks its other half
    undefined_contents, ///< never written, discarded, or overwritten through shared memory
    wrong_version,      ///< contents older or newer than the version that is named
    not_constant,       ///< what runs once depends on what changes, or does not outlast executions
};

struct Violation {
    Fault fault;
    std::string text; ///< one sentence that names the nodes and the part of the resource
};
using Violations = std::vector<Violation>;

struct Settings {
    const MemoryModel* memory = nullptr; ///< that of the compilation; null: the exact one
    std::uint64_t buffer_image_granularity = 1;
    std::size_t most = 32; ///< stops after this many violations
};

/// All that is wrong with `plan` as a compilation of `graph`; empty: nothing.
Violations check(const GraphDesc& graph, const Plan& plan, const Settings& settings = {});

/// One line a violation.
std::string to_string(const Violations& violations);

} // namespace tuff::oracle
