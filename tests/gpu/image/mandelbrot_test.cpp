#include "passes/image/mandelbrot.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <queue>
#include <vector>

namespace tuff {
namespace {

using passes::Mandelbrot;
using passes::MandelbrotForm;
using testing_gpu::Running;

constexpr std::uint32_t kWidth = 64;
constexpr std::uint32_t kHeight = 48;
constexpr std::uint32_t kIterations = 64;

std::string_view name_of(MandelbrotForm form) {
    return ChoiceNames<MandelbrotForm>::names[static_cast<std::size_t>(form)];
}

/// The iterations of one orbit in 32-bit floats, with the operations of the kernels.
int count_iterations(float cx, float cy, int most) {
    float x = cx;
    float y = cy;
    int count = 0;
    while (count < most && x * x + y * y <= 4.0f) {
        const float real = x * x - y * y;
        const float imaginary = x * y + x * y;
        x = real + cx;
        y = imaginary + cy;
        ++count;
    }
    return count;
}

/// The iterations of a number in double precision, up to `most`, where the large parts of the set
/// are known by formula.
int count_exactly(std::complex<double> c, int most) {
    const double x = c.real() - 0.25;
    const double y2 = c.imag() * c.imag();
    const double q = x * x + y2;
    if (q * (q + x) < 0.25 * y2 || (c.real() + 1.0) * (c.real() + 1.0) + y2 < 0.0625) return most;
    double re = c.real();
    double im = c.imag();
    int count = 0;
    for (; count < most && re * re + im * im <= 4.0; ++count) {
        const double squared = re * re - im * im;
        im = 2.0 * re * im + c.imag();
        re = squared + c.real();
    }
    return count;
}

class MandelbrotTest : public testing_gpu::GpuTest {
  protected:
    /// The orbits of the pass in every form, by the form's name.
    Running orbits(Mandelbrot pass, std::span<const MandelbrotForm> forms, unsigned times = 1) {
        Graph g = graph();
        for (MandelbrotForm form : forms) {
            pass.form = form;
            const Mandelbrot added = g.add(pass, name_of(form));
            // The progressive form's is a history, which cannot be an output.
            g.output(name_of(form), g.copy(added.orbit, g.image("copy", g.desc(added.orbit))));
            g.output(fmt::format("{} picture", name_of(form)), added.result);
        }
        return run(std::move(g), times);
    }
    /// The iterations of the number `c` alone.
    float iterations_of(std::complex<float> c, std::uint32_t most) {
        Running running = orbits({.width = 1,
                                  .height = 1,
                                  .center = {c.real(), c.imag()},
                                  .size = 0.01f,
                                  .iterations = most},
                                 std::array{MandelbrotForm::single_pass});
        const HostImage image = running.image("single_pass");
        return image.empty() ? -1.0f : image.texel(0, 0)[2];
    }
};

constexpr std::array kExactForms{MandelbrotForm::single_pass, MandelbrotForm::multi_pass,
                                 MandelbrotForm::drawn};

TEST_F(MandelbrotTest, CountsAsTheCpuDoes) {
    Running running = orbits({.width = kWidth, .height = kHeight, .iterations = kIterations},
                             std::array{MandelbrotForm::single_pass, MandelbrotForm::fast,
                                        MandelbrotForm::cycles, MandelbrotForm::brent});
    const float spacing = 2.5f / static_cast<float>(kHeight);
    for (const char* form : {"single_pass", "fast", "cycles", "brent"}) {
        const HostImage image = running.image(form);
        ASSERT_FALSE(image.empty());
        int different = 0;
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                const float cx = -0.5f + (static_cast<float>(x) + 0.5f - kWidth / 2.0f) * spacing;
                const float cy = -((static_cast<float>(y) + 0.5f - kHeight / 2.0f) * spacing);
                const int expected = count_iterations(cx, cy, static_cast<int>(kIterations));
                different += image.texel(x, y)[2] != static_cast<float>(expected) ? 1 : 0;
            }
        EXPECT_LE(different, 0.001 * kWidth * kHeight) << form;
    }
}

/// The search for cycles in all its ways, on the whole set and on a piece of its edge: who is taken
/// to stay has not escaped after 100,000 iterations either.
TEST_F(MandelbrotTest, WhoIsInACycleNeverEscapes) {
    constexpr int kLong = 100'000;
    constexpr std::uint32_t kSearched = 10'000;
    constexpr std::array kSearching{MandelbrotForm::cycles, MandelbrotForm::brent,
                                    MandelbrotForm::fast};
    // Of those that stay: a ring of eight finds no longer cycles, and formulas leave the fast form
    // few.
    constexpr std::array kFoundShare{0.85, 0.95, 0.0};
    struct View {
        glm::vec2 center;
        float size;
    };
    for (const View& view : {View{{-0.5f, 0.0f}, 2.5f}, View{{-0.745f, 0.11f}, 0.3f}}) {
        const Mandelbrot pass{.width = 160,
                              .height = 120,
                              .center = view.center,
                              .size = view.size,
                              .iterations = kSearched};
        Running running = orbits(pass, kSearching);
        const float spacing = view.size / 120.0f;
        std::vector<HostImage> found;
        for (const MandelbrotForm form : kSearching)
            found.push_back(running.image(name_of(form)));
        ASSERT_FALSE(found[0].empty());
        std::array<int, 3> inside{};
        std::array<int, 3> wrong{};
        int stay = 0;
        for (std::uint32_t y = 0; y < pass.height; ++y)
            for (std::uint32_t x = 0; x < pass.width; ++x) {
                const float right = (static_cast<float>(x) + 0.5f - 80.0f) * spacing;
                const float down = (static_cast<float>(y) + 0.5f - 60.0f) * spacing;
                const std::complex<float> c(view.center.x + right, view.center.y - down);
                const int count = count_exactly(std::complex<double>(c), kLong);
                stay += count == kLong;
                for (std::size_t i = 0; i < found.size(); ++i) {
                    if (found[i].texel(x, y)[3] == 0.0f) continue;
                    ++inside[i];
                    wrong[i] += count < kLong;
                }
            }
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_LE(wrong[i], 1e-4 * pass.width * pass.height) << name_of(kSearching[i]);
            EXPECT_GT(inside[i], kFoundShare[i] * stay) << name_of(kSearching[i]);
        }
        EXPECT_GT(stay, 1000);
    }
}

