#include "gpu/shader/spirv_streams.hpp"

#include <spirv_cross/spirv.hpp>

#include <algorithm>
#include <cstddef>

namespace tuff {
namespace {

constexpr std::size_t kHeader = 5; // words

/// Small numbers for small differences of either sign.
std::uint32_t folded(std::uint32_t difference) {
    return difference << 1 ^ (difference >> 31 != 0 ? ~0u : 0u);
}
std::uint32_t unfolded(std::uint32_t number) {
    return number >> 1 ^ ((number & 1u) != 0 ? ~0u : 0u);
}

/// How an instruction begins.
struct Beginning {
    std::size_t words = 0; ///< of the instruction
    std::size_t types = 0; ///< 1: it has a type
    std::size_t results = 0;
};
Beginning beginning_of(std::uint32_t first) {
    bool result = false, type = false;
    spv::HasResultAndType(static_cast<spv::Op>(first & spv::OpCodeMask), &result, &type);
    return {first >> spv::WordCountShift, type ? 1u : 0u, result ? 1u : 0u};
}

} // namespace

std::vector<std::uint32_t> spirv_streams(std::span<const std::uint32_t> words) {
    std::vector<std::uint32_t> firsts, types, results, others;
    std::size_t at = std::min(kHeader, words.size());
    std::uint32_t last = 0;
    while (at < words.size()) {
        const Beginning is = beginning_of(words[at]);
        if (is.words < 1 + is.types + is.results || is.words > words.size() - at) break;
        const auto operands = words.subspan(at + 1, is.words - 1);
        firsts.push_back(words[at]);
        if (is.types > 0) types.push_back(operands[0]);
        if (is.results > 0) {
            const std::uint32_t own = operands[is.types];
            results.push_back(folded(own - last - 1));
            last = own;
        }
        for (const std::uint32_t operand : operands.subspan(is.types + is.results))
            others.push_back(folded(last - operand));
        at += is.words;
    }
    std::vector<std::uint32_t> streams{static_cast<std::uint32_t>(firsts.size()),
                                       static_cast<std::uint32_t>(types.size()),
                                       static_cast<std::uint32_t>(results.size())};
    const auto append = [&](std::span<const std::uint32_t> stream) {
        streams.insert(streams.end(), stream.begin(), stream.end());
    };
    append(words.first(std::min(kHeader, words.size())));
    for (const auto* stream : {&firsts, &types, &results, &others})
        append(*stream);
    append(words.subspan(at));
    return streams;
}

std::optional<std::vector<std::uint32_t>> spirv_of_streams(std::span<const std::uint32_t> streams) {
    if (streams.size() < kStreamCounts) return {};
    std::span<const std::uint32_t> left = streams.subspan(kStreamCounts);
    const auto take = [&](std::size_t count) {
        const auto taken = left.first(std::min(count, left.size()));
        left = left.subspan(taken.size());
        return taken;
    };
    const auto header = take(kHeader);
    const auto firsts = take(streams[0]);
    auto types = take(streams[1]);
    auto results = take(streams[2]);
    std::vector<std::uint32_t> words(header.begin(), header.end());
    words.reserve(streams.size() - kStreamCounts);
    std::uint32_t last = 0;
    for (const std::uint32_t first : firsts) {
        const Beginning is = beginning_of(first);
        if (is.words < 1 + is.types + is.results || types.size() < is.types ||
            results.size() < is.results)
            return {};
        words.push_back(first);
        if (is.types > 0) words.push_back(types.front());
        if (is.results > 0) words.push_back(last += unfolded(results.front()) + 1);
        types = types.subspan(is.types);
        results = results.subspan(is.results);
        const std::size_t count = is.words - 1 - is.types - is.results;
        const auto operands = take(count);
        if (operands.size() < count) return {};
        for (const std::uint32_t operand : operands)
            words.push_back(last - unfolded(operand));
    }
    words.insert(words.end(), left.begin(), left.end());
    if (words.size() + kStreamCounts != streams.size()) return {};
    return words;
}

} // namespace tuff
