#include "apps/bench/checks.hpp"
#include "passes/mpi/fft_forward.hpp"
#include "passes/mpi/fft_inverse.hpp"
#include "passes/mpi/poisson_fft.hpp"
#include "passes/mpi/spectrum_filter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <expected>
#include <numbers>
#include <span>
#include <string>

/// Transforms of fields over ranks, on one process: what they cost besides the messages.
namespace tuff::bench {
namespace {

using passes::FieldNumbers;
using passes::SpectrumLayout;

glm::ivec3 cells_of(const Extent& extent) {
    return {static_cast<int>(extent.width), static_cast<int>(extent.height), 1};
}

/// Of an impulse at `at`: turns of the unit circle.
std::complex<double> turn(std::uint32_t at, std::uint32_t k, std::uint32_t cells) {
    const std::uint64_t step = std::uint64_t{at} * k % cells;
    return std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(step) / cells);
}

void fft_of_an_impulse(CaseBuilder& c) {
    const Extent extent = c.extent();
    const std::uint32_t x = extent.width / 3;
    const std::uint32_t y = extent.height / 5;
    const auto field = c.input<glm::vec2>(
        "field", std::uint64_t{extent.width} * extent.height, [=](std::uint64_t i) {
            return glm::vec2(i == std::uint64_t{y} * extent.width + x ? 1.0f : 0.0f, 0.0f);
        });
    const passes::FftForwardOfParts pass{.source = field.buffer, .cells = cells_of(extent)};
    c.check<glm::vec2>(
        "spectrum", c.add(pass).result, [=](std::span<const glm::vec2> got) -> Verdict {
            if (got.size() != std::uint64_t{extent.width} * extent.height)
                return std::unexpected("there is no spectrum");
            for (std::uint64_t i = 0; i < got.size(); ++i) {
                const auto kx = static_cast<std::uint32_t>(i % extent.width);
                const auto ky = static_cast<std::uint32_t>(i / extent.width);
                const std::complex<double> wanted =
                    turn(x, kx, extent.width) * turn(y, ky, extent.height);
                if (std::abs(std::complex<double>(got[i].x, got[i].y) - wanted) > 1e-5)
                    return std::unexpected(fmt::format("number {}, {} differs", kx, ky));
            }
            return {};
        });
}

void reals_of_parts_there_and_back(CaseBuilder& c) {
    const Extent extent = c.extent();
    const auto field =
        c.input<float>("field", std::uint64_t{extent.width} * extent.height, [](std::uint64_t i) {
            return static_cast<float>(hash32(i) % 1000u) * 1e-3f - 0.5f;
        });
    const Buffer spectrum = c.add(passes::FftForwardOfParts{.source = field.buffer,
                                                            .cells = cells_of(extent),
                                                            .numbers = FieldNumbers::reals,
                                                            .layout = SpectrumLayout::computed})
                                .result;
    const passes::FftInverseOfParts pass{.source = spectrum,
                                         .cells = cells_of(extent),
                                         .numbers = FieldNumbers::reals,
                                         .layout = SpectrumLayout::computed};
    c.check<float>("back", c.add(pass).result, [=](std::span<const float> got) -> Verdict {
        if (got.size() != field.values().size()) return std::unexpected("there is no field");
        for (std::uint64_t i = 0; i < got.size(); ++i)
            if (std::abs(got[i] - field.values()[i]) > 1e-5f)
                return std::unexpected(fmt::format("cell {} differs", i));
        return {};
    });
}

void spectrum_by_gaussian(CaseBuilder& c) {
    constexpr float kSigma = 1.5f;
    const Extent extent = c.extent();
    const auto spectrum =
        c.input<glm::vec2>("spectrum", std::uint64_t{extent.width} * extent.height,
                           [](std::uint64_t) { return glm::vec2(1.0f, -2.0f); });
    const passes::SpectrumFilter pass{
        .source = spectrum.buffer, .cells = cells_of(extent), .sigma = kSigma};
    c.check<glm::vec2>(
        "result", c.add(pass).result, [=](std::span<const glm::vec2> got) -> Verdict {
            if (got.size() != spectrum.values().size())
                return std::unexpected("there is no result");
            const auto wave = [](std::uint64_t at, std::uint32_t cells) {
                const double k = static_cast<double>(at <= cells / 2 ? at : cells - at);
                return 2.0 * std::numbers::pi * k / cells;
            };
            for (std::uint64_t i = 0; i < got.size(); ++i) {
                const double k = std::hypot(wave(i % extent.width, extent.width),
                                            wave(i / extent.width, extent.height));
                const double wanted = std::exp(-0.5 * std::pow(double{kSigma} * k, 2.0));
                if (std::abs(static_cast<double>(got[i].x) - wanted) > 1e-4 ||
                    std::abs(static_cast<double>(got[i].y) + 2.0 * wanted) > 1e-4)
                    return std::unexpected(fmt::format("number {} differs", i));
            }
            return {};
        });
}

/// A wave is an eigenvector.
void poisson_of_a_wave(CaseBuilder& c) {
    const Extent extent = c.extent();
    const std::uint32_t k = extent.width / 3;
    const auto wave = [=](std::uint64_t x) {
        return std::cos(2.0 * std::numbers::pi * static_cast<double>(x * k % extent.width) /
                        extent.width);
    };
    const auto source = c.image<float>("source", Format::r32_sfloat, [=](std::uint64_t i) {
        return static_cast<float>(wave(i % extent.width));
    });
    const passes::PoissonFftOfParts pass{
        .source = source.image, .cells = cells_of(extent), .halo = 0};
    c.check("result", c.add(pass).result, [=](const HostImage& got) -> Verdict {
        if (got.empty()) return std::unexpected("there is no result");
        const double eigenvalue =
            std::pow(2.0 * std::sin(std::numbers::pi * k / extent.width), 2.0);
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x)
                if (std::abs(static_cast<double>(got.texel(x, y)[0]) + wave(x) / eigenvalue) > 1e-4)
                    return std::unexpected(fmt::format("cell {}, {} differs", x, y));
        return {};
    });
}

} // namespace

void add_mpi_fft_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name, void (*build)(CaseBuilder&)) {
        cases.add(
            {.pass = std::string(pass), .name = std::move(name), .build = build, .least = 16});
    };
    add(passes::FftForwardOfParts::kName, "picture of an impulse", fft_of_an_impulse);
    add(passes::FftInverseOfParts::kName, "picture of reals there and back",
        reals_of_parts_there_and_back);
    add(passes::SpectrumFilter::kName, "gaussian", spectrum_by_gaussian);
    add(passes::PoissonFftOfParts::kName, "wave", poisson_of_a_wave);
}

} // namespace tuff::bench