TEST_F(MandelbrotTest, OneIterationAPassGivesTheSameToTheBit) {
    Running running =
        orbits({.width = kWidth, .height = kHeight, .iterations = kIterations}, kExactForms);
    const HostImage expected = running.image("single_pass");
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(running.image("multi_pass").texels, expected.texels);
    EXPECT_EQ(running.image("drawn").texels, expected.texels);
    EXPECT_EQ(running.image("drawn picture").texels, running.image("single_pass picture").texels);
}

TEST_F(MandelbrotTest, ProgressGoesOnFromExecutionToExecution) {
    const Mandelbrot pass{
        .width = kWidth, .height = kHeight, .iterations = kIterations, .steps = 10};
    Running running =
        orbits(pass, std::array{MandelbrotForm::single_pass, MandelbrotForm::progressive}, 7);
    const HostImage expected = running.image("single_pass");
    const HostImage progressed = running.image("progressive");
    ASSERT_FALSE(progressed.empty());
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x)
            for (std::size_t c = 0; c < 3; ++c)
                ASSERT_EQ(progressed.texel(x, y)[c], expected.texel(x, y)[c]) << x << ", " << y;
    // Another view begins anew: after one execution no orbit is longer than its steps.
    Mandelbrot moved = pass;
    moved.form = MandelbrotForm::progressive;
    moved.center.x += 0.25f;
    Graph g = graph();
    moved = g.add(moved, "progressive");
    g.output("progressive", g.copy(moved.orbit, g.image("copy", g.desc(moved.orbit))));
    Running again = start(compile_graph(std::move(g)));
    ASSERT_TRUE(again);
    again.execute(1);
    const HostImage begun = again.image("progressive");
    ASSERT_FALSE(begun.empty());
    EXPECT_EQ(begun.texel(kWidth / 2, kHeight / 2)[2], 10.0f);
}

TEST_F(MandelbrotTest, KnownNumbersStayOrEscape) {
    EXPECT_EQ(iterations_of({0.0f, 0.0f}, 1000), 1000.0f);
    EXPECT_EQ(iterations_of({-1.0f, 0.0f}, 1000), 1000.0f);
    EXPECT_EQ(iterations_of({-1.75488f, 0.0f}, 1000), 1000.0f); // a cycle of three
    EXPECT_EQ(iterations_of({2.0f, 0.0f}, 1000), 1.0f);         // |z| = 2 has not escaped, 6 has
    EXPECT_EQ(iterations_of({2.1f, 0.0f}, 1000), 0.0f);
    EXPECT_EQ(iterations_of({1.0f, 1.0f}, 1000), 1.0f);
}

TEST_F(MandelbrotTest, ThePictureIsSymmetricAboutTheRealAxis) {
    constexpr std::array kForms{MandelbrotForm::single_pass, MandelbrotForm::drawn,
                                MandelbrotForm::cycles, MandelbrotForm::brent,
                                MandelbrotForm::fast};
    Running running = orbits({.width = 50, .height = 41, .iterations = 100}, kForms);
    for (const MandelbrotForm form : kForms) {
        const HostImage image = running.image(name_of(form));
        ASSERT_FALSE(image.empty());
        for (std::uint32_t y = 0; y < 41; ++y)
            for (std::uint32_t x = 0; x < 50; ++x)
                ASSERT_EQ(image.texel(x, y)[2], image.texel(x, 40 - y)[2])
                    << name_of(form) << ' ' << x << ", " << y;
    }
}

