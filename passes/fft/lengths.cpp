#include "passes/fft/lengths.hpp"

#include "passes/common/div_round_up.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kFftInvocations = 256;
constexpr std::uint32_t kMirroredInvocations = 128; // small groups are faster there
// Numbers that an invocation keeps. On GPUs eight are faster than sixteen, where all radices are
// that small; 21 are for lines that are too long otherwise.
constexpr std::uint32_t kFewFftElements = 8;
constexpr std::uint32_t kFftElements = 16;
constexpr std::uint32_t kMaxFftElements = 21;
constexpr std::uint32_t kSideBySide = 8; // numbers of 8 bytes: 64 bytes, which memory hands over

/// Where an invocation has whole pairs of butterflies, the first of these that is possible: eight
/// numbers are faster than sixteen though there may be a step more.
struct MirroredForm {
    std::uint32_t elements;
    std::uint32_t twos; ///< of the greatest radix
};
constexpr MirroredForm kMirroredForms[] = {
    {kFewFftElements, 3}, {kFftElements, 4}, {kFftElements, 3}};

struct Powers {
    std::uint32_t of2 = 0, of3 = 0, of5 = 0, of7 = 0;
    std::uint32_t rest = 1;
};
Powers powers_of(std::uint32_t n) {
    Powers powers;
    const auto take = [&](std::uint32_t prime, std::uint32_t& count) {
        for (; n % prime == 0; n /= prime)
            ++count;
    };
    take(2, powers.of2);
    take(3, powers.of3);
    take(5, powers.of5);
    take(7, powers.of7);
    powers.rest = n;
    return powers;
}

std::vector<std::uint32_t> divisors_of(std::uint32_t n, std::uint32_t most) {
    std::vector<std::uint32_t> divisors;
    for (std::uint32_t d = 2; d <= std::min(n, most); ++d)
        if (n % d == 0) divisors.push_back(d);
    return divisors;
}

/// `n` as the product of `count` lengths.
std::optional<std::vector<std::uint32_t>> split_in(std::uint32_t n, std::uint32_t count,
                                                   std::uint32_t longest) {
    if (count == 1) {
        if (n > longest) return {};
        return std::vector{n};
    }
    std::vector<std::uint32_t> divisors = divisors_of(n, longest);
    const double wanted = std::pow(static_cast<double>(n), 1.0 / count);
    const auto distance = [&](std::uint32_t d) { return std::abs(std::log(d / wanted)); };
    std::ranges::stable_sort(divisors, {}, distance);
    for (const std::uint32_t d : divisors)
        if (auto others = split_in(n / d, count - 1, longest)) {
            others->insert(others->begin(), d);
            return others;
        }
    return {};
}

/// Invocations of a line that keep at most `elements` numbers each.
std::uint32_t workers_for(std::uint32_t line, const std::vector<std::uint32_t>& radices,
                          std::uint32_t elements) {
    std::uint32_t workers = 1;
    for (const std::uint32_t radix : radices) {
        const std::uint32_t butterflies = line / radix;
        const std::uint32_t each = std::clamp(elements / radix, 1u, butterflies);
        workers = std::max(workers, div_round_up(butterflies, each));
    }
    return workers;
}

/// Invocations of a line each of which has whole pairs of the last step's butterflies; 0 where
/// there are none.
std::uint32_t mirrored_workers(std::uint32_t line, const std::vector<std::uint32_t>& radices,
                               std::uint32_t elements) {
    const std::uint32_t butterflies = line / radices.back();
    if (butterflies % 2 != 0) return 0;
    for (std::uint32_t workers = workers_for(line, radices, elements);
         workers <= std::min(butterflies / 2, kFftInvocations); ++workers)
        if (butterflies / 2 % workers == 0) return workers;
    return 0;
}

} // namespace

bool has_small_factors(std::uint32_t n) {
    return n != 0 && powers_of(n).rest == 1;
}

std::uint32_t next_fft_length(std::uint32_t n) {
    std::uint64_t least = std::numeric_limits<std::uint32_t>::max();
    for (std::uint64_t sevens = 1; sevens < least; sevens *= 7)
        for (std::uint64_t fives = sevens; fives < least; fives *= 5)
            for (std::uint64_t threes = fives; threes < least; threes *= 3) {
                std::uint64_t length = threes;
                while (length < n)
                    length *= 2;
                least = std::min(least, length);
            }
    return static_cast<std::uint32_t>(least);
}

std::vector<std::uint32_t> fft_radices(std::uint32_t line, std::uint32_t most_twos) {
    Powers powers = powers_of(line);
    std::vector<std::uint32_t> radices;
    const auto add = [&](std::uint32_t count, std::uint32_t radix) {
        radices.insert(radices.end(), count, radix);
    };
    // A single 2 goes with another factor.
    if (powers.of2 == 1 && powers.of5 > 0) {
        add(1, 10);
        powers.of2 = 0;
        --powers.of5;
    } else if (powers.of2 == 1 && powers.of3 % 2 == 1) {
        add(1, 6);
        powers.of2 = 0;
        --powers.of3;
    }
    // The twos in as few radices as there are, of about the same size.
    for (std::uint32_t steps = div_round_up(powers.of2, most_twos); steps > 0; --steps) {
        const std::uint32_t share = div_round_up(powers.of2, steps);
        add(1, 1u << share);
        powers.of2 -= share;
    }
    add(powers.of3 / 2, 9);
    add(powers.of3 % 2, 3);
    add(powers.of5, 5);
    add(powers.of7, 7);
    if (radices.empty()) add(1, 1);
    std::ranges::sort(radices, std::greater());
    return radices;
}

std::optional<std::vector<std::uint32_t>> fft_passes(std::uint32_t n, std::uint32_t longest) {
    constexpr std::uint32_t kMaxPasses = 8;
    for (std::uint32_t count = 1; count <= kMaxPasses; ++count)
        if (auto passes = split_in(n, count, longest)) return passes;
    return {};
}

FftGroup fft_group(std::uint32_t line, const FftLayout& layout) {
    FftGroup group;
    if (layout.mirrored && layout.large)
        for (const MirroredForm& form : kMirroredForms) {
            group.radices = fft_radices(line, form.twos);
            group.workers = mirrored_workers(line, group.radices, form.elements);
            group.mirrored = group.workers != 0;
            if (group.mirrored) break;
        }
    if (!group.mirrored) {
        group.radices = fft_radices(line);
        const bool few = layout.large && std::ranges::max(group.radices) <= kFewFftElements;
        group.workers = workers_for(line, group.radices, few ? kFewFftElements : kFftElements);
        if (group.workers > kFftInvocations)
            group.workers = workers_for(line, group.radices, kMaxFftElements);
    }
    for (const std::uint32_t radix : group.radices)
        group.elements =
            std::max(group.elements, radix * div_round_up(line / radix, group.workers));

    group.by_parts = layout.large && (layout.by_parts || group.mirrored);
    const std::uint32_t room = (group.by_parts ? 2 : 1) * kMaxFftLine / line;
    const std::uint32_t invocations = group.mirrored ? kMirroredInvocations : kFftInvocations;
    std::uint32_t wanted = std::max(invocations / group.workers, 1u);
    if (layout.by_columns && layout.large)
        wanted = std::max(wanted, std::min(kSideBySide, kLargeFftGroup / group.workers));
    group.columns =
        static_cast<std::uint32_t>(std::min<std::uint64_t>({wanted, room, layout.lines}));
    // Whole sectors of memory.
    if (layout.by_columns && group.columns > 4) group.columns -= group.columns % 4;
    return group;
}

} // namespace tuff::passes
