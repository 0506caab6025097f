#pragma once

#include "passes/jpeg/decode_header.hpp"

#include <cstdint>
#include <vector>

/// The entropy-coded data as kernels read it. The host drops stuffed bytes and finds the markers,
/// a byte at a time: then all sizes are known when the graph is built. Nothing of the Huffman code
/// is looked at.
namespace tuff::passes::jpeg {

/// Bits that one invocation decodes of a scan of so many bytes; kernels are given it as a constant.
/// With fewer there are more invocations, and what one of them found is sooner known to the next,
/// but in more rounds: where each block has many bits, it takes many before decoders agree.
std::uint32_t subsequence_bits_of(const DecodeHeader& header, std::size_t bytes);
/// Subsequences that a group finds the ends of. As in shaders/jpeg/decode_settle.glsl.
inline constexpr std::uint32_t kSyncGroup = 256;
inline constexpr std::uint32_t kSyncStride = kSyncGroup - 32;

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
    std::uint32_t subsequence_bits = 0;
    std::vector<std::uint32_t> words; ///< the first bit is the highest; two words of zeros end it
    std::vector<DecodeSegment> segments;
    std::vector<std::uint32_t> segment_of; ///< by subsequence
};

/// Error: `jpeg/too-large`.
Result<DecodeStream> read_stream(std::span<const std::byte> file, const DecodeHeader& header);

/// The Huffman tables as kernels look codes up. As in shaders/jpeg/decode_tables.glsl.
struct LookupTables {
    std::vector<std::uint32_t> words; ///< pairs of a DC and an AC table, then those of longer codes
    std::uint32_t pairs = 0;          ///< of an MCU's blocks: two bits each, the first ones lowest
};
LookupTables lookup_tables(const DecodeHeader& header);

} // namespace tuff::passes::jpeg
