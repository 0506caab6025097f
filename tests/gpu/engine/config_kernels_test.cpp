#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/config.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

/// Kernels that configs bring, from their text to the numbers that a device leaves.
namespace tuff {
namespace {

using testing_gpu::Running;

const std::filesystem::path kExamples =
    std::filesystem::path(TUFF_TEST_SOURCE_DIR) / "examples/own_kernels";

class ConfigKernelsTest : public testing_gpu::GpuTest {
  protected:
    void write(std::string_view name, std::string_view text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    std::optional<Config> checked(Result<Config> config) {
        if (config) return std::move(*config);
        ADD_FAILURE() << to_string(config.error());
        return std::nullopt;
    }
    std::optional<Config> parse(std::string_view text) {
        return checked(Config::parse(text, folder_ / "test.json", registry_));
    }
    std::optional<Config> example(std::string_view name) {
        return checked(Config::load(kExamples / name, registry_));
    }
    void set(Config& config, std::string_view name, std::string_view value) {
        const auto done = config.set(name, value);
        EXPECT_TRUE(done) << to_string(done.error());
    }
    /// Executes twice: the second execution finds what the first one left in shared memory.
    Running run_config(const Config& config) {
        auto built = config.build(shaders(), assets_);
        if (!built) {
            ADD_FAILURE() << to_string(built.error());
            return {};
        }
        const auto memory = memory_model(device());
        CompileOptions options{.poison = true};
        options.memory = memory.get();
        auto plan = compile(std::move(built->graph), device().caps(), options);
        if (!plan) {
            ADD_FAILURE() << to_string(plan.error());
            return {};
        }
        Running running = start(std::make_shared<const Plan>(std::move(*plan)));
        if (running) running.execute(2);
        return running;
    }
    std::vector<std::uint32_t> words(std::string_view text, std::string_view output = "o") {
        const std::optional<Config> config = parse(text);
        if (!config) return {};
        Running running = run_config(*config);
        return running ? running.buffer<std::uint32_t>(output) : std::vector<std::uint32_t>{};
    }

    const std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_;
    AssetCache assets_;
};

/// `numbers[i] = first + i`, of any length.
constexpr std::string_view kIota = R"("iota": {"glsl": [
    "layout(local_size_x = 64) in;",
    "#include \"invocation.glsl\"",
    "writeonly buffer Numbers { uint list[]; } numbers;",
    "uniform Params { uint first; } params;",
    "void main() {",
    "    uint i = invocation_index();",
    "    if (i < numbers.list.length()) numbers.list[i] = params.first + i;",
    "}"], "out": {"numbers": {"length": "$n"}}, "params": {"first": 5}})";

std::vector<std::uint32_t> iota(std::size_t count, std::uint32_t first) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

TEST_F(ConfigKernelsTest, BuffersOfAnyLengthAreFilled) {
    for (const std::size_t n : {1u, 63u, 64u, 65u, 1000u, 65'535u * 64u + 1u})
        EXPECT_EQ(words(fmt::format(R"({{"tuff": 1, "params": {{"n": {}}}, "nodes": {{{}}},
                                        "outputs": {{"o": "iota.numbers"}}}})",
                                    n, kIota)),
                  iota(n, 5))
            << n;
}

TEST_F(ConfigKernelsTest, WhatIsReadAndWrittenIsUpdatedInPlace) {
    const std::string nodes = std::string(kIota) + R"(, "add": {"glsl": [
        "layout(local_size_x = 32) in;",
        "#include \"invocation.glsl\"",
        "buffer Numbers { uint list[]; } numbers;",
        "void main() {",
        "    uint i = invocation_index();",
        "    if (i < numbers.list.length()) numbers.list[i] += 2u;",
        "}"], "in": {"numbers": "iota.numbers"}, "repeat": 4, "carry": {"numbers": "numbers"}})";
    EXPECT_EQ(words(R"({"tuff": 1, "params": {"n": 131}, "nodes": {)" + nodes +
                    R"(}, "outputs": {"o": "add.numbers"}})"),
              iota(131, 13));
}

