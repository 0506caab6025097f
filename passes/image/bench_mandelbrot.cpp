#include "apps/bench/checks.hpp"
#include "passes/image/mandelbrot.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

/// The Mandelbrot set with and without a search for cycles. What is timed is the iterations alone,
/// without colours.
namespace tuff::bench {
namespace {

using passes::Mandelbrot;
using passes::MandelbrotForm;

/// The view of `pass`: the number at a place in it, and how many iterations it takes in the
/// kernels' operations.
struct MandelbrotView {
    Mandelbrot pass;

    std::uint32_t count(float x, float y) const {
        const float spacing = pass.size / static_cast<float>(std::min(pass.width, pass.height));
        const float real = pass.center.x + (x - static_cast<float>(pass.width) * 0.5f) * spacing;
        const float imaginary =
            pass.center.y - (y - static_cast<float>(pass.height) * 0.5f) * spacing;
        float re = real;
        float im = imaginary;
        std::uint32_t count = 0;
        for (; count < pass.iterations && re * re + im * im <= 4.0f; ++count) {
            const float squared = re * re - im * im;
            im = re * im + re * im + imaginary;
            re = squared + real;
        }
        return count;
    }
    /// Of all numbers of the view, by a sample of them.
    double mean_count() const {
        constexpr std::uint32_t kSide = 48;
        double sum = 0.0;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x)
                sum +=
                    count((static_cast<float>(x) + 0.5f) * static_cast<float>(pass.width) / kSide,
                          (static_cast<float>(y) + 0.5f) * static_cast<float>(pass.height) / kSide);
        return sum / (kSide * kSide);
    }
};

/// Texels spread over the picture against the loop on the CPU: an orbit on the set's edge goes
/// another way after one rounding, so one in this many may differ.
constexpr std::uint64_t kCountedTexels = 2048;
constexpr std::uint64_t kTexelsAnEdge = 500;

Verdict counts_are_right(const HostImage& orbits, const MandelbrotView& view) {
    const std::uint64_t texels = std::uint64_t{orbits.extent.width} * orbits.extent.height;
    if (texels == 0) return std::unexpected("there is no result");
    const std::uint64_t compared = std::min(texels, kCountedTexels);
    std::uint64_t off = 0;
    std::uint64_t inside = 0;
    for (std::uint64_t i = 0; i < compared; ++i) {
        const std::uint64_t at = i * 2'654'435'761u % texels;
        const auto x = static_cast<std::uint32_t>(at % orbits.extent.width);
        const auto y = static_cast<std::uint32_t>(at / orbits.extent.width);
        const std::uint32_t wanted =
            view.count(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
        off += orbits.texel(x, y)[2] != static_cast<float>(wanted);
        inside += wanted == view.pass.iterations;
    }
    if (inside < compared / 20) return std::unexpected("the set is not in the view");
    if (off <= compared / kTexelsAnEdge + 1) return {};
    return std::unexpected(fmt::format("{} of {} counts are wrong", off, compared));
}

void mandelbrot(CaseBuilder& c, MandelbrotForm form, std::uint32_t iterations) {
    const Extent extent = c.extent();
    MandelbrotView view{
        {.width = extent.width, .height = extent.height, .iterations = iterations, .form = form}};
    const Image orbits = c.add(view.pass).orbit;
    // As many operations as the loop takes without a search, so that rates compare: what a search
    // saves raises the rate, and what it costs lowers it.
    constexpr double kOperations = 8.0; // of an iteration
    const double texels = static_cast<double>(extent.width) * extent.height;
    c.set_cost({.bytes = 16.0 * texels, .operations = kOperations * view.mean_count() * texels});
    c.check("orbits", orbits, [view](const HostImage& got) { return counts_are_right(got, view); });
}

} // namespace

void add_image_mandelbrot_cases(CaseList& cases) {
    for (const std::uint32_t iterations : {256u, 4096u})
        for (const MandelbrotForm form : {MandelbrotForm::single_pass, MandelbrotForm::cycles,
                                          MandelbrotForm::brent, MandelbrotForm::fast}) {
            const auto number = static_cast<std::size_t>(form);
            cases.add({.pass = std::string(Mandelbrot::kName),
                       .name = fmt::format("{} of {} iterations",
                                           ChoiceNames<MandelbrotForm>::names[number], iterations),
                       .build = [=](CaseBuilder& c) { mandelbrot(c, form, iterations); },
                       .most = std::uint64_t{1} << 26,
                       .most_on_software = std::uint64_t{1} << 16});
        }
}

} // namespace tuff::bench
