#pragma once

#include "passes/jpeg/decode_header.hpp"

#include <cstdint>
#include <vector>

/// The entropy-coded data as kernels read it. The host drops stuffed bytes and finds the markers:
/// it does so at the speed at which it reads memory, and then all sizes are known when the graph is
/// built. Nothing of the Huffman code is looked at.
namespace tuff::passes::jpeg {

/// Bits that one invocation decodes. As in shaders/jpeg/decode_stream.glsl.
inline constexpr std::uint32_t kSubsequenceBits = 1024;
/// Words of a table in DecodeStream::tables. As in shaders/jpeg/decode_stream.glsl.
inline constexpr std::uint32_t kTableWords = 1024 + 16 + 16 + 256;

/// What lies between two restart markers. As in shaders/jpeg/decode_stream.glsl.
struct DecodeSegment {
    std::uint32_t first_bit = 0; ///< a multiple of 32
    std::uint32_t end_bit = 0;
    std::uint32_t first_subsequence = 0;
    std::uint32_t subsequences = 0; ///< at least one
    std::uint32_t first_mcu = 0;
    std::uint32_t blocks = 0;
};

struct DecodeStream {
    std::vector<std::uint32_t> words; ///< the first bit is the highest; two words of zeros end it
    std::vector<DecodeSegment> segments;
    std::vector<std::uint32_t> segment_of; ///< by subsequence
};

/// Error: `jpeg/too-large`.
Result<DecodeStream> read_stream(std::span<const std::byte> file, const DecodeHeader& header);

/// The header's tables: by the next ten bits length << 8 | symbol (0: the code is longer); by
/// length the end of its codes, moved to 16 bits, and what makes a code the number of its symbol;
/// the symbols.
std::vector<std::uint32_t> lookup_tables(const DecodeHeader& header);

} // namespace tuff::passes::jpeg