TEST_F(ConfigKernelsTest, WhatIsReadAndHasASizeBeginsWithZeros) {
    const std::string nodes = std::string(kIota) + R"(, "count": {"glsl": [
        "layout(local_size_x = 64) in;",
        "#include \"invocation.glsl\"",
        "readonly buffer Numbers { uint list[]; } numbers;",
        "buffer Bins { uint list[]; } bins;",
        "void main() {",
        "    uint i = invocation_index();",
        "    if (i < numbers.list.length()) atomicAdd(bins.list[numbers.list[i] % 3u], 1u);",
        "}"], "in": {"numbers": "iota.numbers"}, "out": {"bins": {"length": 3}},
        "dispatch": {"over": "numbers"}})";
    std::vector<std::uint32_t> expected(3, 0);
    for (const std::uint32_t number : iota(1000, 5))
        ++expected[number % 3];
    EXPECT_EQ(words(R"({"tuff": 1, "params": {"n": 1000}, "nodes": {)" + nodes +
                    R"(}, "outputs": {"o": "count.bins"}})"),
              expected);
}

/// Counts its invocations, and leaves counts of groups.
constexpr std::string_view kInvocations = R"({"glsl": [
    "layout(local_size_x = 4) in;",
    "buffer Total { uint value; } total;",
    "void main() { atomicAdd(total.value, 1u); }"])";

TEST_F(ConfigKernelsTest, DispatchIsACountGroupsOrFromABuffer) {
    const auto total = [&](std::string_view dispatch) {
        return words(fmt::format(R"({{"tuff": 1, "params": {{"n": 9}}, "nodes": {{
            "groups": {{"glsl": ["layout(local_size_x = 1) in;",
                "writeonly buffer Counts {{ uvec3 groups; }} counts;",
                "void main() {{ counts.groups = uvec3(3u, 5u, 2u); }}"]}},
            "a": {}, "dispatch": {}}}}}, "outputs": {{"o": "a.total"}}}})",
                                 kInvocations, dispatch));
    };
    using Words = std::vector<std::uint32_t>;
    EXPECT_EQ(total(R"({"count": "$n"})"), Words{12}); // whole groups of four
    EXPECT_EQ(total(R"({"groups": [7, 2, 3]})"), Words{7 * 2 * 3 * 4});
    EXPECT_EQ(total(R"({"indirect": "groups.counts"})"), Words{3 * 5 * 2 * 4});
}

TEST_F(ConfigKernelsTest, ALoopEndsByAFlagOfTheKernel) {
    EXPECT_EQ(words(R"({"tuff": 1, "params": {"n": 1}, "nodes": {)" + std::string(kIota) + R"(,
        "grow": {"glsl": [
            "layout(local_size_x = 1) in;",
            "buffer State { uint value; } state;",
            "writeonly buffer Done { uint flag; } done;",
            "void main() { state.value *= 2u; done.flag = state.value > 1000u ? 1u : 0u; }"],
            "in": {"state": "iota.numbers"}, "until": "done", "max": 50,
            "carry": {"state": "state"}}},
        "outputs": {"o": "grow.state", "n": "grow.iterations"}})"),
              std::vector<std::uint32_t>{1280});
}

TEST_F(ConfigKernelsTest, SharpeningIsThatOfTheReference) {
    std::optional<Config> config = example("sharpen.json");
    ASSERT_TRUE(config);
    for (const auto& [width, height] : {std::array{1, 1}, {7, 5}, {8, 8}, {33, 17}, {130, 9}}) {
        set(*config, "width", fmt::to_string(width));
        set(*config, "height", fmt::to_string(height));
        set(*config, "sharp.strength", "0"); // leaves the source
        Running unchanged = run_config(*config);
        set(*config, "sharp.strength", "1.5");
        Running running = run_config(*config);
        ASSERT_TRUE(unchanged && running);
        const HostImage source = unchanged.image("picture");
        const HostImage result = running.image("picture");
        ASSERT_EQ(result.extent.width, static_cast<std::uint32_t>(width));
        ASSERT_EQ(result.extent.height, static_cast<std::uint32_t>(height));
        float worst = 0.0f;
        const auto at = [&](int x, int y) {
            return source.texel(static_cast<std::uint32_t>(std::clamp(x, 0, width - 1)),
                                static_cast<std::uint32_t>(std::clamp(y, 0, height - 1)))[0];
        };
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const float around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
                const float expected = at(x, y) + 1.5f * (at(x, y) - 0.25f * around);
                const float got =
                    result.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))[0];
                worst = std::max(worst, std::abs(got - expected));
            }
        EXPECT_LT(worst, 2e-3f) << width << " x " << height; // half floats up to 2.5
    }
}

