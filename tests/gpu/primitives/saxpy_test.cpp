#include "passes/primitives/saxpy.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tuff {
namespace {

using passes::Saxpy;
using passes::SaxpyForm;
using testing_gpu::bytes_of;
using testing_gpu::Running;

std::vector<float> random_values(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    std::vector<float> values(count);
    for (float& v : values)
        v = value(random);
    return values;
}

class SaxpyTest : public testing_gpu::GpuTest {
  protected:
    Buffer constant(Graph& g, std::string_view name, const std::vector<float>& values) {
        return g.constant_buffer(name, {.size = values.size() * 4, .stride = 4}, bytes_of(values));
    }
    Diagnostics mistakes(Saxpy pass, std::size_t x, std::size_t y) {
        Graph g = graph();
        if (x > 0) pass.x = constant(g, "x", std::vector<float>(x));
        if (y > 0) pass.y = constant(g, "y", std::vector<float>(y));
        g.output("result", g.add(pass).result);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? Diagnostics{} : plan.error();
    }
};

/// Each step rounds twice at most, by half a unit in the last place of numbers that are no larger
/// than |y| + steps * |alpha x|.
double bound(double x, double y, double alpha, double steps) {
    const double largest = std::abs(y) + steps * std::abs(alpha * x);
    return (2.0 * steps + 1.0) * 0x1p-24 * largest + 1e-40;
}

TEST_F(SaxpyTest, AddsTheMultipleForAnyLengthAndNumberOfSteps) {
    const float alpha = 1.0001f;
    Graph g = graph();
    struct Case {
        std::size_t length;
        std::uint32_t steps;
        SaxpyForm form;
        std::string name;
    };
    std::vector<Case> cases;
    for (std::size_t length : {1u, 2u, 3u, 4u, 5u, 255u, 257u, 4095u, 4096u, 4097u, 65537u})
        for (std::uint32_t steps : {1u, 16u})
            for (SaxpyForm form : {SaxpyForm::fused, SaxpyForm::passes})
                cases.push_back({length, steps, form, fmt::format("{}", cases.size())});
    for (const Case& c : cases) {
        const Buffer x = constant(g, "x" + c.name, random_values(c.length, 1));
        const Buffer y = constant(g, "y" + c.name, random_values(c.length, 2));
        g.output(
            c.name,
            g.add(Saxpy{.x = x, .y = y, .alpha = alpha, .steps = c.steps, .form = c.form}).result);
    }
    Running running = run(std::move(g));
    for (const Case& c : cases) {
        const auto x = random_values(c.length, 1);
        const auto y = random_values(c.length, 2);
        const auto result = running.buffer<float>(c.name);
        ASSERT_EQ(result.size(), c.length);
        for (std::size_t i = 0; i < c.length; ++i) {
            const double expected = y[i] + c.steps * static_cast<double>(alpha) * x[i];
            ASSERT_NEAR(result[i], expected, bound(x[i], y[i], alpha, c.steps))
                << c.length << " long, " << c.steps << " steps, element " << i;
        }
    }
}

TEST_F(SaxpyTest, BothFormsAgreeToTheBit) {
    Graph g = graph();
    const Buffer x = constant(g, "x", random_values(1001, 3));
    const Buffer y = constant(g, "y", random_values(1001, 4));
    const Saxpy pass{.x = x, .y = y, .alpha = 0.37f, .steps = 9};
    g.output("fused", g.add(pass).result);
    Saxpy in_passes = pass;
    in_passes.form = SaxpyForm::passes;
    g.output("passes", g.add(in_passes, "in_passes").result);
    Running running = run(std::move(g));
    EXPECT_EQ(running.buffer<std::uint32_t>("fused"), running.buffer<std::uint32_t>("passes"));
}

TEST_F(SaxpyTest, CountsOnTheDevice) {
    for (const std::uint32_t counted : {0u, 1u, 100u, 4097u, 9000u, ~0u}) {
        Graph g = graph();
        const Buffer x = constant(g, "x", std::vector<float>(9000, 2.0f));
        const Buffer y = constant(g, "y", std::vector<float>(9000, 1.0f));
        const Buffer count = g.fill(g.buffer("count", {.size = 4, .stride = 4}), counted);
        g.output("result", g.add(Saxpy{.x = x, .y = y, .count = count, .alpha = 3.0f}).result);
        const auto result = run(std::move(g)).buffer<float>("result");
        ASSERT_EQ(result.size(), 9000u);
        for (std::size_t i = 0; i < std::min<std::size_t>(counted, 9000); ++i)
            ASSERT_EQ(result[i], 7.0f) << i << " of " << counted;
    }
}

TEST_F(SaxpyTest, MistakesAreOneDiagnosticEach) {
    const auto expect_one = [](const Diagnostics& found, std::string_view code) {
        ASSERT_EQ(found.size(), 1u) << to_string(found);
        EXPECT_EQ(found[0].code, code);
    };
    expect_one(mistakes({}, 4, 0), "graph/unconnected");
    expect_one(mistakes({}, 5, 4), "primitives/too-short");
    expect_one(mistakes({.length = 6}, 5, 5), "primitives/too-long");
    expect_one(mistakes({.steps = 0}, 4, 4), "pass/out-of-range");
    expect_one(mistakes({.alpha = std::numeric_limits<float>::quiet_NaN()}, 4, 4),
               "pass/out-of-range");
}

} // namespace
} // namespace tuff
