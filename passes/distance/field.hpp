#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// What all passes that make a distance field share. Each has the output `field`, an image of whole
/// numbers: the squared distance to the nearest object, or the metric's value; and the output
/// `status`, a DistanceStatus. Some have the output `site`: where the nearest object texel is.
namespace tuff::passes {

/// Texels along a side: squared distances stay below 2^31.
inline constexpr std::uint32_t kMaxFieldSide = 32767;
/// Stands for "there is no object" in fields of 32 bits. Sums with it do not wrap.
inline constexpr std::uint32_t kUnreached32 = 0x7fffffff;
/// The same in fields of 16 and 8 bits.
inline constexpr std::uint32_t kUnreached16 = 0xffff;
inline constexpr std::uint32_t kUnreached8 = 0xff;

/// What a field's texels are.
enum class FieldStorage : std::uint8_t { u32, u16, u8 };
Format field_format(FieldStorage storage);
/// Whole numbers of 16 or 32 bits, two to a texel.
Format two_channels_of(Format one);
std::uint32_t unreached(FieldStorage storage);

/// What lies outside the picture. The numbers are those of shaders/distance/border.glsl.
enum class FieldBorder : std::uint8_t {
    background, ///< nothing that distances lead to
    object,     ///< all of it is an object
    wrap,       ///< the opposite side
};

/// What a field measures.
enum class FieldChannels : std::uint8_t {
    one, ///< the distance to the nearest object
    two, ///< red: that; green: the distance to the nearest texel of the background
};

/// Bits of `DistanceStatus::codes`.
inline constexpr std::uint32_t kEmptySeed = 1;  ///< no texel is an object: all is unreached
inline constexpr std::uint32_t kUnfinished = 2; ///< the loop ended before the field was finished
inline constexpr std::uint32_t kFlattened = 4;  ///< some distances were more than a texel holds
/// No texel is background: none for distances within objects.
inline constexpr std::uint32_t kFullSeed = 8;

/// What a field's status says, once it is on the host.
struct DistanceStatus {
    std::uint32_t objects = 0;    ///< texels of the seed that are not 0
    std::uint32_t background = 0; ///< texels of the seed that are
    std::uint32_t not_finite = 0; ///< texels of the picture that were no numbers, or infinite
    std::uint32_t passes = 0;     ///< that ran, the one that found nothing to do included
    std::uint32_t codes = 0;      ///< kEmptySeed and so on
    std::uint32_t row_passes = 0; ///< those of them that went along rows (distance/erosion)

    static constexpr std::string_view kStructName = "DistanceStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(DistanceStatus, objects),    TUFF_MEMBER(DistanceStatus, background),
            TUFF_MEMBER(DistanceStatus, not_finite), TUFF_MEMBER(DistanceStatus, passes),
            TUFF_MEMBER(DistanceStatus, codes),      TUFF_MEMBER(DistanceStatus, row_passes)};
    }
    static DistanceStatus read(std::span<const std::uint32_t> words);
    /// Warnings, with a code each: see docs/diagnostics.md.
    Diagnostics warnings() const;
};

/// The largest seeds that a method takes.
struct SeedLimits {
    std::uint32_t side = kMaxFieldSide; ///< texels along a side of a picture
    std::uint32_t volume_side = 0;      ///< of a volume; 0: volumes are refused
};
/// Reports `distance/seed-format`, `distance/too-large` or `image/not-two-dimensional`, and returns
/// false, unless `seed` is an image of whole numbers in one layer within the limits.
[[nodiscard]] bool is_seed(Graph& graph, Image seed, const SeedLimits& limits = {});
/// Reports `distance/too-large`, and returns false, where a side has more than `most` texels.
[[nodiscard]] bool has_field_size(Graph& graph, Extent extent, std::uint32_t most = kMaxFieldSide);

/// A new status of zeros, in which kernels count.
Buffer clear_status(Graph& graph);
/// A status whose objects have been counted: with the code of an empty seed where there are none.
Buffer judged(Graph& graph, Buffer counted);
/// A new status that counts the seed's objects and says whether there are none. Its passes are 0.
/// With an object outside no seed is empty.
Buffer count_seed(Graph& graph, Image seed, FieldBorder border = FieldBorder::background);
/// Reports `distance/storage`, and returns false, where a texel does not hold the square of the
/// clamp; a clamp of 0 is none.
[[nodiscard]] bool holds_clamp(Graph& graph, FieldStorage storage, std::uint32_t clamp);
/// Reports `distance/storage`, and returns false, where there is no format for the channels.
[[nodiscard]] bool has_channels(Graph& graph, FieldStorage storage, FieldChannels channels);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FieldStorage> {
    static constexpr std::array<std::string_view, 3> names{"u32", "u16", "u8"};
};

template <>
struct tuff::ChoiceNames<tuff::passes::FieldBorder> {
    static constexpr std::array<std::string_view, 3> names{"background", "object", "wrap"};
};

template <>
struct tuff::ChoiceNames<tuff::passes::FieldChannels> {
    static constexpr std::array<std::string_view, 2> names{"one", "two"};
};
