#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// SPIR-V whose like words lie together, for which a compressor needs a third less.
namespace tuff {

/// So many more words than the SPIR-V has.
inline constexpr std::size_t kStreamCounts = 3;

/// Three counts, then the words by what they are: the header, first words of instructions, types,
/// results as differences from the one before, other operands as differences from the last result,
/// and what comes after the last whole instruction.
std::vector<std::uint32_t> spirv_streams(std::span<const std::uint32_t> words);

/// The way back. Without a value for what `spirv_streams` does not make.
std::optional<std::vector<std::uint32_t>> spirv_of_streams(std::span<const std::uint32_t> streams);

} // namespace tuff