/// How many connected pieces the texels that `belongs` names make, counted by 8-neighbourhood.
template <typename Belongs>
int count_pieces(int side, Belongs belongs) {
    std::vector<bool> seen(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    const auto index = [&](int x, int y) { return static_cast<std::size_t>(y * side + x); };
    int pieces = 0;
    for (int start = 0; start < side * side; ++start) {
        if (seen[static_cast<std::size_t>(start)] || !belongs(start % side, start / side)) continue;
        ++pieces;
        std::queue<std::pair<int, int>> open;
        open.emplace(start % side, start / side);
        seen[static_cast<std::size_t>(start)] = true;
        while (!open.empty()) {
            const auto [x, y] = open.front();
            open.pop();
            for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, side - 1); ++ny)
                for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, side - 1); ++nx) {
                    if (seen[index(nx, ny)] || !belongs(nx, ny)) continue;
                    seen[index(nx, ny)] = true;
                    open.emplace(nx, ny);
                }
        }
    }
    return pieces;
}

/// The lecture: the numbers that take n iterations make one band around the set, without crossings.
/// Bands get thinner than a texel at -2, where all of them meet; but what a band's outer edge
/// encloses is one piece, and what lies outside of it another.
TEST_F(MandelbrotTest, BandsGoAroundTheSetWithoutCrossings) {
    constexpr int kSide = 513; // odd: texels on the real axis
    Running running = orbits(
        {.width = kSide, .height = kSide, .center = {0.0f, 0.0f}, .size = 5.0f, .iterations = 32},
        std::array{MandelbrotForm::single_pass});
    const HostImage image = running.image("single_pass");
    ASSERT_FALSE(image.empty());
    const auto iterations = [&](int x, int y) {
        return image.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))[2];
    };
    for (float band = 1.0f; band <= 7.0f; ++band) {
        EXPECT_EQ(count_pieces(kSide, [&](int x, int y) { return iterations(x, y) >= band; }), 1)
            << band;
        EXPECT_EQ(count_pieces(kSide, [&](int x, int y) { return iterations(x, y) < band; }), 1)
            << band;
    }
}

TEST_F(MandelbrotTest, TheAreaIsThatOfTheSet) {
    constexpr std::uint32_t kSide = 1024;
    constexpr std::uint32_t kMax = 4096;
    Running running = orbits({.width = kSide,
                              .height = kSide,
                              .center = {-0.5f, 0.0f},
                              .size = 3.0f,
                              .iterations = kMax},
                             std::array{MandelbrotForm::fast});
    const HostImage image = running.image("fast");
    ASSERT_FALSE(image.empty());
    int inside = 0;
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x)
            inside += image.texel(x, y)[2] >= float{kMax} ? 1 : 0;
    EXPECT_NEAR(inside * 9.0 / (kSide * kSide), 1.5066, 0.005);
}

TEST_F(MandelbrotTest, WhatDoesNotEscapeHasTheInsideColour) {
    Graph g = graph();
    const Mandelbrot pass =
        g.add(Mandelbrot{.width = 33, .height = 33, .inside = {0.25f, 0.5f, 1.0f}});
    g.output("orbit", pass.orbit);
    g.output("picture", pass.result);
    Running running = run(std::move(g));
    const HostImage orbit = running.image("orbit");
    const HostImage picture = running.image("picture");
    ASSERT_FALSE(picture.empty());
    const std::array inside{0.25f, 0.5f, 1.0f, 1.0f};
    int outside = 0;
    for (std::uint32_t y = 0; y < 33; ++y)
        for (std::uint32_t x = 0; x < 33; ++x) {
            ASSERT_EQ(picture.texel(x, y) == inside, orbit.texel(x, y)[2] >= 256.0f);
            outside += orbit.texel(x, y)[2] < 256.0f ? 1 : 0;
        }
    EXPECT_GT(outside, 300);
}

TEST_F(MandelbrotTest, MistakesAreOneDiagnosticEach) {
    const auto expect_one = [&](Mandelbrot pass, std::string_view code) {
        Graph g = graph();
        g.output("result", g.add(pass).result);
        const auto plan = compile(std::move(g).finish(), device().caps());
        ASSERT_FALSE(plan);
        ASSERT_EQ(plan.error().size(), 1u) << to_string(plan.error());
        EXPECT_EQ(plan.error()[0].code, code);
    };
    expect_one({.width = 0}, "pass/out-of-range");
    expect_one({.height = 20'000}, "pass/out-of-range");
    expect_one({.iterations = 0}, "pass/out-of-range");
    expect_one({.iterations = 5000, .form = MandelbrotForm::multi_pass}, "pass/out-of-range");
    expect_one({.size = std::nanf("")}, "pass/out-of-range");
    expect_one({.size = 2e-5f}, "image/too-deep");
}

} // namespace
} // namespace tuff