TEST_F(ConfigKernelsTest, LifeIsThatOfTheReference) {
    std::optional<Config> config = example("life.json");
    ASSERT_TRUE(config);
    ASSERT_TRUE(config->add_output("seed.cells"));
    ASSERT_TRUE(config->add_output("life.after"));
    for (const auto& [width, height] : {std::array{3u, 3u}, {8u, 8u}, {37u, 21u}, {64u, 5u}}) {
        set(*config, "cells", fmt::format("[{}, {}]", width, height));
        set(*config, "generations", "12");
        Running running = run_config(*config);
        ASSERT_TRUE(running);
        const HostImage seed = running.image("seed.cells");
        const HostImage after = running.image("life.after");
        std::vector<int> cells(std::size_t{width} * height);
        for (std::uint32_t i = 0; i < cells.size(); ++i)
            cells[i] = static_cast<int>(seed.texel(i % width, i / width)[0]);
        for (int generation = 0; generation < 12; ++generation) {
            std::vector<int> next(cells.size());
            for (std::uint32_t y = 0; y < height; ++y)
                for (std::uint32_t x = 0; x < width; ++x) {
                    int around = -cells[y * width + x];
                    for (std::uint32_t dy = 0; dy < 3; ++dy)
                        for (std::uint32_t dx = 0; dx < 3; ++dx)
                            around += cells[(y + dy + height - 1) % height * width +
                                            (x + dx + width - 1) % width];
                    next[y * width + x] =
                        around == 3 || (around == 2 && cells[y * width + x] == 1) ? 1 : 0;
                }
            cells = std::move(next);
        }
        int wrong = 0;
        for (std::uint32_t i = 0; i < cells.size(); ++i)
            if (static_cast<int>(after.texel(i % width, i / width)[0]) != cells[i]) ++wrong;
        EXPECT_EQ(wrong, 0) << width << " x " << height;
    }
}

TEST_F(ConfigKernelsTest, BodiesMoveAsTheReferenceDoes) {
    std::optional<Config> config = example("nbody.json");
    ASSERT_TRUE(config);
    ASSERT_TRUE(config->add_output("start.bodies"));
    ASSERT_TRUE(config->add_output("move.after"));
    struct Body {
        std::array<float, 4> place, speed;
    };
    for (const std::size_t count : {2u, 64u, 131u}) {
        set(*config, "bodies", fmt::to_string(count));
        set(*config, "steps", "5");
        Running running = run_config(*config);
        ASSERT_TRUE(running);
        std::vector<Body> bodies = running.buffer<Body>("start.bodies");
        const std::vector<Body> moved = running.buffer<Body>("move.after");
        ASSERT_EQ(bodies.size(), count);
        ASSERT_EQ(moved.size(), count);
        for (int step = 0; step < 5; ++step) {
            std::vector<Body> next = bodies;
            for (Body& one : next) {
                std::array<double, 3> pull{};
                for (const Body& other : bodies) {
                    double squared = 0.03 * 0.03;
                    for (std::size_t c = 0; c < 3; ++c)
                        squared += std::pow(double{other.place[c]} - one.place[c], 2);
                    for (std::size_t c = 0; c < 3; ++c)
                        pull[c] += other.place[3] * (double{other.place[c]} - one.place[c]) /
                                   std::pow(squared, 1.5);
                }
                for (std::size_t c = 0; c < 3; ++c) {
                    one.speed[c] += static_cast<float>(0.005 * pull[c]);
                    one.place[c] += 0.005f * one.speed[c];
                }
            }
            bodies = std::move(next);
        }
        double worst = 0;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t c = 0; c < 3; ++c)
                worst = std::max(worst, std::abs(double{moved[i].place[c]} - bodies[i].place[c]));
        EXPECT_LT(worst, 1e-4) << count;
        EXPECT_GT(std::abs(moved[0].place[0] - running.buffer<Body>("start.bodies")[0].place[0]),
                  1e-4f);
    }
}

