#include "gpu/shader/spirv_streams.hpp"
#include "tests/unit/pass_shaders.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tuff {
namespace {

using Words = std::vector<std::uint32_t>;

/// The SPIR-V of a kernel of the image module.
Words some_module() {
    const ShaderLibrary& all = test::pass_shaders();
    for (const std::string& name : all.names())
        if (const CompiledShader* found = all.find(name, ShaderStage::compute)) return found->words;
    return {};
}

TEST(SpirvStreams, BringEveryModuleOfThePassesBack) {
    const ShaderLibrary& all = test::pass_shaders();
    std::size_t modules = 0;
    for (const std::string& name : all.names())
        if (const CompiledShader* found = all.find(name, ShaderStage::compute)) {
            const Words streams = spirv_streams(found->words);
            ASSERT_EQ(streams.size(), found->words.size() + kStreamCounts) << name;
            EXPECT_NE(Words(streams.begin() + kStreamCounts, streams.end()), found->words) << name;
            ASSERT_EQ(spirv_of_streams(streams), found->words) << name;
            ++modules;
        }
    EXPECT_GT(modules, 20u);
}

// Cut off anywhere, and words of no module.
TEST(SpirvStreams, BringAnyWordsBack) {
    const Words module = some_module();
    ASSERT_GT(module.size(), 100u);
    for (std::size_t count = 0; count < 200 && count < module.size(); ++count) {
        const Words cut(module.begin(), module.begin() + static_cast<std::ptrdiff_t>(count));
        EXPECT_EQ(spirv_of_streams(spirv_streams(cut)), cut) << count;
    }
    std::mt19937 random(1);
    for (std::size_t count = 0; count < 200; ++count) {
        Words words(count);
        for (std::uint32_t& word : words)
            word = static_cast<std::uint32_t>(random()) >> random() % 32u;
        EXPECT_EQ(spirv_of_streams(spirv_streams(words)), words) << count;
    }
}

TEST(SpirvStreams, ThatAreDamagedAreRefusedOrOtherWords) {
    EXPECT_FALSE(spirv_of_streams({}));
    EXPECT_FALSE(spirv_of_streams(Words{1, 0}));
    const Words module = some_module();
    const Words streams = spirv_streams(module);
    std::mt19937 random(2);
    for (std::size_t i = 0; i < 2000; ++i) {
        Words damaged = streams;
        damaged[i < 64 ? i % kStreamCounts : random() % damaged.size()] ^=
            1u << static_cast<std::uint32_t>(random()) % 32u;
        EXPECT_NE(spirv_of_streams(damaged), module) << i;
    }
}

} // namespace
} // namespace tuff
