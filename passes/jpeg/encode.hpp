#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Which pixels share their chroma.
enum class JpegSampling : std::uint8_t {
    s444, ///< none
    s422, ///< two side by side
    s420, ///< two by two
    s440, ///< two one above the other
};

/// What a file holds.
enum class JpegColor : std::uint8_t {
    automatic, ///< grey where the source has one channel
    color,
    grey,
};

/// How blocks are transformed.
enum class JpegTransform : std::uint8_t {
    fast,   ///< by a factorisation
    matrix, ///< by the definition, as a product of matrices
};

/// What the device says of the encoding.
struct JpegStatus {
    std::uint32_t bytes = 0;      ///< of the file; 2^32 - 1: more than can be counted
    std::uint32_t room = 0;       ///< bytes
    std::uint32_t data = 0;       ///< bytes before stuffing, as many as there was room for
    std::uint32_t not_finite = 0; ///< pixels

    static constexpr std::string_view kStructName = "JpegStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(JpegStatus, bytes), TUFF_MEMBER(JpegStatus, room),
                          TUFF_MEMBER(JpegStatus, data), TUFF_MEMBER(JpegStatus, not_finite)};
    }
    static JpegStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const;
};

/// A picture as a JPEG file. See `describe`.
struct JpegEncode {
    static constexpr std::string_view kName = "jpeg/encode";

    Image source;
    std::int64_t quality = 75;
    JpegSampling sampling = JpegSampling::s420;
    JpegColor color = JpegColor::automatic;
    std::int64_t restart = 0;
    JpegTransform transform = JpegTransform::fast;
    Buffer file;
    Buffer length;
    Buffer status;

    static void describe(PassInfo<JpegEncode>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::JpegSampling> {
    static constexpr std::array<std::string_view, 4> names{"4:4:4", "4:2:2", "4:2:0", "4:4:0"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::JpegColor> {
    static constexpr std::array<std::string_view, 3> names{"auto", "color", "grey"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::JpegTransform> {
    static constexpr std::array<std::string_view, 2> names{"fast", "matrix"};
};
