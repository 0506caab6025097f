#include "gpu/shader/spirv_edits.hpp"

#include "gpu/shader/spirv_words.hpp"

#include <spirv_cross/spirv.hpp>

#include <algorithm>

namespace tuff {

std::vector<std::uint32_t> without_cooperative_matrices(std::span<const std::uint32_t> words) {
    constexpr std::size_t kHeader = 5;
    constexpr std::uint32_t kVectorWords = 4;
    const auto header = words.first(std::min(kHeader, words.size()));
    std::vector<std::uint32_t> result(header.begin(), header.end());
    result.reserve(words.size());
    for_each_instruction(words, [&](std::uint32_t opcode, std::span<const std::uint32_t> of) {
        if (opcode == spv::OpTypeCooperativeMatrixNV && of.size() > 2)
            result.insert(result.end(), {kVectorWords << spv::WordCountShift | spv::OpTypeVector,
                                         of[1], of[2], kVectorWords});
        else
            result.insert(result.end(), of.begin(), of.end());
    });
    return result;
}

} // namespace tuff
