#include "apps/bench/checks.hpp"
#include "passes/primitives/compact.hpp"
#include "passes/primitives/gems/compact.hpp"
#include "passes/primitives/histogram.hpp"
#include "passes/primitives/map.hpp"
#include "passes/primitives/reduce.hpp"
#include "passes/primitives/scan.hpp"

#include <string>
#include <vector>

namespace tuff::bench {
namespace {

using passes::ScanMethod;
using Words = std::vector<std::uint32_t>;

constexpr const char* kHalf = "(x & 1u) != 0u";

Input<std::uint32_t> words(CaseBuilder& c) {
    return c.input<std::uint32_t>("values", c.size(), hash32);
}

void reduce(CaseBuilder& c) {
    const auto values = words(c);
    const Buffer sum = c.add(passes::Reduce{.source = values.buffer}).result;
    c.check<std::uint32_t>("sum", sum, [values](std::span<const std::uint32_t> got) {
        std::uint32_t expected = 0;
        for (const std::uint32_t value : values.values())
            expected += value;
        return equal(got, Words{expected});
    });
}

void scan(CaseBuilder& c, ScanMethod method) {
    const auto values = words(c);
    const Buffer sums = c.add(passes::Scan{.source = values.buffer, .method = method}).result;
    c.check<std::uint32_t>("sums", sums, [values](std::span<const std::uint32_t> got) {
        Words expected;
        expected.reserve(values.values().size());
        std::uint32_t sum = 0;
        for (const std::uint32_t value : values.values()) {
            expected.push_back(sum);
            sum += value;
        }
        return equal(got, expected);
    });
}

/// The odd ones among the values, then nothing: what is kept of random words.
void check_odd(CaseBuilder& c, const Input<std::uint32_t>& values, Buffer result, Buffer kept) {
    c.output("result", result);
    c.output("kept", kept);
    c.check([values](CaseResults& results) -> Verdict {
        Words expected;
        for (const std::uint32_t value : values.values())
            if ((value & 1u) != 0) expected.push_back(value);
        const auto count = static_cast<std::uint32_t>(expected.size());
        if (auto counted = equal<std::uint32_t>(results.read<std::uint32_t>("kept"), Words{count});
            !counted)
            return counted;
        Words got = results.read<std::uint32_t>("result");
        if (got.size() > expected.size()) got.resize(expected.size());
        return equal<std::uint32_t>(got, expected);
    });
}

void compact(CaseBuilder& c, ScanMethod method) {
    const auto values = words(c);
    passes::Compact pass{.predicate = kHalf};
    pass.source = values.buffer;
    pass.method = method;
    const passes::Compact done = c.add(pass);
    check_odd(c, values, done.result, done.kept);
}

void compact_gems2(CaseBuilder& c) {
    const auto values = words(c);
    const auto flags =
        c.input<std::uint32_t>("flags", c.size(), [](std::uint64_t i) { return hash32(i) & 1u; });
    const passes::CompactGems2 done =
        c.add(passes::CompactGems2{.source = values.buffer, .flags = flags.buffer});
    check_odd(c, values, done.result, done.kept);
}

/// `size()` bytes, four to a word.
void histogram(CaseBuilder& c) {
    const auto values = c.input<std::uint32_t>("values", c.size() / 4, hash32);
    passes::Histogram pass{.binning = passes::Binning::bytes};
    pass.source = values.buffer;
    const Buffer counts = c.add(pass).result;
    c.check<std::uint32_t>("counts", counts, [values](std::span<const std::uint32_t> got) {
        Words expected(256);
        for (const std::uint32_t value : values.values())
            for (int shift = 0; shift < 32; shift += 8)
                ++expected[value >> shift & 0xffu];
        return equal(got, expected);
    });
}

void map(CaseBuilder& c) {
    const auto values = words(c);
    const Buffer result =
        c.add(passes::Map{.source = values.buffer, .expression = "x * 3u + i"}).result;
    c.check<std::uint32_t>("result", result, [values](std::span<const std::uint32_t> got) {
        Words expected(values.values().begin(), values.values().end());
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] = expected[i] * 3 + static_cast<std::uint32_t>(i);
        return equal(got, expected);
    });
}

} // namespace

void add_primitives_scan_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass), .name = std::move(name), .build = std::move(build)});
    };
    add(passes::Reduce::kName, "sum u32", reduce);
    for (const auto& [name, method] : {std::pair{"look-back", ScanMethod::look_back},
                                       std::pair{"three passes", ScanMethod::three_pass}}) {
        add(passes::Scan::kName, std::string("exclusive sum u32 ") + name,
            [method](CaseBuilder& c) { scan(c, method); });
        add(passes::Compact::kName, std::string("half kept u32 ") + name,
            [method](CaseBuilder& c) { compact(c, method); });
    }
    add(passes::CompactGems2::kName, "half kept u32", compact_gems2);
    add(passes::Histogram::kName, "256 of u8", histogram);
    add(passes::Map::kName, "x * 3 + i", map);
}

} // namespace tuff::bench
