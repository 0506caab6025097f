#pragma once

#include "passes/jpeg/decode.hpp"
#include "passes/jpeg/decode_header.hpp"
#include "passes/jpeg/encode_shape.hpp"

#include <tuff/graph.hpp>

#include <vector>

/// Pictures of what decoders have: samples, or coefficients.
namespace tuff::passes::jpeg {

/// A component's samples: bytes, four to a word, in rows of whole blocks.
struct SamplePlane {
    Buffer words;
    std::uint32_t row_words = 0;
    ChromaSize ratio; ///< pixels of a sample
};

/// The picture of one component or three, by jpeg/decode_color.
Image colors_of(Graph& graph, const Extent& extent, const std::vector<SamplePlane>& planes,
                DecodeColors colors, JpegUpsampling upsampling);

/// What a decoder makes of the coefficients that jpeg/encode_transform leaves.
Image show_coefficients(Graph& graph, const EncodeShape& shape, const FileHeader& header,
                        Buffer coefficients);

} // namespace tuff::passes::jpeg
