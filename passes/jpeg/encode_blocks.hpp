#pragma once

#include "passes/jpeg/options.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The blocks of a JPEG file, each coded for itself. See `describe`; passes/jpeg/stitch.hpp makes
/// a file of them.
struct JpegEncodeBlocks {
    static constexpr std::string_view kName = "jpeg/encode_blocks";

    Image source;
    std::int64_t quality = 75;
    JpegSampling sampling = JpegSampling::s420;
    JpegColor color = JpegColor::automatic;
    JpegTables tables = JpegTables::single; ///< not `optimised`
    JpegTransform transform = JpegTransform::matrix;
    JpegAlpha alpha = JpegAlpha::ignore;
    JpegConversion conversion = JpegConversion::real;
    Buffer luma;
    Buffer blue;
    Buffer red;
    Buffer not_finite;

    static void describe(PassInfo<JpegEncodeBlocks>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
