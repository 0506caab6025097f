#include "apps/bench/checks.hpp"
#include "passes/primitives/bitonic_sort.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/search.hpp"
#include "passes/primitives/segmented_sort.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace tuff::bench {
namespace {

using passes::RadixMethod;
using passes::RadixSort;

constexpr std::uint64_t kTeachingMost = std::uint64_t{1} << 22; // hundreds of passes beyond

std::uint32_t index(std::uint64_t i) {
    return static_cast<std::uint32_t>(i);
}

/// Keys that are there all the same, in order, each with the index it had; of equal keys the lower
/// index first.
Verdict is_stable_sort(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> indices,
                       std::span<const std::uint32_t> source) {
    if (keys.size() != source.size() || indices.size() != source.size())
        return std::unexpected(
            fmt::format("{} keys and {} values of {}", keys.size(), indices.size(), source.size()));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (indices[i] >= source.size() || source[indices[i]] != keys[i])
            return std::unexpected(fmt::format("key {} came from somewhere else", i));
        if (i == 0) continue;
        const bool ordered =
            keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && indices[i - 1] < indices[i]);
        if (!ordered)
            return std::unexpected(fmt::format("keys {} and {} are not in order", i - 1, i));
    }
    return {};
}

void sort_keys(CaseBuilder& c, RadixMethod method) {
    const auto keys = c.input<std::uint32_t>("keys", c.size(), hash32);
    const Buffer sorted = c.add(RadixSort{.keys = keys.buffer, .method = method}).sorted_keys;
    c.check<std::uint32_t>("sorted", sorted, [keys](std::span<const std::uint32_t> got) {
        return is_sorted_permutation(got, keys.values());
    });
}

/// Checks two results of one sort together.
template <typename Sort>
void check_pairs(CaseBuilder& c, const Input<std::uint32_t>& keys, const Sort& sorted,
                 Buffer indices) {
    c.output("sorted_keys", sorted.sorted_keys);
    c.output("indices", indices);
    c.check([keys](CaseResults& results) {
        const auto got_keys = results.read<std::uint32_t>("sorted_keys");
        const auto got_indices = results.read<std::uint32_t>("indices");
        return is_stable_sort(got_keys, got_indices, keys.values());
    });
}

void sort_pairs(CaseBuilder& c, RadixMethod method) {
    const auto keys = c.input<std::uint32_t>("keys", c.size(), hash32);
    const auto values = c.input<std::uint32_t>("values", c.size(), index);
    const RadixSort sorted =
        c.add(RadixSort{.keys = keys.buffer, .values = values.buffer, .method = method});
    check_pairs(c, keys, sorted, sorted.sorted_values);
}

/// Few distinct keys: groups contend for the same digits.
void sort_few(CaseBuilder& c) {
    const auto keys =
        c.input<std::uint32_t>("keys", c.size(), [](std::uint64_t i) { return hash32(i) % 3; });
    const Buffer sorted = c.add(RadixSort{.keys = keys.buffer}).sorted_keys;
    c.check<std::uint32_t>("sorted", sorted, [keys](std::span<const std::uint32_t> got) {
        return is_sorted_permutation(got, keys.values());
    });
}

void sort_wide(CaseBuilder& c) {
    const auto keys = c.input<std::uint64_t>("keys", c.size(), [](std::uint64_t i) {
        return std::uint64_t{hash32(i)} << 32 | hash32(~i);
    });
    const Buffer sorted =
        c.add(RadixSort{.keys = keys.buffer, .type = passes::SortKey::u64}).sorted_keys;
    c.check<std::uint64_t>("sorted", sorted, [keys](std::span<const std::uint64_t> got) {
        std::vector<std::uint64_t> expected(keys.values().begin(), keys.values().end());
        std::ranges::sort(expected);
        return equal(got, expected);
    });
}

template <typename Sort>
void sort_bitonic(CaseBuilder& c) {
    const auto keys = c.input<std::uint32_t>("keys", c.size(), hash32);
    const Sort sorted = c.add(Sort{.keys = keys.buffer});
    check_pairs(c, keys, sorted, sorted.permutation);
}

void sort_segments(CaseBuilder& c) {
    constexpr std::uint64_t kSegment = 100;
    const auto keys = c.input<std::uint32_t>("keys", c.size(), hash32);
    const std::uint64_t segments = c.size() / kSegment;
    const auto offsets = c.input<std::uint32_t>(
        "offsets", segments + 1, [](std::uint64_t i) { return index(i * kSegment); });
    const Buffer sorted =
        c.add(passes::SegmentedSort{.keys = keys.buffer, .offsets = offsets.buffer}).sorted_keys;
    c.check<std::uint32_t>("sorted", sorted, [keys](std::span<const std::uint32_t> got) {
        std::vector<std::uint32_t> expected(keys.values().begin(), keys.values().end());
        for (std::size_t i = 0; i + kSegment <= expected.size(); i += kSegment) {
            const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(i);
            std::sort(begin, begin + std::ptrdiff_t{kSegment});
        }
        return equal(got, expected);
    });
}

/// As many queries as keys; the keys are the even numbers.
template <typename Search>
void search(CaseBuilder& c) {
    const auto most = index(c.size());
    const auto table =
        c.input<std::uint32_t>("table", c.size(), [](std::uint64_t i) { return index(2 * i); });
    const auto queries = c.input<std::uint32_t>(
        "queries", c.size(), [most](std::uint64_t i) { return hash32(i) % (2 * most); });
    const Buffer found = c.add(Search{.table = table.buffer, .queries = queries.buffer}).result;
    c.check<std::uint32_t>("found", found, [queries](std::span<const std::uint32_t> got) {
        std::vector<std::uint32_t> expected;
        for (const std::uint32_t query : queries.values())
            expected.push_back((query + 1) / 2);
        return equal(got, expected);
    });
}

} // namespace

void add_primitives_sort_cases(CaseList& cases) {
    const auto method = [](auto build, RadixMethod chosen) {
        return [build, chosen](CaseBuilder& c) { build(c, chosen); };
    };
    const std::string radix(RadixSort::kName);
    cases.add(
        {.pass = radix, .name = "keys u32", .build = method(sort_keys, RadixMethod::automatic)});
    cases.add({.pass = radix,
               .name = "pairs u32+u32",
               .build = method(sort_pairs, RadixMethod::automatic)});
    cases.add({.pass = radix,
               .name = "counted keys u32",
               .build = method(sort_keys, RadixMethod::counted)});
    cases.add({.pass = radix, .name = "keys u32 of three values", .build = sort_few});
    cases.add(
        {.pass = radix, .name = "keys u64", .build = sort_wide, .most = std::uint64_t{1} << 26});
    cases.add({.pass = std::string(passes::BitonicSort::kName),
               .name = "keys u32",
               .build = sort_bitonic<passes::BitonicSort>,
               .most = kTeachingMost});
    cases.add({.pass = std::string(passes::BitonicSortGems2::kName),
               .name = "keys u32",
               .build = sort_bitonic<passes::BitonicSortGems2>,
               .most = kTeachingMost,
               .most_on_software = std::uint64_t{1} << 14});
    cases.add({.pass = std::string(passes::SegmentedSort::kName),
               .name = "segments of 100 u32",
               .build = sort_segments});
    cases.add({.pass = std::string(passes::LowerBound::kName),
               .name = "as many queries as keys",
               .build = search<passes::LowerBound>});
    cases.add({.pass = std::string(passes::BinarySearchGems::kName),
               .name = "as many queries as keys",
               .build = search<passes::BinarySearchGems>});
}

} // namespace tuff::bench
