#include "gpu/shader/shader_compiler.hpp"
#include "gpu/shader/specialized_kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace tuff {
namespace {

// The opcodes that these tests look for.
constexpr std::uint32_t kSpecConstantTrue = 48;
constexpr std::uint32_t kSpecConstantOp = 52;
constexpr std::uint32_t kConstant = 43;
constexpr std::uint32_t kExtInst = 12;
constexpr std::uint32_t kLoopMerge = 246;

using Words = std::vector<std::uint32_t>;

class Specialize : public testing::Test {
  protected:
    void SetUp() override {
        if (!shader_compiler_available()) GTEST_SKIP() << "built without TUFF_RUNTIME_SHADERC";
    }
};

Words compile(const std::string& glsl) {
    auto binary = compile_shader({.file = "kernel.comp", .text = "#version 460\n" + glsl});
    EXPECT_TRUE(binary) << to_string(binary.error());
    return binary ? std::move(binary->words) : Words{};
}

template <typename Visit>
void for_each_instruction(const Words& words, Visit visit) {
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
        visit(words[at] & 0xffff, words.data() + at);
}

std::size_t count(const Words& words, std::uint32_t from, std::uint32_t to) {
    std::size_t found = 0;
    for_each_instruction(words, [&](std::uint32_t opcode, const std::uint32_t*) {
        found += opcode >= from && opcode <= to;
    });
    return found;
}

bool has_constant(const Words& words, std::uint32_t bits) {
    bool found = false;
    for_each_instruction(words, [&](std::uint32_t opcode, const std::uint32_t* at) {
        found |= opcode == kConstant && at[3] == bits;
    });
    return found;
}

const char* const kBranches = R"(
layout(local_size_x_id = 3) in;
layout(constant_id = 0) const uint way = 0u;
layout(constant_id = 1) const float scale = 2.5;
layout(constant_id = 2) const bool rooted = false;
buffer Values { float values[]; };
void main() {
    float x = values[gl_GlobalInvocationID.x];
    if (way == 0u) x = sin(x);
    else if (way == 1u) x = cos(x);
    else x = exp(x) + log(x);
    if (rooted) x = sqrt(x);
    values[gl_GlobalInvocationID.x] = x * scale;
}
)";

TEST_F(Specialize, LeavesNoConstantOpenAndOnlyTheCodeThatIsReached) {
    const Words words = compile(kBranches);
    ASSERT_GT(count(words, kSpecConstantTrue, kSpecConstantOp), 0u);
    ASSERT_EQ(count(words, kExtInst, kExtInst), 5u); // sin, cos, exp, log, sqrt
    struct Case {
        std::vector<SpecializationUse> constants;
        std::size_t functions;
    };
    const Case cases[] = {{{}, 1},
                          {{{.id = 0, .bits = 1}}, 1},
                          {{{.id = 0, .bits = 2}}, 2},
                          {{{.id = 0, .bits = 2}, {.id = 2, .bits = 1}}, 3},
                          {{{.id = 99, .bits = 7}}, 1}};
    for (const Case& c : cases) {
        const auto made = specialize(words, c.constants, UnrollHints::kept);
        ASSERT_TRUE(made) << to_string(made.error());
        EXPECT_EQ(count(*made, kSpecConstantTrue, kSpecConstantOp), 0u);
        EXPECT_EQ(count(*made, kExtInst, kExtInst), c.functions);
    }
}

TEST_F(Specialize, SetsFloatsAndLocalSizes) {
    const Words words = compile(kBranches);
    const auto by_default = specialize(words, {}, UnrollHints::kept);
    ASSERT_TRUE(by_default);
    EXPECT_TRUE(has_constant(*by_default, std::bit_cast<std::uint32_t>(2.5f)));
    const SpecializationUse constants[] = {{.id = 1, .bits = std::bit_cast<std::uint32_t>(0.375f)},
                                           {.id = 3, .bits = 96}};
    const auto made = specialize(words, constants, UnrollHints::kept);
    ASSERT_TRUE(made);
    EXPECT_FALSE(has_constant(*made, std::bit_cast<std::uint32_t>(2.5f)));
    EXPECT_TRUE(has_constant(*made, std::bit_cast<std::uint32_t>(0.375f)));
    EXPECT_TRUE(has_constant(*made, 96));
}

