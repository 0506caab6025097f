#include "apps/bench/checks.hpp"
#include "passes/primitives/matmul.hpp"
#include "passes/primitives/saxpy.hpp"
#include "passes/primitives/summed_area_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace tuff::bench {
namespace {

void saxpy(CaseBuilder& c) {
    constexpr float kAlpha = 0.5f;
    const auto x = c.input<float>("x", c.size(), hash_unit);
    const auto y = c.input<float>("y", c.size(), [](std::uint64_t i) { return hash_unit(~i); });
    const auto pass = c.add(passes::Saxpy{.x = x.buffer, .y = y.buffer, .alpha = kAlpha});
    c.check<float>("result", pass.result, [x, y](std::span<const float> got) {
        std::vector<double> expected(x.values().size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] = double{kAlpha} * x.values()[i] + y.values()[i];
        return near(got, expected, {.absolute = 2e-7});
    });
}

/// Square matrices with `size()` elements. Up to 2^14 elements of the product are computed again:
/// the ends, and others spread over it.
void matmul(CaseBuilder& c, passes::MatmulForm form,
            passes::MatmulOperands operands = passes::MatmulOperands::f32) {
    const bool halves = operands == passes::MatmulOperands::f16;
    const std::uint32_t n = c.side();
    const std::uint64_t elements = std::uint64_t{n} * n;
    // Operands of 16 bits hold ten bits exactly: then they can be checked like others.
    const auto signed_unit = [halves](std::uint64_t i) {
        const float unit = 2.0f * hash_unit(i) - 1.0f;
        return halves ? std::round(unit * 1024.0f) / 1024.0f : unit;
    };
    const auto a = c.input<float>("a", elements, signed_unit);
    const auto b = c.input<float>("b", elements, [&](std::uint64_t i) { return signed_unit(~i); });
    const auto pass = c.add(passes::Matmul{.left = a.buffer,
                                           .right = b.buffer,
                                           .rows = n,
                                           .columns = n,
                                           .inner = n,
                                           .operands = operands,
                                           .form = form});
    c.check<float>(
        "product", pass.result, [a, b, n, halves](std::span<const float> got) -> Verdict {
            const std::uint64_t all = std::uint64_t{n} * n;
            if (got.size() != all)
                return std::unexpected(
                    fmt::format("there are {} elements instead of {}", got.size(), all));
            const std::uint64_t compared = std::min<std::uint64_t>(all, 1u << 14);
            // Rounding errors of n products of numbers below 1, added up in any order.
            // Matrix units cut sums off instead of rounding them.
            const Tolerance tolerance{.absolute = (halves ? 2.4e-7 : 1.2e-7) * n};
            for (std::uint64_t i = 0; i < compared; ++i) {
                const std::uint64_t at = i < 2 ? i * (all - 1) : i * 2'654'435'761u % all;
                double sum = 0.0;
                for (std::size_t k = 0; k < n; ++k)
                    sum += double{a.values()[at / n * n + k]} * b.values()[k * n + at % n];
                if (auto right = near(got[at], sum, tolerance); !right)
                    return std::unexpected(
                        fmt::format("element ({}, {}): {}", at / n, at % n, right.error()));
            }
            return {};
        });
}

/// A whole table of one channel in [0, 1), plain sums.
void summed_area(CaseBuilder& c, passes::SummedAreaForm form) {
    const auto source = c.image<float>("source", Format::r32_sfloat, hash_unit);
    const auto pass = c.add(passes::SummedAreaTable{.source = source.image, .form = form});
    c.check("sums", pass.table.sums, [source](const HostImage& got) -> Verdict {
        const Extent extent = source.extent;
        if (got.extent != extent) return std::unexpected("the table has another size");
        std::vector<double> above(extent.width); // sums of the columns so far
        for (std::uint32_t y = 0; y < extent.height; ++y) {
            double row = 0.0;
            for (std::uint32_t x = 0; x < extent.width; ++x) {
                above[x] += source.texels()[std::size_t{y} * extent.width + x];
                row += above[x];
                // Numbers of one sign: rounding errors are relative to the sum.
                if (auto right = near(got.texel(x, y)[0], row, {.relative = 2e-5}); !right)
                    return std::unexpected(fmt::format("texel ({}, {}): {}", x, y, right.error()));
            }
        }
        return {};
    });
}

} // namespace

void add_primitives_matrix_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, int log2_most,
                         int log2_most_on_software = 20) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .most = std::uint64_t{1} << log2_most,
                   .most_on_software = std::uint64_t{1} << log2_most_on_software});
    };
    using enum passes::MatmulForm;
    const auto product = [](passes::MatmulForm form) {
        return [form](CaseBuilder& c) { matmul(c, form); };
    };
    add(passes::Saxpy::kName, "one step", saxpy, 28);
    add(passes::Matmul::kName, "square f32", product(automatic), 26, 18);
    add(
        passes::Matmul::kName, "square f16",
        [](CaseBuilder& c) { matmul(c, automatic, passes::MatmulOperands::f16); }, 26, 18);
    add(passes::Matmul::kName, "square f32 naive", product(naive), 24, 16);
    add(passes::Matmul::kName, "square f32 multi-pass", product(multi_pass), 20, 14);
    add(passes::Matmul::kName, "square f32 blocked", product(blocked), 20, 16);
    add(passes::Matmul::kName, "square f32 tiled", product(tiled), 24, 18);
    add(passes::Matmul::kName, "square f32 registers", product(registers), 24, 18);
    add(
        passes::SummedAreaTable::kName, "f32",
        [](CaseBuilder& c) { summed_area(c, passes::SummedAreaForm::automatic); }, 28);
    add(
        passes::SummedAreaTable::kName, "f32 doubling",
        [](CaseBuilder& c) { summed_area(c, passes::SummedAreaForm::doubling); }, 24);
}

} // namespace tuff::bench
