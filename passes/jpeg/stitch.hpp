#pragma once

#include "passes/jpeg/header.hpp"
#include "passes/jpeg/options.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// JPEG files of blocks that jpeg/encode_blocks has coded, put together on the CPU.
namespace tuff::passes::jpeg {

/// Words of a block's slot: the first coefficient, the number of bits, and room for 63 codes of 26
/// bits, whose bytes lie in the order of the file. As in jpeg/encode_block.
inline constexpr std::uint32_t kSlotWords = 54;

/// What the file is of: the size of the picture and what jpeg/encode_blocks was given.
struct StitchedFile {
    Extent size;
    std::int64_t quality = 75;
    JpegSampling sampling = JpegSampling::s420;
    JpegTables tables = JpegTables::single; ///< not `optimised`
    std::uint32_t restart = 0;              ///< units between restart markers; 0: none
};

/// The file. `components`: the slots of luma, blue and red, or of luma alone. Each has as many as
/// the picture has blocks in whole units, or the file is empty.
std::vector<std::byte> stitch(const StitchedFile& file,
                              std::span<const std::span<const std::uint32_t>> components);

} // namespace tuff::passes::jpeg