TEST_F(ConfigKernelsTest, AFragmentKernelCoversThePicture) {
    write("place.frag", R"(#version 460
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 first;
layout(location = 1) out uvec2 second;
uniform Params { float scale; uint add; } params;
void main() { first = vec4(params.scale * place, 0, 1); second = uvec2(gl_FragCoord.xy) + params.add; }
)");
    for (const auto& [width, height] : {std::array{1u, 1u}, {17u, 3u}, {64u, 65u}}) {
        const std::optional<Config> config = parse(fmt::format(
            R"({{"tuff": 1, "size": [{}, {}], "nodes": {{"f": {{"kernel": "place.frag", "out": {{
                "first": {{"size": ["$width", "$height"], "format": "rgba32_sfloat"}},
                "second": {{"size": ["$width", "$height"], "format": "rg32_uint"}}}},
                "params": {{"scale": 2, "add": 3}}}}}},
                "outputs": {{"a": "f.first", "b": "f.second"}}}})",
            width, height));
        ASSERT_TRUE(config);
        Running running = run_config(*config);
        ASSERT_TRUE(running);
        const HostImage first = running.image("a");
        const HostImage second = running.image("b");
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
                ASSERT_NEAR(first.texel(x, y)[0],
                            2 * (static_cast<float>(x) + 0.5f) / static_cast<float>(width), 1e-5);
                ASSERT_NEAR(first.texel(x, y)[1],
                            2 * (static_cast<float>(y) + 0.5f) / static_cast<float>(height), 1e-5);
                ASSERT_EQ(second.texel(x, y)[0], static_cast<float>(x + 3));
                ASSERT_EQ(second.texel(x, y)[1], static_cast<float>(y + 3));
            }
    }
}

TEST_F(ConfigKernelsTest, AFragmentStageMayStandInTheConfig) {
    const std::optional<Config> config = parse(R"({"tuff": 1, "nodes": {"f": {
        "stage": "fragment",
        "glsl": ["layout(location = 0) out vec4 color;",
                 "uniform Params { float blue; } params;",
                 "void main() { color = vec4(gl_FragCoord.xy, params.blue, 1); }"],
        "out": {"color": {"size": [19, 5], "format": "rgba32_sfloat"}},
        "params": {"blue": 0.75}}}, "outputs": {"o": "f.color"}})");
    ASSERT_TRUE(config);
    Running running = run_config(*config);
    ASSERT_TRUE(running);
    const HostImage color = running.image("o");
    for (std::uint32_t y = 0; y < 5; ++y)
        for (std::uint32_t x = 0; x < 19; ++x)
            ASSERT_EQ(color.texel(x, y), (std::array{static_cast<float>(x) + 0.5f,
                                                     static_cast<float>(y) + 0.5f, 0.75f, 1.0f}));
}

TEST_F(ConfigKernelsTest, VolumesAreWrittenAndRead) {
    const std::optional<Config> config = parse(R"({"tuff": 1, "nodes": {
        "fill": {"glsl": ["layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;",
            "layout(r32f) writeonly uniform image3D cells;",
            "void main() {",
            "    ivec3 at = ivec3(gl_GlobalInvocationID);",
            "    if (any(greaterThanEqual(at, imageSize(cells)))) return;",
            "    imageStore(cells, at, vec4(at.x + 100 * at.y + 10000 * at.z));",
            "}"], "out": {"cells": {"size": [9, 5, 7]}}},
        "turn": {"glsl": ["layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;",
            "uniform sampler3D source;",
            "layout(r32f) writeonly uniform image3D cells;",
            "void main() {",
            "    ivec3 at = ivec3(gl_GlobalInvocationID);",
            "    ivec3 size = imageSize(cells);",
            "    if (any(greaterThanEqual(at, size))) return;",
            "    imageStore(cells, at, texelFetch(source, size - 1 - at, 0));",
            "}"], "in": {"source": "fill.cells"}, "out": {"cells": {"like": "source"}}},
        "list": {"glsl": ["layout(local_size_x = 64) in;",
            "#include \"invocation.glsl\"",
            "uniform sampler3D source;",
            "writeonly buffer Numbers { uint list[]; } numbers;",
            "void main() {",
            "    uint i = invocation_index();",
            "    if (i >= numbers.list.length()) return;",
            "    ivec3 at = ivec3(i % 9u, i / 9u % 5u, i / 45u);",
            "    numbers.list[i] = uint(texelFetch(source, at, 0).r);",
            "}"], "in": {"source": "turn.cells"}, "out": {"numbers": {"length": 315}}}},
        "outputs": {"o": "list.numbers"}})");
    ASSERT_TRUE(config);
    Running running = run_config(*config);
    ASSERT_TRUE(running);
    const auto numbers = running.buffer<std::uint32_t>("o");
    ASSERT_EQ(numbers.size(), 315u);
    for (std::uint32_t i = 0; i < 315; ++i)
        ASSERT_EQ(numbers[i], 8 - i % 9 + 100 * (4 - i / 9 % 5) + 10000 * (6 - i / 45)) << i;
}

