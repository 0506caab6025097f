#include "apps/bench/checks.hpp"
#include "passes/primitives/compact.hpp"
#include "passes/primitives/gather.hpp"
#include "passes/primitives/gems/compact.hpp"
#include "passes/primitives/histogram.hpp"
#include "passes/primitives/map.hpp"
#include "passes/primitives/reduce.hpp"
#include "passes/primitives/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace tuff::bench {
namespace {

using Words = std::vector<std::uint32_t>;
using WordSpan = std::span<const std::uint32_t>;

Input<std::uint32_t> random_words(CaseBuilder& c) {
    return c.input<std::uint32_t>("values", c.size(), hash32);
}
Input<float> random_numbers(CaseBuilder& c) {
    return c.input<float>("values", c.size(), hash_unit);
}

/// The first `count` of `got`, which may have room for more.
WordSpan first_of(WordSpan got, std::size_t count) {
    return got.first(std::min(count, got.size()));
}

// --- map, reduce -----------------------------------------------------------------------------

void map_add(CaseBuilder& c) {
    const auto values = random_words(c);
    const Buffer result =
        c.add(passes::Map{.source = values.buffer, .expression = "x * 3u + 1u"}).result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        Words expected(values.values().begin(), values.values().end());
        for (std::uint32_t& word : expected)
            word = word * 3u + 1u;
        return equal(got, expected);
    });
}

void reduce_sum_u32(CaseBuilder& c) {
    const auto values = random_words(c);
    const Buffer result = c.add(passes::Reduce{.source = values.buffer}).result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        const Words sum{std::accumulate(values.values().begin(), values.values().end(), 0u)};
        return equal(first_of(got, 1), sum);
    });
}

void reduce_sum_f32(CaseBuilder& c) {
    const auto values = random_numbers(c);
    const Buffer result =
        c.add(passes::Reduce{.source = values.buffer, .type = passes::Element::f32}).result;
    c.check<float>("result", result, [values](std::span<const float> got) -> Verdict {
        if (got.empty()) return std::unexpected("there is no result");
        const double sum = std::accumulate(values.values().begin(), values.values().end(), 0.0);
        return near(got[0], sum, {.relative = 1e-5});
    });
}

void reduce_argmax_f32(CaseBuilder& c) {
    const auto values = random_numbers(c);
    const Buffer result = c.add(passes::Reduce{.source = values.buffer,
                                               .type = passes::Element::f32,
                                               .operation = passes::Reduction::argmax})
                              .result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        const auto all = values.values();
        const auto at = std::ranges::max_element(all) - all.begin();
        return equal(first_of(got, 1), Words{static_cast<std::uint32_t>(at)});
    });
}

void reduce_product_u32(CaseBuilder& c) {
    const auto values =
        c.input<std::uint32_t>("values", c.size(), [](std::uint64_t i) { return hash32(i) | 1u; });
    const Buffer result =
        c.add(passes::Reduce{.source = values.buffer, .operation = passes::Reduction::product})
            .result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        const Words product{std::accumulate(values.values().begin(), values.values().end(), 1u,
                                            std::multiplies<>())};
        return equal(first_of(got, 1), product);
    });
}

void reduce_xor_u32(CaseBuilder& c) {
    const auto values = random_words(c);
    passes::Reduce pass{.source = values.buffer, .operation = passes::Reduction::custom};
    pass.combine = "x ^ y";
    pass.identity = "0u";
    const Buffer result = c.add(pass).result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        const Words all{
            std::accumulate(values.values().begin(), values.values().end(), 0u, std::bit_xor<>())};
        return equal(first_of(got, 1), all);
    });
}

// --- scan ------------------------------------------------------------------------------------

using ScanVariant = passes::ScanMethod;

void scan_u32(CaseBuilder& c, ScanVariant method) {
    const auto values = random_words(c);
    const Buffer result = c.add(passes::Scan{.source = values.buffer, .method = method}).result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        Words expected(values.values().size());
        std::exclusive_scan(values.values().begin(), values.values().end(), expected.begin(), 0u);
        return equal(got, expected);
    });
}

void scan_f32(CaseBuilder& c) {
    const auto values = random_numbers(c);
    const Buffer result = c.add(passes::Scan{.source = values.buffer,
                                             .type = passes::Element::f32,
                                             .kind = passes::ScanKind::inclusive})
                              .result;
    c.check<float>("result", result, [values](std::span<const float> got) {
        std::vector<double> expected(values.values().size());
        std::inclusive_scan(values.values().begin(), values.values().end(), expected.begin(),
                            std::plus<>(), 0.0);
        return near(got, expected, {.absolute = 1e-3, .relative = 1e-4});
    });
}

