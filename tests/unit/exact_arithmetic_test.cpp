// `#pragma tuff_exact`: no operation of such a kernel is made one with another, neither by the
// optimisation here nor by a driver.

#include "gpu/shader/exact_arithmetic.hpp"
#include "gpu/shader/shader_compiler.hpp"
#include "gpu/shader/spirv_words.hpp"

#include <gtest/gtest.h>
#include <spirv_cross/GLSL.std.450.h>
#include <spirv_cross/spirv.hpp>

#include <set>
#include <span>
#include <string>

namespace tuff {
namespace {

struct Arithmetic {
    std::set<std::uint32_t> rounded; ///< results of sums, products and of GLSL's functions of both
    std::set<std::uint32_t> decorated; ///< with NoContraction
    int fused = 0;
};

Arithmetic arithmetic_of(std::span<const std::uint32_t> words) {
    Arithmetic all;
    for_each_instruction(words, [&](std::uint32_t opcode, std::span<const std::uint32_t> of) {
        switch (opcode) {
        case spv::OpFAdd:
        case spv::OpFSub:
        case spv::OpFMul:
        case spv::OpFDiv:
        case spv::OpDot:
        case spv::OpVectorTimesScalar:
        case spv::OpMatrixTimesVector: all.rounded.insert(of[2]); break;
        case spv::OpExtInst:
            if (of[4] == GLSLstd450Fma) ++all.fused;
            if (of[4] == GLSLstd450Cross || of[4] == GLSLstd450Length) all.rounded.insert(of[2]);
            break;
        case spv::OpDecorate:
            if (of[2] == spv::DecorationNoContraction) all.decorated.insert(of[1]);
            break;
        default: break;
        }
    });
    return all;
}

Result<ShaderBinary> compiled(const std::string& pragma, bool optimised = true) {
    return compile_shader({.file = "kernel.comp",
                           .text = "#version 460\n" + pragma + R"(
layout(local_size_x = 64) in;
buffer Values { vec4 values[]; } values;
uniform Params { mat3 turn; float dt; } params;
vec3 moved(vec3 place, vec3 velocity) {
    return place + params.dt * velocity;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 a = values.values[i];
    vec3 b = params.turn * moved(a.xyz, cross(a.xyz, a.yzw)) / (1.0 + length(a));
    values.values[i] = vec4(b, dot(a.xyz, b) - a.w * float(min(i, 7u)));
}
)",
                           .optimised = optimised});
}

TEST(ExactArithmetic, DecoratesAllOperationsThatRound) {
    for (const bool optimised : {true, false}) {
        const auto binary = compiled("#pragma tuff_exact // why\n", optimised);
        ASSERT_TRUE(binary) << to_string(binary.error());
        const Arithmetic all = arithmetic_of(binary->words);
        EXPECT_GE(all.rounded.size(), 9u) << optimised;
        EXPECT_EQ(all.decorated, all.rounded) << optimised;
        EXPECT_EQ(all.fused, 0) << optimised;
    }
}

TEST(ExactArithmetic, LeavesOtherKernelsAsTheyAre) {
    for (const std::string text :
         {"", "#if 0\n#pragma tuff_exact\n#endif\n", "// #pragma tuff_exact\n"}) {
        const auto binary = compiled(text);
        ASSERT_TRUE(binary) << to_string(binary.error());
        EXPECT_TRUE(arithmetic_of(binary->words).decorated.empty()) << text;
    }
}

// The line makes another key of the cache of compiled stages.
TEST(ExactArithmetic, IsSeenInPreprocessedText) {
    const auto seen = [](const std::string& text) {
        const auto preprocessed = preprocess_shader({.file = "kernel.comp", .text = text});
        return preprocessed && wants_exact_arithmetic(preprocessed->text);
    };
    EXPECT_TRUE(seen("#version 460\n#if 1\n  #pragma  tuff_exact\n#endif\nvoid main() {}\n"));
    EXPECT_FALSE(seen("#version 460\n#if 0\n#pragma tuff_exact\n#endif\nvoid main() {}\n"));
}

// Words that are no module stay what they are.
TEST(ExactArithmetic, TakesAnyWords) {
    EXPECT_TRUE(with_exact_arithmetic({}).empty());
    const std::vector<std::uint32_t> broken{1, 2, 3, 4, 5, 0xffff0000u | spv::OpFAdd, 1};
    EXPECT_EQ(with_exact_arithmetic(broken), broken);
}

} // namespace
} // namespace tuff
