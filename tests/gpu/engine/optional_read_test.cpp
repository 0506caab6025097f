#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

/// Optional bindings, on a device with null descriptors where it has them, and with stand-ins.
namespace tuff {
namespace {

using testing::ElementsAre;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::uint32_t kBindings = 13;

/// What may be connected to the kernel test/optional.
struct Sources {
    Buffer words, record, table;
    Image picture, heads, signs, volume, sky, stack, samples, stored, counts;
};

/// What the kernel finds there, in the order of its numbers.
Buffer look(Graph& g, const Sources& from) {
    auto node = g.compute("test/optional");
    node.read_optional("words", from.words);
    node.read_optional("record", from.record);
    node.read_optional("table", from.table);
    node.read_optional("picture", from.picture, Sampler::nearest());
    node.read_optional("heads", from.heads, Sampler::nearest());
    node.read_optional("signs", from.signs, Sampler::nearest());
    node.read_optional("volume", from.volume, Sampler::nearest());
    node.read_optional("sky", from.sky, Sampler::nearest());
    node.read_optional("stack", from.stack, Sampler::nearest());
    node.read_optional("samples", from.samples, Sampler::nearest());
    node.read_optional("stored", from.stored);
    node.read_optional("counts", from.counts);
    node.read_optional("textures", Image{});
    node.dispatch(1);
    return node.write("result", g.buffer("result", {.size = 4 * kBindings}));
}

/// All that the kernel can be given but multisampled images and arrays: `value` everywhere.
Sources everything(Graph& g, std::uint32_t value) {
    const std::vector<std::uint32_t> words(9100, value);
    const auto buffer = [&](const char* name) {
        return g.constant_buffer(name, {.size = 4 * words.size()}, bytes_of(words));
    };
    const auto texels = [&]<typename T>(const char* name, Format format, T, std::uint32_t layers,
                                        ImageShape shape) {
        const std::vector<T> data(layers, static_cast<T>(value));
        return g.constant_image(
            name, {.format = format, .extent = {1, 1, 1}, .layers = layers, .shape = shape},
            bytes_of(data));
    };
    constexpr Format kFloat = Format::r32_sfloat;
    return {.words = buffer("words"),
            .record = buffer("record"),
            .table = buffer("table"),
            .picture = texels("picture", kFloat, 0.0f, 1, ImageShape::d2),
            .heads = texels("heads", Format::r32_uint, 0u, 1, ImageShape::d2),
            .signs = texels("signs", Format::r32_sint, 0, 1, ImageShape::d2),
            .volume = texels("volume", kFloat, 0.0f, 1, ImageShape::d3),
            .sky = texels("sky", kFloat, 0.0f, 6, ImageShape::cube),
            .stack = texels("stack", kFloat, 0.0f, 2, ImageShape::d2_array),
            .samples = {},
            .stored = texels("stored", kFloat, 0.0f, 1, ImageShape::d2),
            .counts = texels("counts", Format::r32_uint, 0u, 2, ImageShape::d2_array)};
}

std::vector<std::uint32_t> numbers_of_bindings() {
    std::vector<std::uint32_t> numbers(kBindings);
    std::iota(numbers.begin(), numbers.end(), 100u);
    return numbers;
}

class OptionalRead : public testing_gpu::GpuTest {};

TEST_F(OptionalRead, NothingIsReadWhereNothingIsConnected) {
    Graph g = graph();
    g.output("result", look(g, {}));
    EXPECT_EQ(run(std::move(g)).buffer<std::uint32_t>("result"), numbers_of_bindings());
}

TEST_F(OptionalRead, WhatIsConnectedIsRead) {
    Graph g = graph();
    g.output("result", look(g, everything(g, 7)));
    EXPECT_THAT(run(std::move(g)).buffer<std::uint32_t>("result"),
                ElementsAre(7, 14, 7, 7, 7, 7, 7, 7, 7, 109, 7, 7, 112));
}

TEST_F(OptionalRead, WhatIsNotConnectedIsNoAccess) {
    Graph g = graph();
    const Buffer result = look(g, {});
    EXPECT_EQ(g.peek().accesses.size(), 1u); // the result
    EXPECT_EQ(g.peek().resources.size(), 1u);
    g.output("result", result);
    const auto plan = compile_graph(std::move(g));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->graph.resources.size(), 1u);
}

TEST_F(OptionalRead, SmallResourcesStandInWhereTheDeviceHasNoNullDescriptors) {
    auto opened = Device::open({.select = default_device_selection(),
                                .null_descriptors = false,
                                .validation = testing_gpu::kValidation});
    ASSERT_TRUE(opened) << to_string(opened.error());
    EXPECT_FALSE(opened->caps().null_descriptors);
    // Layers warn of extensions that they do not know, once.
    const std::size_t of_opening = opened->validation_messages().size();
    for (int time = 0; time < 2; ++time) { // the second finds what the first has made
        Graph g(shaders());
        g.set_target(opened->caps());
        g.output("result", look(g, {}));
        const auto memory = memory_model(*opened);
        CompileOptions options;
        options.memory = memory.get();
        auto plan = compile(std::move(g).finish(), opened->caps(), options);
        ASSERT_TRUE(plan) << to_string(plan.error());
        auto executor = Executor::create(*opened, shaders(),
                                         std::make_shared<const Plan>(std::move(*plan)), {});
        ASSERT_TRUE(executor) << to_string(executor.error());
        Running running(std::move(*executor));
        running.execute(2);
        EXPECT_EQ(running.buffer<std::uint32_t>("result"), numbers_of_bindings());
    }
    EXPECT_EQ(opened->validation_messages().size(), of_opening);
}

} // namespace
} // namespace tuff
