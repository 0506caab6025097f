#include "passes/image/paste.hpp"
#include "passes/image/seamless_clone.hpp"
#include "passes/solver/poisson.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/image_reference.hpp"
#include "tests/reference/poisson_reference.hpp"

#include <tuff/image.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

/// image/seamless_clone and image/paste against the CPU.
namespace tuff {
namespace {

using passes::CloneGuidance;
using passes::kPoissonStatusWords;
using passes::MaskChannel;
using passes::Paste;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonReport;
using passes::PoissonStatus;
using passes::SeamlessClone;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::remove_mean;
using testing_gpu::Running;

constexpr Format kFloats = Format::rgba32_sfloat;

/// Multiples of 1/256 from 0 to 1: sums of a few are exact.
HostImage steps(int width, int height, std::uint32_t seed) {
    HostImage image = reference::noise(kFloats, width, height, seed);
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            std::array<float, 4> texel = image.texel(x, y);
            for (float& value : texel)
                value = std::floor(value * 256.0f) / 256.0f;
            image.set_texel(texel, x, y);
        }
    return image;
}

HostImage changed(HostImage image, const std::function<void(std::array<float, 4>&)>& change) {
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            std::array<float, 4> texel = image.texel(x, y);
            change(texel);
            image.set_texel(texel, x, y);
        }
    return image;
}

/// A mask in the green channel: 1 where `inside` says so of the texel.
HostImage mask_of(int width, int height, const std::function<bool(int, int)>& inside) {
    HostImage image = make_image(Format::rgba8_unorm, {static_cast<std::uint32_t>(width),
                                                       static_cast<std::uint32_t>(height)});
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.set_texel({inside(x, y) ? 0.0f : 1.0f, inside(x, y) ? 1.0f : 0.4f, 0.0f, 1.0f},
                            static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    return image;
}

bool in_ellipse(int x, int y, int width, int height) {
    const double u = (x + 0.5) / width - 0.5;
    const double v = (y + 0.5) / height - 0.5;
    return u * u + v * v < 0.2;
}

struct Case {
    std::string name;
    HostImage target;
    HostImage source;
    HostImage mask; ///< empty: none
    glm::ivec2 offset{0};
    CloneGuidance guidance = CloneGuidance::source;

    bool is_inside(int x, int y) const {
        const int u = x - offset.x;
        const int v = y - offset.y;
        if (u < 0 || v < 0 || u >= static_cast<int>(source.extent.width) ||
            v >= static_cast<int>(source.extent.height))
            return false;
        return mask.empty() ||
               mask.texel(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v))[1] > 0.5f;
    }
};

/// The system as the paper has it, for one colour: the result itself is the unknown, and it is
/// fixed where the target stays.
struct System {
    PoissonBox box;
    Field rhs;
    Field target;
    double correction = 0.0; ///< norm of the right-hand side that is left for the target as guess
};

