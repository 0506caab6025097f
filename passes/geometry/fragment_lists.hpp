#pragma once

#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

/// The fragments of each pixel, all that cover it and not the nearest alone. Passes that draw make
/// them (`oit/capture`, `geometry/capture_fragments`), others give their fragments another payload
/// (`oit/shade`), count them (`oit/statistics`) or blend them (`oit/resolve`).
namespace tuff::passes {

/// What is stored of a fragment: shaders/include/fragment_lists.glsl has the words, and the
/// numbers.
enum class FragmentPayload : std::uint8_t {
    standard, ///< 8-bit colour, exact depth, triangle
    hdr,      ///< the same with a colour in half floats
    compact,  ///< without the triangle
    tight,    ///< 16-bit colour and depth; lists of one sample only
    triangle, ///< triangle and depth: what it looks like is still to be found
    face,     ///< of a medium: distance from the eye, which medium, what its surface reflects
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

    std::uint64_t pixels() const { return std::uint64_t{size.x} * size.y; }
};

/// Fragments of the pixels of a rectangle, in no order within a pixel unless who makes them says
/// so. Where there are more than `capacity`, linked lists lack some, and in arrays pixels whose
/// fragments did not all find room have none.
struct FragmentLists {
    static constexpr std::string_view kPortType = "FragmentLists";

    Buffer heads;     ///< a word a pixel: its first fragment; arrays have one more, where they end
    Buffer fragments; ///< room for `capacity`
    Buffer status;    ///< what who made them counted; the first word is the number of fragments
                      ///< that there were: the capacity that would have done
    FragmentPayload payload = FragmentPayload::standard;
    FragmentLayout layout = FragmentLayout::linked;
    CaptureRate rate = CaptureRate::pixel;
    std::uint32_t samples = 1;  ///< of a pixel
    std::uint32_t capacity = 0; ///< fragments
    PixelRectangle area;        ///< the pixels that have lists, row by row
    /// Scale and bias that have brought the fragments' depths into [0, 1]: who compares others with
    /// them must scale these, too.
    glm::vec2 depths{1.0f, 0.0f};
    // Of fragments that are known by triangle:
    Buffer count; ///< one u32: the fragments stored, at most `capacity`; may be a `count` of
                  ///< primitives
    TriangleMesh mesh;
    glm::mat4 clip_from_mesh{1.0f};

    explicit operator bool() const { return heads && fragments && status; }
    std::vector<PortMember> members() const;
};

/// What the elements of `FragmentLists::fragments` are: records named after the payload.
BufferElements fragment_elements(FragmentPayload payload, FragmentLayout layout);

/// Words of a fragment, with the next one's number where it is in a list.
std::uint32_t words_of(FragmentPayload payload, FragmentLayout layout);

/// Most fragments that lists of this kind can have on the graph's target: they are numbered in 32
/// or 24 bits, addressed in bytes, and lie in one buffer.
std::uint64_t most_fragments(const Graph& graph, FragmentPayload payload, FragmentLayout layout);

/// Room for `wanted` fragments, or for as many as earlier executions needed, as far as there may be
/// so many: the pool "fragments".
std::uint32_t fragment_room(const Graph& graph, FragmentPayload payload, FragmentLayout layout,
                            std::uint64_t wanted);

/// A buffer for `capacity` fragments.
Buffer fragment_buffer(Graph& graph, const FragmentLists& lists);

/// Where arrays begin: a word for each pixel and one more, zero for the fragments to be counted in.
Buffer no_fragments(Graph& graph, std::uint64_t pixels);
/// What was counted as what `FragmentLists::heads` are, and the number of all.
struct ListHeads {
    Buffer heads;
    Buffer total; ///< one word
};
ListHeads heads_of_counts(Graph& graph, Buffer counts, std::uint64_t pixels);

/// Reports image/size-mismatch where pixels of the lists lie outside the picture.
[[nodiscard]] bool lists_fit(Graph& graph, const FragmentLists& lists, Image picture);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FragmentPayload> {
    static constexpr std::array<std::string_view, 6> names{"standard", "hdr",      "compact",
                                                           "tight",    "triangle", "face"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::FragmentLayout> {
    static constexpr std::array<std::string_view, 2> names{"linked", "arrays"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::CaptureRate> {
    static constexpr std::array<std::string_view, 2> names{"pixel", "sample"};
};
