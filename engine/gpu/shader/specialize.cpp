#include "gpu/shader/specialize.hpp"

#include "gpu/shader/spirv_words.hpp"

#include <spirv-tools/optimizer.hpp>

#include <string>
#include <unordered_map>

namespace tuff {
namespace {

void drop_unroll_hints(std::span<std::uint32_t> words) {
    constexpr std::uint32_t kOpLoopMerge = 246; // merge block, continue target, loop control
    constexpr std::uint32_t kUnroll = 1;
    for_each_instruction(words, [](std::uint32_t opcode, std::span<std::uint32_t> instruction) {
        if (opcode == kOpLoopMerge && instruction.size() > 3) instruction[3] &= ~kUnroll;
    });
}

} // namespace

Result<std::vector<std::uint32_t>> specialize(std::span<const std::uint32_t> words,
                                              std::span<const SpecializationUse> constants,
                                              UnrollHints hints) {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> bits;
    for (const SpecializationUse& constant : constants)
        bits[constant.id] = {constant.bits};
    std::string message;
    spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
    optimizer.SetMessageConsumer([&message](spv_message_level_t, const char*, const spv_position_t&,
                                            const char* text) { message = text; });
    optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(bits))
        .RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
        .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass())
        .RegisterPass(spvtools::CreateDeadBranchElimPass())
        .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
        .RegisterPass(spvtools::CreateAggressiveDCEPass())
        .RegisterPass(spvtools::CreateEliminateDeadConstantPass());
    // The words come from the compiler; a validation would only take time.
    spvtools::OptimizerOptions options;
    options.set_run_validator(false);
    std::vector<std::uint32_t> result;
    if (!optimizer.Run(words.data(), words.size(), &result, options))
        return fail("gpu/pipeline", "constants cannot be set in SPIR-V: " + message);
    if (hints == UnrollHints::dropped) drop_unroll_hints(std::span(result));
    return result;
}

} // namespace tuff
