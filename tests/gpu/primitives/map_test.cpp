#include "passes/primitives/map.hpp"
#include "passes/registry.hpp"
#include "primitive_test.hpp"

#include <tuff/config.hpp>

#include <fmt/format.h>

namespace tuff {
namespace {

using passes::Element;
using passes::Map;
using testing_gpu::difference;
using testing_gpu::first;
using testing_gpu::make_values;
using testing_gpu::Pattern;
using testing_gpu::Running;

class MapTest : public testing_gpu::PrimitiveTest {};

TEST_F(MapTest, AppliesTheExpressionToEveryElement) {
    for (const std::uint32_t n : testing_gpu::few_lengths()) {
        const auto values = make_values<std::uint32_t>(n, Pattern::random);
        Graph& g = batch();
        Map pass{.expression = "x * 3u + i"};
        pass.source = array(g, "source", values, n + 5);
        pass.length = n;
        g.output(tag() + "cpu", g.add(pass).result);
        pass.length = passes::kAllElements;
        pass.count = count(g, n);
        g.output(tag() + "device", g.add(pass).result);
        later([=, tag = tag()](Running& running) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < n; ++i)
                expected.push_back(values[i] * 3 + i);
            for (const char* known : {"cpu", "device"})
                EXPECT_EQ(
                    difference(first(running.buffer<std::uint32_t>(tag + known), n), expected), "")
                    << n << known;
        });
    }
    run_batch();
}

TEST_F(MapTest, CombinesTwoArraysAndConvertsTypes) {
    const std::vector<float> x = make_values<float>(1000, Pattern::random);
    const std::vector<std::int32_t> y = {-5, 7, 2};
    Graph g = graph();
    Map pass{.expression = "floor(x) * p.y + float(y)",
             .p = {0, 2, 0, 0},
             .length = 3,
             .type = Element::f32,
             .other_type = Element::i32,
             .result_type = Element::i32};
    pass.source = array(g, "x", x);
    pass.other = array(g, "y", y);
    g.output("result", g.add(pass).result);
    const auto got = run(std::move(g)).buffer<std::int32_t>("result");
    ASSERT_EQ(got.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(got[i], static_cast<std::int32_t>(std::floor(x[i])) * 2 + y[i]);
}

TEST_F(MapTest, WithoutAnExpressionItCopies) {
    const auto values = make_values<std::uint32_t>(4099, Pattern::random);
    Graph g = graph();
    g.output("result", g.add(Map{.source = array(g, "x", values)}).result);
    EXPECT_EQ(difference(run(std::move(g)).buffer<std::uint32_t>("result"), values), "");
}

TEST_F(MapTest, MakesAnArrayFromNothing) {
    for (const std::uint32_t n : testing_gpu::few_lengths()) {
        Map pass{.expression = "x * 0.5", .length = n};
        pass.type = pass.result_type = Element::f32;
        batch().output(tag() + "made", batch().add(pass).result);
        later([n, tag = tag()](Running& running) {
            const auto got = running.buffer<float>(tag + "made");
            ASSERT_EQ(got.size(), std::max(n, 1u));
            for (std::uint32_t i = 0; i < n; ++i)
                ASSERT_EQ(got[i], 0.5f * static_cast<float>(i));
        });
    }
    run_batch();
}

TEST_F(MapTest, AnArrayFromNothingNeedsALength) {
    Graph g = graph();
    static_cast<void>(g.add(Map{.expression = "i"}));
    ASSERT_EQ(g.peek().diagnostics.size(), 1u);
    EXPECT_EQ(g.peek().diagnostics[0].code, "graph/unconnected");
}

TEST_F(MapTest, InAConfigAnErrorPointsIntoTheExpression) {
    const PassRegistry registry = passes::make_registry();
    const auto config = Config::parse(R"({
  "tuff": 1,
  "nodes": {
    "numbers": {"pass": "primitives/map", "params": {"length": 100, "expression": "i * nothing"}}
  },
  "outputs": {"numbers": {"from": "numbers.result"}}
})",
                                      "numbers.json", registry);
    ASSERT_TRUE(config) << to_string(config.error());
    AssetCache assets;
    const auto built = config->build(shaders(), assets, {}, device().caps());
    ASSERT_FALSE(built);
    ASSERT_EQ(built.error().size(), 1u) << to_string(built.error());
    EXPECT_EQ(built.error()[0].code, "primitives/bad-expression");
    EXPECT_EQ(built.error()[0].where.line, 4);
    EXPECT_EQ(built.error()[0].where.line_text.substr(
                  static_cast<std::size_t>(built.error()[0].where.column - 1), 7),
              "nothing");
    EXPECT_EQ(built.error()[0].where.length, 7);
}

TEST_F(MapTest, ParametersChangeWithoutANewKernel) {
    const auto build = [&](float factor) {
        Graph g = graph();
        Map pass{.expression = "x * p.x", .p = {factor, 0, 0, 0}};
        pass.type = pass.result_type = Element::f32;
        pass.source = array<float>(g, "x", {1, 2});
        g.output("result", g.add(pass).result);
        return std::move(g).finish();
    };
    const GraphDesc once = build(2.0f);
    const GraphDesc again = build(5.0f);
    EXPECT_NE(once.parameters, again.parameters);
    ASSERT_EQ(once.nodes.size(), again.nodes.size());
}

TEST_F(MapTest, AnExpressionOfTheWrongTypeIsReported) {
    Graph g = graph();
    static_cast<void>(
        g.add(Map{.source = array<std::uint32_t>(g, "x", {1}), .expression = "x + missing(3)"}));
    ASSERT_EQ(g.peek().diagnostics.size(), 1u);
    EXPECT_EQ(g.peek().diagnostics[0].code, "primitives/bad-expression");
    EXPECT_THAT(g.peek().diagnostics[0].message, testing::HasSubstr("column 5"));
}

TEST_F(MapTest, AGraphWhoseKernelsAreFixedSaysThatItCannotCompile) {
    class Fixed final : public ShaderInterfaces {
        const ShaderInterface* compute(std::string_view) const override { return nullptr; }
        const ShaderInterface* raster(std::string_view) const override { return nullptr; }
        std::vector<std::string> names() const override { return {}; }
    };
    const Fixed fixed;
    Graph g(fixed);
    static_cast<void>(
        g.add(Map{.source = array<std::uint32_t>(g, "x", {1}), .expression = "x+1u"}));
    ASSERT_EQ(g.peek().diagnostics.size(), 1u);
    EXPECT_EQ(g.peek().diagnostics[0].code, "shader/no-compiler");
}

} // namespace
} // namespace tuff
