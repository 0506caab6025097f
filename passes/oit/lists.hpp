#pragma once

#include "passes/geometry/fragment_lists.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The transparent fragments of a picture: lists of fragments that have colours. `oit/capture`
/// makes them, `oit/resolve` sorts and blends them; shaders/oit/lists.glsl reads them.
namespace tuff::passes {

/// Fragments of a pixel that one invocation keeps: 16 KiB of shared memory a group.
inline constexpr std::uint32_t kMaxKept = 32;

/// The payloads that have colours, as a parameter: shaders/oit/fragment.glsl has the bits.
enum class FragmentPacking : std::uint8_t {
    standard, ///< 8-bit colour, exact depth, triangle: 16 bytes in lists, 12 in arrays
    hdr,      ///< the same with colours in half floats: 20 bytes, 16 in arrays
    compact,  ///< without the triangle: 12 bytes, 8 in arrays
    tight,    ///< 16-bit colour and depth: 8 bytes; lists of one sample only
};

/// The words of the status of lists that `oit/capture` makes.
struct OitStatus {
    std::uint32_t demand = 0;  ///< fragments that there were: the capacity that would have done
    std::uint32_t lost = 0;    ///< of these, fragments that found no room
    std::uint32_t dropped = 0; ///< fragments left out because their depth was no number

    static constexpr std::string_view kStructName = "OitStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(OitStatus, demand), TUFF_MEMBER(OitStatus, lost),
                          TUFF_MEMBER(OitStatus, dropped)};
    }
    static OitStatus read(std::span<const std::uint32_t> words);
    /// oit/full-pool and oit/bad-depth: fragments that found no room or had no depth.
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "fragments"
};

/// What fragments of a packing are.
constexpr FragmentPayload payload_of(FragmentPacking packing) {
    static_assert(static_cast<int>(FragmentPayload::tight) ==
                  static_cast<int>(FragmentPacking::tight));
    return static_cast<FragmentPayload>(packing);
}

/// Sets kPayload, kLayout and kSamples of oit/fragment.glsl.
void specialize_fragments(KernelNode& node, const FragmentLists& lists);

/// Binds and sets what oit/lists.glsl declares.
void bind_lists(KernelNode& node, const FragmentLists& lists);

/// Reports oit/no-colors where fragments are of another payload than the packings.
[[nodiscard]] bool have_colors(Graph& graph, const FragmentLists& lists);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FragmentPacking> {
    static constexpr std::array<std::string_view, 4> names{"standard", "hdr", "compact", "tight"};
};
