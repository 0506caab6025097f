#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec2.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The transparent fragments of a picture, by pixel. `oit/capture` makes them, `oit/resolve` sorts
/// and blends them; shaders/oit/lists.glsl reads them.
namespace tuff::passes {

/// Fragments of a pixel that one invocation keeps: 16 KiB of shared memory a group.
inline constexpr std::uint32_t kMostKept = 32;

/// What is stored of a fragment: shaders/oit/fragment.glsl has the bits.
enum class FragmentPacking : std::uint8_t {
    standard, ///< 8-bit colour, exact depth, triangle: 16 bytes in lists, 12 in arrays
    hdr,      ///< the same with colours in half floats: 20 bytes, 16 in arrays
    compact,  ///< without the triangle: 12 bytes, 8 in arrays
    tight,    ///< 16-bit colour and depth: 8 bytes; lists of one sample only
};

/// How the fragments of a pixel are found.
enum class FragmentLayout : std::uint8_t {
    linked, ///< each names the next one: one pass over the geometry
    arrays, ///< they lie side by side: the geometry is drawn twice, first to count
};

/// Which fragments a multisampled pixel has.
enum class CaptureRate : std::uint8_t {
    pixel,  ///< one for all samples that a triangle covers, with the depth of their middle
    sample, ///< one for each sample
};

/// A rectangle of a picture, in pixels.
struct PixelRectangle {
    glm::uvec2 origin{0};
    glm::uvec2 size{0};
};

struct OitLists {
    static constexpr std::string_view kPortType = "OitLists";

    Buffer heads;     ///< a word a pixel: the first node; arrays have one more, where they end
    Buffer fragments; ///< room for `capacity`
    Buffer status;    ///< three words, or these of several lists: see OitStatus
    FragmentPacking packing = FragmentPacking::standard;
    FragmentLayout layout = FragmentLayout::linked;
    CaptureRate rate = CaptureRate::pixel;
    std::uint32_t samples = 1;
    std::uint32_t capacity = 0; ///< fragments
    PixelRectangle area;        ///< the pixels that have lists, row by row
    /// Scale and bias that have brought the fragments' depths into [0, 1]: who compares others with
    /// them does likewise.
    glm::vec2 depths{1.0f, 0.0f};

    explicit operator bool() const { return heads && fragments && status; }
    std::vector<PortMember> members() const;
};

/// The words of OitLists::status.
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

inline std::vector<PortMember> OitLists::members() const {
    return {{"heads", heads, BufferElements::of<std::uint32_t>()},
            {"fragments", fragments, BufferElements::of<std::uint32_t>()},
            {"status", status, BufferElements::of<OitStatus>()}};
}

/// Words of a fragment, with the next node's where it is in a list.
std::uint32_t words_of(FragmentPacking packing, FragmentLayout layout);

/// Most fragments that lists of this kind can have: their nodes are numbered in 32 or 24 bits and
/// addressed as words.
std::uint64_t most_fragments(FragmentPacking packing, FragmentLayout layout);

/// Sets kPacking, kLayout and kSamples of oit/fragment.glsl.
void specialize_fragments(KernelNode& node, const OitLists& lists);

/// Binds and sets what oit/lists.glsl declares.
void bind_lists(KernelNode& node, const OitLists& lists);

/// Reports image/size-mismatch where pixels of the lists lie outside the picture.
[[nodiscard]] bool lists_fit(Graph& graph, const OitLists& lists, Image picture);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FragmentPacking> {
    static constexpr std::array<std::string_view, 4> names{"standard", "hdr", "compact", "tight"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::FragmentLayout> {
    static constexpr std::array<std::string_view, 2> names{"linked", "arrays"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::CaptureRate> {
    static constexpr std::array<std::string_view, 2> names{"pixel", "sample"};
};