void scan_max_i32(CaseBuilder& c) {
    const auto values = random_words(c);
    const Buffer result = c.add(passes::Scan{.source = values.buffer,
                                             .type = passes::Element::i32,
                                             .operation = passes::Combine::max,
                                             .kind = passes::ScanKind::inclusive})
                              .result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        Words expected(values.values().size());
        auto most = std::numeric_limits<std::int32_t>::min();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            most = std::max(most, static_cast<std::int32_t>(values.values()[i]));
            expected[i] = static_cast<std::uint32_t>(most);
        }
        return equal(got, expected);
    });
}

// --- compact ---------------------------------------------------------------------------------

/// Half of random words have this bit.
bool is_kept(std::uint32_t word) {
    return (word & 0x10u) != 0;
}
constexpr std::string_view kKeeps = "(x & 16u) != 0u";

/// Checks the number kept, and all that is.
void check_kept(CaseBuilder& c, Buffer result, Buffer kept, const Words& expected) {
    c.output("result", result);
    c.output("kept", kept);
    c.check([expected](CaseResults& results) -> Verdict {
        const Words number{static_cast<std::uint32_t>(expected.size())};
        if (auto right = equal(first_of(results.read<std::uint32_t>("kept"), 1), number); !right)
            return right;
        const Words got = results.read<std::uint32_t>("result");
        return equal(first_of(got, expected.size()), expected);
    });
}

Words kept_of(const Input<std::uint32_t>& values) {
    Words kept;
    std::ranges::copy_if(values.values(), std::back_inserter(kept), is_kept);
    return kept;
}

void compact_half(CaseBuilder& c, ScanVariant method) {
    const auto values = random_words(c);
    const auto pass = c.add(passes::Compact{
        .source = values.buffer, .predicate = std::string(kKeeps), .method = method});
    check_kept(c, pass.result, pass.kept, kept_of(values));
}

/// One element in so many of random ones is kept, or all but these.
void compact_density(CaseBuilder& c, double density) {
    const auto values = random_words(c);
    const auto below = static_cast<std::uint32_t>(density * 0x1p32);
    const auto pass =
        c.add(passes::Compact{.source = values.buffer, .predicate = fmt::format("x < {}u", below)});
    Words kept;
    std::ranges::copy_if(values.values(), std::back_inserter(kept),
                         [below](std::uint32_t x) { return x < below; });
    check_kept(c, pass.result, pass.kept, kept);
}

/// The same elements, in any order.
void append_density(CaseBuilder& c, double density) {
    const auto values = random_words(c);
    const auto below = static_cast<std::uint32_t>(density * 0x1p32);
    const auto pass =
        c.add(passes::Append{.source = values.buffer, .predicate = fmt::format("x < {}u", below)});
    Words kept;
    std::ranges::copy_if(values.values(), std::back_inserter(kept),
                         [below](std::uint32_t x) { return x < below; });
    std::ranges::sort(kept);
    c.output("result", pass.result);
    c.output("kept", pass.kept);
    c.check([kept](CaseResults& results) -> Verdict {
        const Words number{static_cast<std::uint32_t>(kept.size())};
        if (auto right = equal(first_of(results.read<std::uint32_t>("kept"), 1), number); !right)
            return right;
        Words got = results.read<std::uint32_t>("result");
        got.resize(std::min(got.size(), kept.size()));
        std::ranges::sort(got);
        return equal(WordSpan(got), kept);
    });
}

void compact_flags(CaseBuilder& c) {
    const auto values = random_words(c);
    const auto flags = c.input<std::uint32_t>("flags", c.size(),
                                              [](std::uint64_t i) { return hash32(i) & 0x10u; });
    const auto pass = c.add(passes::Compact{.source = values.buffer, .flags = flags.buffer});
    check_kept(c, pass.result, pass.kept, kept_of(values));
}

void compact_gems2(CaseBuilder& c) {
    const auto values = random_words(c);
    const auto flags = c.input<std::uint32_t>("flags", c.size(),
                                              [](std::uint64_t i) { return hash32(i) & 0x10u; });
    const auto pass = c.add(passes::CompactGems2{.source = values.buffer, .flags = flags.buffer});
    check_kept(c, pass.result, pass.kept, kept_of(values));
}

void partition_half(CaseBuilder& c) {
    const auto values = random_words(c);
    const auto pass =
        c.add(passes::Partition{.source = values.buffer, .predicate = std::string(kKeeps)});
    check_kept(c, pass.result, pass.kept, kept_of(values));
    Words others;
    std::ranges::remove_copy_if(values.values(), std::back_inserter(others), is_kept);
    c.output("rejected", pass.rejected);
    c.check([others](CaseResults& results) {
        const Words got = results.read<std::uint32_t>("rejected");
        return equal(first_of(got, others.size()), others);
    });
}

/// Runs of two equal words on average.
void unique_runs(CaseBuilder& c) {
    const auto values = c.input<std::uint32_t>("values", c.size(), [](std::uint64_t i) {
        return static_cast<std::uint32_t>(i / 2 + hash32(i / 2) % 2);
    });
    const auto pass = c.add(passes::Unique{.source = values.buffer});
    Words expected;
    std::ranges::unique_copy(values.values(), std::back_inserter(expected));
    check_kept(c, pass.result, pass.kept, expected);
}

