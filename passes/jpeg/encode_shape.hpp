#pragma once

#include "passes/jpeg/header.hpp"
#include "passes/jpeg/options.hpp"

#include <tuff/diagnostic.hpp>
#include <tuff/graph.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// What the passes that encode share: how a picture is cut, and the tables that kernels read.
namespace tuff::passes::jpeg {

/// How a picture is cut into units (MCU), as in jpeg/shape.glsl.
struct EncodeShape {
    bool grey = false;
    ChromaSize chroma;
    std::uint32_t units_across = 0;
    std::uint32_t units = 0;
    std::uint32_t restart = 0;

    std::uint32_t unit_blocks() const { return grey ? 1 : chroma.across * chroma.down + 2; }
    std::uint32_t blocks() const { return units * unit_blocks(); }
    std::uint32_t segments() const;
};

EncodeShape cut(const Extent& size, JpegSampling sampling, bool grey, std::uint32_t restart);

/// The shape of the file that is made of `source`; reports jpeg/too-large and
/// jpeg/unsupported-format and returns nothing where none can be.
std::optional<EncodeShape> shape_of(Graph& graph, Image source, JpegSampling sampling,
                                    JpegColor color, std::int64_t restart);

FileHeader header_of(const Extent& size, const EncodeShape& shape, std::int64_t quality,
                     JpegTables tables);

/// How a picture's texels become the numbers that are transformed.
struct PixelReading {
    JpegAlpha alpha = JpegAlpha::ignore;
    JpegConversion conversion = JpegConversion::real;
};

/// Binds what jpeg/pixels.glsl declares; `counts`: four words, of which it counts in the first.
/// Returns them.
Buffer read_pixels(ComputeNodeBuilder& node, const Graph& graph, Image source,
                   const PixelReading& reading, Buffer counts);

/// What each coefficient is multiplied by before it is rounded, by place: of luma, then of chroma.
Buffer quantiser(Graph& graph, const FileHeader& header, JpegTransform transform);

/// The tables of luma, or for `JpegTables::standard` those of chroma.
TablePair fixed_tables(JpegTables tables, TableKind kind);

/// As jpeg/codes.glsl reads them.
Buffer code_words(Graph& graph, JpegTables tables);

/// How many bytes, then the bytes, four to a word, the highest first.
Buffer byte_words(Graph& graph, std::string_view name, const std::vector<std::byte>& bytes);

} // namespace tuff::passes::jpeg