TEST_F(Specialize, DropsWishesThatLoopsBeUnrolled) {
    const Words words = compile(R"(
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint rounds = 3u;
buffer Values { float values[]; };
void main() {
    [[unroll]] for (uint i = 0u; i < rounds; ++i) values[i] = values[2u * i];
}
)");
    const auto unrolled = [](const Words& made) {
        std::size_t found = 0;
        for_each_instruction(made, [&](std::uint32_t opcode, const std::uint32_t* at) {
            found += opcode == kLoopMerge && (at[3] & 1u) != 0;
        });
        return found;
    };
    const SpecializationUse constants[] = {{.id = 0, .bits = 500}};
    const auto kept = specialize(words, constants, UnrollHints::kept);
    const auto dropped = specialize(words, constants, UnrollHints::dropped);
    ASSERT_TRUE(kept && dropped);
    EXPECT_EQ(unrolled(*kept), 1u);
    EXPECT_EQ(unrolled(*dropped), 0u);
}

TEST_F(Specialize, WordsThatAreNoSpirvAreAnError) {
    const Words words = {1, 2, 3};
    const auto made = specialize(words, {}, UnrollHints::kept);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().front().code, "gpu/pipeline");
}

TEST_F(Specialize, IsDoneOnceForTheSameWordsConstantsAndHints) {
    const Words words = compile(kBranches);
    const Words copied = words;
    SpecializedKernels kernels;
    const SpecializationUse first[] = {{.id = 0, .bits = 1}};
    const SpecializationUse second[] = {{.id = 0, .bits = 2}};
    const SpecializationUse third[] = {{.id = 2, .bits = 1}};
    const auto by_first = kernels.of(words, first, UnrollHints::kept);
    ASSERT_TRUE(by_first);
    EXPECT_EQ(kernels.of(copied, first, UnrollHints::kept).value(), *by_first);
    EXPECT_EQ(kernels.made(), 1u);
    for (const auto& constants : {second, third}) {
        const auto made = kernels.of(words, std::span(constants, 1), UnrollHints::kept);
        ASSERT_TRUE(made);
        EXPECT_EQ(**made, specialize(words, std::span(constants, 1), UnrollHints::kept).value());
        EXPECT_NE(**made, **by_first);
    }
    EXPECT_EQ(kernels.made(), 3u);
    EXPECT_NE(kernels.of(words, first, UnrollHints::dropped).value(), *by_first);
    EXPECT_EQ(kernels.made(), 4u);
}

TEST_F(Specialize, ForgetsKernelsBeyondWhatMayBeKept) {
    const Words words = compile(kBranches);
    const SpecializationUse constants[] = {{.id = 0, .bits = 1}};
    const auto size = [&](std::span<const SpecializationUse> set) {
        return specialize(words, set, UnrollHints::kept).value().size();
    };
    SpecializedKernels kernels(size({}) + size(constants) - 1);
    const auto one = kernels.of(words, {}, UnrollHints::kept);
    const auto another = kernels.of(words, constants, UnrollHints::kept); // the first is forgotten
    ASSERT_TRUE(one && another);
    EXPECT_EQ(kernels.of(words, constants, UnrollHints::kept).value(), *another);
    EXPECT_EQ(kernels.made(), 2u);
    EXPECT_EQ(**kernels.of(words, {}, UnrollHints::kept), **one);
    EXPECT_EQ(kernels.made(), 3u);
    SpecializedKernels none(0);
    for (std::uint64_t i = 1; i < 3; ++i) {
        ASSERT_TRUE(none.of(words, {}, UnrollHints::kept));
        EXPECT_EQ(none.made(), i);
    }
}

} // namespace
} // namespace tuff