// --- histogram -------------------------------------------------------------------------------

/// `size()` bytes.
void histogram_bytes(CaseBuilder& c) {
    const auto values =
        c.input<std::uint32_t>("values", std::max<std::uint64_t>(c.size() / 4, 1), hash32);
    const Buffer result =
        c.add(passes::Histogram{.source = values.buffer, .binning = passes::Binning::bytes}).result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        Words expected(256);
        for (const std::byte byte : *values.bytes)
            ++expected[std::to_integer<std::size_t>(byte)];
        return equal(got, expected);
    });
}

/// All in one bin: the worst case for counters that are shared.
void histogram_one_value(CaseBuilder& c) {
    const auto values = c.input<std::uint32_t>("values", std::max<std::uint64_t>(c.size() / 4, 1),
                                               [](std::uint64_t) { return 0x07070707u; });
    const Buffer result =
        c.add(passes::Histogram{.source = values.buffer, .binning = passes::Binning::bytes}).result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        Words expected(256);
        expected[7] = static_cast<std::uint32_t>(values.bytes->size());
        return equal(got, expected);
    });
}

void histogram_range(CaseBuilder& c) {
    constexpr std::uint32_t kBins = 1000;
    const auto values = c.input<std::uint32_t>("values", c.size(),
                                               [](std::uint64_t i) { return hash32(i) % kBins; });
    const Buffer result =
        c.add(passes::Histogram{
                  .source = values.buffer, .binning = passes::Binning::integers, .bins = kBins})
            .result;
    c.check<std::uint32_t>("result", result, [values](WordSpan got) {
        Words expected(kBins);
        for (const std::uint32_t value : values.values())
            ++expected[value];
        return equal(got, expected);
    });
}

// --- gather ----------------------------------------------------------------------------------

void gather_random(CaseBuilder& c) {
    const auto values = random_words(c);
    const std::uint64_t n = c.size();
    const auto indices =
        c.input<std::uint32_t>("indices", n, [n](std::uint64_t i) { return hash32(i + 7) % n; });
    const Buffer result =
        c.add(passes::Gather{.source = values.buffer, .indices = indices.buffer}).result;
    c.check<std::uint32_t>("result", result, [values, indices](WordSpan got) {
        Words expected(indices.values().size());
        std::ranges::transform(indices.values(), expected.begin(),
                               [&](std::uint32_t i) { return values.values()[i]; });
        return equal(got, expected);
    });
}

} // namespace

void add_primitives_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, int log2_most = 28) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .most = std::uint64_t{1} << log2_most});
    };
    const auto of_method = [](auto* build, ScanVariant method) {
        return [=](CaseBuilder& c) { build(c, method); };
    };
    add(passes::Map::kName, "3 x + 1 u32", map_add);
    add(passes::Reduce::kName, "sum u32", reduce_sum_u32);
    add(passes::Reduce::kName, "sum f32", reduce_sum_f32);
    add(passes::Reduce::kName, "argmax f32", reduce_argmax_f32);
    add(passes::Reduce::kName, "product u32", reduce_product_u32);
    add(passes::Reduce::kName, "operator x ^ y u32", reduce_xor_u32);
    add(passes::Scan::kName, "exclusive sum u32", of_method(scan_u32, ScanVariant::automatic));
    add(passes::Scan::kName, "exclusive sum u32 three passes",
        of_method(scan_u32, ScanVariant::three_pass));
    add(passes::Scan::kName, "inclusive sum f32", scan_f32);
    add(passes::Scan::kName, "inclusive max i32", scan_max_i32);
    add(passes::Compact::kName, "half kept", of_method(compact_half, ScanVariant::automatic));
    add(passes::Compact::kName, "half kept three passes",
        of_method(compact_half, ScanVariant::three_pass));
    for (const double density : {1e-4, 0.1, 0.5, 0.9, 0.999}) {
        const auto of_density = [density](auto* build) {
            return [=](CaseBuilder& c) { build(c, density); };
        };
        add(passes::Compact::kName, fmt::format("{} kept", density), of_density(compact_density),
            24);
        add(passes::Append::kName, fmt::format("{} kept", density), of_density(append_density), 24);
    }
    add(passes::Compact::kName, "half kept by flags", compact_flags);
    add(passes::CompactGems2::kName, "half kept by flags", compact_gems2, 22);
    add(passes::Partition::kName, "half kept", partition_half);
    add(passes::Unique::kName, "runs of two", unique_runs);
    add(passes::Histogram::kName, "256 of u8", histogram_bytes);
    add(passes::Histogram::kName, "256 of u8 one value", histogram_one_value);
    add(passes::Histogram::kName, "1000 of u32", histogram_range);
    add(passes::Gather::kName, "random u32", gather_random);
}

} // namespace tuff::bench
