#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tuff {

/// Calls `visit(opcode, words of the instruction)` for each instruction of a SPIR-V module, as far
/// as they are whole. `words` may be of constants, or to be changed.
template <typename Word, typename Visit>
void for_each_instruction(std::span<Word> words, Visit visit) {
    constexpr std::size_t kHeader = 5;
    for (std::size_t at = kHeader; at < words.size();) {
        const std::size_t count = std::max<std::size_t>(words[at] >> 16, 1);
        if (count > words.size() - at) return;
        visit(static_cast<std::uint32_t>(words[at] & 0xffff), words.subspan(at, count));
        at += count;
    }
}

} // namespace tuff