System system_of(const Case& c, std::size_t color) {
    const int width = static_cast<int>(c.target.extent.width);
    const int height = static_cast<int>(c.target.extent.height);
    const auto in = [&](const HostImage& image, int x, int y) {
        const int right = static_cast<int>(image.extent.width) - 1;
        const int bottom = static_cast<int>(image.extent.height) - 1;
        return static_cast<double>(
            image.texel(static_cast<std::uint32_t>(std::clamp(x, 0, right)),
                        static_cast<std::uint32_t>(std::clamp(y, 0, bottom)))[color]);
    };
    System system{
        .box = {.size = {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1},
                .spacing = glm::dvec3(1.0),
                .boundary = PoissonBoundaries::all(PoissonBoundary::neumann),
                .cells = {}},
        .rhs = {},
        .target = {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool inside = c.is_inside(x, y);
            double sum = 0.0;
            double rest = 0.0;
            for (const auto& [u, v] : {std::pair(x - 1, y), {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
                if (u < 0 || v < 0 || u >= width || v >= height) continue;
                const double own = in(c.target, x, y) - in(c.target, u, v);
                double wanted = in(c.source, x - c.offset.x, y - c.offset.y) -
                                in(c.source, u - c.offset.x, v - c.offset.y);
                if (c.guidance == CloneGuidance::mixed && std::abs(own) >= std::abs(wanted))
                    wanted = own;
                sum += wanted;
                rest += wanted - own;
            }
            system.box.cells.push_back(inside ? 0u : 2u);
            system.rhs.push_back(inside ? sum : 0.0);
            system.target.push_back(in(c.target, x, y));
            if (inside) system.correction += rest * rest;
        }
    system.correction = std::sqrt(system.correction);
    return system;
}

class SeamlessCloning : public testing_gpu::GpuTest {
  protected:
    /// Each case's result, and its status at "<name> status".
    Running run_all(const std::vector<Case>& cases, const SeamlessClone& with) {
        Graph g = graph();
        for (const Case& c : cases) {
            SeamlessClone pass = with;
            pass.target = constant(g, c.target);
            pass.source = constant(g, c.source);
            if (!c.mask.empty()) pass.mask = constant(g, c.mask);
            pass.channel = MaskChannel::green;
            pass.offset = c.offset;
            pass.guidance = c.guidance;
            const SeamlessClone added = g.add(pass, c.name);
            g.output(c.name, added.result);
            g.output(c.name + " status", added.status);
        }
        return run(std::move(g));
    }
    static Image constant(Graph& g, const HostImage& image) {
        return g.constant_image("picture", {.format = image.format, .extent = image.extent},
                                std::make_shared<const std::vector<std::byte>>(image.texels));
    }
    static PoissonReport report(Running& running, const std::string& name, std::size_t color) {
        const auto words = running.buffer<std::uint32_t>(name + " status");
        if (words.size() != 3 * kPoissonStatusWords) return {};
        return PoissonReport::read(
            std::span(words).subspan(color * kPoissonStatusWords, kPoissonStatusWords));
    }
};

TEST_F(SeamlessCloning, EqualsConjugateGradientsOnTheCpu) {
    const auto ellipse = [](int w, int h) {
        return mask_of(w, h, [=](int x, int y) { return in_ellipse(x, y, w, h); });
    };
    const HostImage target = reference::noise(kFloats, 37, 30, 1);
    const HostImage grey = reference::noise(Format::r32_sfloat, 37, 30, 6); // a colour: less to do
    const HostImage small = reference::noise(kFloats, 19, 22, 2, -1.0, 3.0);
    const HostImage large = reference::noise(kFloats, 45, 41, 3);
    using enum CloneGuidance;
    const std::vector<Case> cases{
        {"within", target, small, ellipse(19, 22), {7, 3}, source},
        {"mixed", target, small, ellipse(19, 22), {7, 3}, mixed},
        {"beyond the upper left", grey, small, {}, {-6, -9}, mixed},
        {"beyond the lower right", grey, small, ellipse(19, 22), {25, 17}, source},
        {"larger than the target", grey, large, ellipse(45, 41), {6, -6}, source},
        {"pockets",
         grey,
         small,
         mask_of(19, 22, [](int x, int y) { return x % 10 != 9 && y != 4; }),
         {9, 4},
         source},
        {"covers the target", target, large, {}, {-3, -2}, mixed},
        {"one row",
         reference::noise(Format::r32_sfloat, 33, 1, 4),
         reference::noise(kFloats, 9, 1, 5),
         {},
         {11, 0},
         source},
    };
    constexpr double kTolerance = 1e-6;
    Running running =
        run_all(cases, {.tolerance = static_cast<float>(kTolerance), .max_cycles = 12});
    ASSERT_TRUE(running);
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        const HostImage got = running.image(c.name);
        ASSERT_EQ(got.extent, c.target.extent);
        const auto longest = static_cast<double>(std::max(got.extent.width, got.extent.height));
        const std::size_t colors = c.target.format == kFloats ? 3 : 1;
        for (std::size_t color = 0; color < colors; ++color) {
            const System system = system_of(c, color);
            Field expected = solve_by_gradients(system.box, system.rhs, system.target);
            const bool covers = std::ranges::count(system.box.cells, 2u) == 0;
            if (covers) { // then the mean is the target's
                remove_mean(expected);
                double mean = 0.0;
                for (const double value : system.target)
                    mean += value / static_cast<double>(system.target.size());
                for (double& value : expected)
                    value += mean;
            }
            const PoissonReport said = report(running, c.name, color);
            EXPECT_EQ(said.status, PoissonStatus::converged);
            Field result;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const auto texel = got.texel(static_cast<std::uint32_t>(i % got.extent.width),
                                             static_cast<std::uint32_t>(i / got.extent.width));
                result.push_back(static_cast<double>(texel[color]));
                if (system.box.cells[i] == 2) {
                    EXPECT_EQ(result[i], system.target[i]) << "outside the mask, at " << i;
                }
            }
            // What the solver leaves of its right-hand side, and that of each of the five values
            // of an equation the last bit is rounded: of up to 4, and the middle one counts
            // fourfold.
            Field residual = difference(minus_laplace(system.box, result), system.rhs);
            const double rounding =
                8.0 * 4.0 * 0x1p-24 * std::sqrt(static_cast<double>(residual.size()));
            EXPECT_LE(norm(residual), kTolerance * system.correction + rounding);
            // The error is the inverse of that, and at most so many times as long: the least
            // eigenvalue is no less than that of a line of texels, fixed at one end, and of one
            // free at both where nothing is fixed.
            const double wave = std::numbers::pi / (covers ? 2.0 * longest : 4.0 * longest + 2.0);
            const double least = 4.0 * std::sin(wave) * std::sin(wave);
            EXPECT_LE(norm(difference(result, expected)),
                      (kTolerance * system.correction + rounding) / least);
            EXPECT_GT(system.correction, 0.1); // there was something to do
        }
    }
}

TEST_F(SeamlessCloning, LeavesTheTargetWhereThereIsNothingToDoAndIgnoresConstants) {
    const HostImage target = steps(33, 28, 1);
    const HostImage part = steps(15, 17, 2);
    const HostImage mask = mask_of(15, 17, [](int x, int y) { return in_ellipse(x, y, 15, 17); });
    const HostImage flat = reference::constant(kFloats, 15, 17, {0.75, 0.25, 0.5, 1.0});
    HostImage same = part; // what the target has there
    for (std::uint32_t y = 0; y < same.extent.height; ++y)
        for (std::uint32_t x = 0; x < same.extent.width; ++x)
            same.set_texel(target.texel(x + 8, y + 5), x, y);
    HostImage broken = part;
    broken.set_texel({0.5f, std::numeric_limits<float>::quiet_NaN(), 0.5f, 1.0f}, 7, 8);
    const HostImage grey = [&] {
        HostImage image = make_image(Format::r32_sfloat, target.extent);
        for (std::uint32_t y = 0; y < target.extent.height; ++y)
            for (std::uint32_t x = 0; x < target.extent.width; ++x)
                image.set_texel(target.texel(x, y), x, y);
        return image;
    }();
    using enum CloneGuidance;
    const glm::ivec2 at(8, 5);
    const std::vector<Case> cases{
        {"of itself", target, same, mask, at, source},
        {"of itself mixed", target, same, {}, at, mixed},
        {"flat mixed", target, flat, mask, at, mixed},
        {"empty mask", target, part, mask_of(15, 17, [](int, int) { return false; }), at, source},
        {"left of the target", target, part, mask, {-15, 5}, source},
        {"far off", target, part, {}, {30000, -30000}, source},
        {"broken", target, broken, {}, at, source},
        {"plain", target, part, mask, at, source},
        {"brighter", target,
         changed(part,
                 [](std::array<float, 4>& texel) {
                     texel = {texel[0] + 0.25f, texel[1] - 2.0f, texel[2] + 1.0f, texel[3]};
                 }),
         mask, at, source},
        {"grey", grey, part, mask, at, source},
    };
    Running running = run_all(cases, {.max_cycles = 6});
    ASSERT_TRUE(running);
    for (const char* name : {"of itself", "of itself mixed", "flat mixed", "empty mask",
                             "left of the target", "far off"}) {
        SCOPED_TRACE(name);
        EXPECT_EQ(running.image(name).texels, target.texels);
        for (std::size_t color = 0; color < 3; ++color)
            EXPECT_EQ(report(running, name, color).status, PoissonStatus::converged);
    }
    EXPECT_EQ(report(running, "empty mask", 0).unknown_cells, 0u);
    EXPECT_EQ(report(running, "far off", 0).unknown_cells, 0u);

    const HostImage plain = running.image("plain");
    EXPECT_NE(plain.texels, target.texels);
    EXPECT_EQ(running.image("brighter").texels, plain.texels);

    // A colour that is not finite leaves the target's; the others are cloned.
    const HostImage mended = running.image("broken");
    bool others_differ = false;
    for (std::uint32_t y = 0; y < target.extent.height; ++y)
        for (std::uint32_t x = 0; x < target.extent.width; ++x) {
            EXPECT_EQ(mended.texel(x, y)[1], target.texel(x, y)[1]);
            EXPECT_EQ(mended.texel(x, y)[3], target.texel(x, y)[3]);
            others_differ |= mended.texel(x, y)[0] != target.texel(x, y)[0];
            // A grey target takes the source's red.
            EXPECT_EQ(running.image("grey").texel(x, y)[0], plain.texel(x, y)[0]);
        }
    EXPECT_TRUE(others_differ);
    EXPECT_EQ(report(running, "broken", 1).status, PoissonStatus::bad_input);
    EXPECT_EQ(report(running, "broken", 2).status, PoissonStatus::converged);
    EXPECT_EQ(report(running, "grey", 1).status, PoissonStatus::running);
}

TEST_F(SeamlessCloning, PastingMixesByTheMask) {
    const HostImage target = steps(21, 18, 1);
    const HostImage part = steps(9, 7, 2);
    const HostImage mask = mask_of(9, 7, [](int x, int y) { return in_ellipse(x, y, 9, 7); });
    Graph g = graph();
    const Image below = constant(g, target);
    const Image above = constant(g, part);
    g.output("masked", g.add(Paste{.target = below,
                                   .source = above,
                                   .mask = constant(g, mask),
                                   .channel = MaskChannel::green,
                                   .offset = {15, -3}})
                           .result);
    g.output("whole", g.add(Paste{.target = below, .source = above, .offset = {-4, 13}}).result);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage masked = running.image("masked");
    const HostImage whole = running.image("whole");
    const auto at = [](const HostImage& image, int x, int y) {
        return image.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    };
    for (int y = 0; y < 18; ++y)
        for (int x = 0; x < 21; ++x)
            for (std::size_t c = 0; c < 4; ++c) {
                const float own = at(target, x, y)[c];
                const bool right = x >= 15 && y < 4;
                const float share = right ? at(mask, x - 15, y + 3)[1] : 0.0f;
                const float over = right ? at(part, x - 15, y + 3)[c] : 0.0f;
                EXPECT_NEAR(at(masked, x, y)[c], own + (over - own) * share, 1e-6f);
                const bool left = x < 5 && y >= 13;
                EXPECT_EQ(at(whole, x, y)[c], left ? at(part, x + 4, y - 13)[c] : own);
            }
}

} // namespace
} // namespace tuff
