#include "fake_shaders.hpp"
#include "sketch.hpp"

#include <functional>

namespace tuff {
namespace {

using namespace test;

const FakeShaders& shaders() {
    static const FakeShaders kernels({{.name = "scale",
                                       .stages = kComputeBit,
                                       .bindings = {updated_buffer("data")},
                                       .constants = {{.name = "mode", .id = 3}},
                                       .param_members = {{.name = "factor"}},
                                       .param_bytes = 4}});
    return kernels;
}

struct Variant {
    std::string name = "data";
    std::uint64_t size = 64;
    float factor = 1.0f;
    std::uint32_t groups = 1;
    std::uint32_t mode = 0;
    Access output = Access::copy_read;
    std::shared_ptr<const std::vector<std::byte>> upload;
    int extra_nodes = 0;
};

const auto kBytes = std::make_shared<const std::vector<std::byte>>(64);

GraphDesc build(const Variant& variant) {
    Graph graph{shaders()};
    Buffer data = graph.buffer(variant.name, {.size = variant.size});
    data = graph.upload(data, variant.upload ? variant.upload : kBytes);
    ComputeNodeBuilder node = graph.compute("scale");
    data = node.write("data", data);
    node.set("factor", variant.factor);
    node.specialize("mode", variant.mode);
    node.dispatch(variant.groups);
    for (int i = 0; i < variant.extra_nodes; ++i)
        data = graph.fill(data, 0);
    graph.output("result", data, variant.output);
    return std::move(graph).finish();
}

bool same(const Variant& variant) {
    return same_structure(build({}), build(variant));
}

TEST(SameStructure, HoldsForTheSameGraphBuiltAnew) {
    EXPECT_TRUE(same({}));
    EXPECT_TRUE(same_structure(GraphDesc{}, GraphDesc{}));
}

TEST(SameStructure, HoldsWhereOnlyParametersDiffer) {
    const GraphDesc a = build({.factor = 1.0f});
    const GraphDesc b = build({.factor = 2.0f});
    EXPECT_NE(a.parameters, b.parameters);
    EXPECT_TRUE(same_structure(a, b));
}

TEST(SameStructure, FailsWhereAnythingElseDiffers) {
    EXPECT_FALSE(same({.name = "date"}));
    EXPECT_FALSE(same({.size = 128}));
    EXPECT_FALSE(same({.groups = 2}));
    EXPECT_FALSE(same({.mode = 1}));
    EXPECT_FALSE(same({.output = Access::host_read}));
    EXPECT_FALSE(same({.extra_nodes = 1}));
}

TEST(SameStructure, ContentsAreComparedByTheirPointer) {
    EXPECT_TRUE(same({.upload = kBytes}));
    EXPECT_TRUE(same({.upload = std::make_shared<const std::vector<std::byte>>(kBytes->size())}))
        << "bytes of uploads travel with the execution";
    EXPECT_FALSE(
        same({.upload = std::make_shared<const std::vector<std::byte>>(kBytes->size() - 4)}));
}

TEST(SameStructure, TablesAreComparedByTheirBytesAndLargeContentsByTheirPointer) {
    const auto with = [](std::size_t size, int value) {
        Graph graph;
        const auto bytes =
            std::make_shared<const std::vector<std::byte>>(size, static_cast<std::byte>(value));
        const Buffer table = graph.constant_buffer("table", {.size = size}, bytes);
        graph.output("copy", graph.copy(table, graph.buffer("copy", {.size = size})));
        return std::move(graph).finish();
    };
    EXPECT_TRUE(same_structure(with(64, 1), with(64, 1)));
    EXPECT_FALSE(same_structure(with(64, 1), with(64, 2)));
    constexpr std::size_t kLarge = std::size_t{1} << 21;
    EXPECT_FALSE(same_structure(with(kLarge, 1), with(kLarge, 1)));
    const GraphDesc large = with(kLarge, 1);
    EXPECT_TRUE(same_structure(large, large));
}

TEST(SameStructure, NodesThatTheHostRecordsAlwaysDiffer) {
    const auto recorded = [] {
        Graph graph;
        graph.custom("host", [](CommandContext&) {}).keep();
        return std::move(graph).finish();
    };
    const GraphDesc a = recorded();
    EXPECT_FALSE(same_structure(a, recorded()));
    EXPECT_FALSE(same_structure(a, a));
}

TEST(SameStructure, FailsWhereAGraphHasErrorsSoThatCompileReportsThem) {
    GraphDesc wrong = build({});
    wrong.diagnostics.push_back({.code = "test/odd", .severity = Severity::warning});
    EXPECT_TRUE(same_structure(build({}), wrong));
    wrong.diagnostics.push_back({.code = "test/bad"});
    EXPECT_FALSE(same_structure(build({}), wrong));
    EXPECT_FALSE(same_structure(wrong, build({})));
}

} // namespace
} // namespace tuff
