#pragma once

#include "passes/jpeg/options.hpp"

#include <tuff/diagnostic.hpp>
#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// What the device says of the encoding.
struct JpegStatus {
    /// Of the file, where there is room for its data before stuffing; else as many as it takes at
    /// most. 2^32 - 1: more than can be counted.
    std::uint32_t bytes = 0;
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
    JpegTables tables = JpegTables::standard;
    std::int64_t restart = 0;
    JpegTransform transform = JpegTransform::fast;
    JpegAlpha alpha = JpegAlpha::ignore;
    JpegConversion conversion = JpegConversion::real;
    Buffer file;
    Buffer length;
    Buffer status;
    Image decoded;

    static void describe(PassInfo<JpegEncode>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