TEST_F(ConfigKernelsTest, AUsedConfigBringsItsKernels) {
    std::filesystem::create_directory(folder_ / "parts");
    write("parts/add.comp", R"(#version 460
layout(local_size_x = 64) in;
#include "invocation.glsl"
#include "two.glsl"
readonly buffer Source { uint list[]; } source;
writeonly buffer Result { uint list[]; } result;
uniform Params { uint factor; } params;
void main() {
    uint i = invocation_index();
    if (i < result.list.length()) result.list[i] = params.factor * source.list[i] + kTwo;
}
)");
    write("parts/two.glsl", "const uint kTwo = 2u;\n");
    write("parts/add.json", R"({"tuff": 1, "inputs": {"numbers": "Buffer"},
        "params": {"factor": 1},
        "nodes": {"add": {"kernel": "add.comp", "in": {"source": "numbers"},
                          "out": {"result": {"like": "source"}},
                          "params": {"factor": "$factor"}}},
        "outputs": {"sum": "add.result"}})");
    // Twice, with parameters of their own, the second one in a loop.
    const std::string nodes =
        std::string(kIota) +
        R"(, "once": {"use": "parts/add.json", "in": {"numbers": "iota.numbers"},
                      "params": {"factor": 3}},
            "often": {"use": "parts/add.json", "in": {"numbers": "once.sum"},
                      "repeat": 3, "carry": {"numbers": "sum"}})";
    std::vector<std::uint32_t> expected = iota(130, 5);
    for (std::uint32_t& number : expected)
        number = 3 * number + 2 + 3 * 2;
    EXPECT_EQ(words(R"({"tuff": 1, "params": {"n": 130}, "nodes": {)" + nodes +
                    R"(}, "outputs": {"o": "often.sum"}})"),
              expected);
}

TEST_F(ConfigKernelsTest, HlslRunsAsGlslDoes) {
    write("double.hlsl", R"(
cbuffer Params { float factor; };
StructuredBuffer<float> source;
RWStructuredBuffer<float> result;
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint count, stride;
    source.GetDimensions(count, stride);
    if (id.x < count) result[id.x] = factor * source[id.x];
}
)");
    const std::optional<Config> config = parse(R"({"tuff": 1, "nodes": {
        "a": {"glsl": ["layout(local_size_x = 1) in;",
                       "writeonly buffer Values { float list[]; } values;",
                       "void main() { uint i = gl_GlobalInvocationID.x;",
                       "    values.list[i] = float(i); }"], "out": {"values": {"length": 100}}},
        "b": {"kernel": "double.hlsl", "in": {"source": "a.values"},
              "out": {"result": {"like": "source"}}, "params": {"factor": 3}}},
        "outputs": {"o": "b.result"}})");
    ASSERT_TRUE(config);
    Running running = run_config(*config);
    ASSERT_TRUE(running);
    const std::vector<float> values = running.buffer<float>("o");
    ASSERT_EQ(values.size(), 100u);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(values[i], 3.0f * static_cast<float>(i));
}

} // namespace
} // namespace tuff
