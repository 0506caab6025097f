#include "graph/compile/sync/scope_bits.hpp"

namespace tuff {
namespace {

constexpr std::size_t kGraphicsStages = 7;
constexpr StageBits kComputeBit = 1u << 7;
constexpr StageBits kRaysBit = 1u << 12;
constexpr StageBits kIndirectBit = 1u << 0;

consteval std::uint32_t index_of(StageMask stage) {
    for (std::uint32_t i = 0; i < kStageCount; ++i)
        if (kSingleStages[i] == stage) return i;
    return ~0u;
}
static_assert(index_of(stage::kColorOutput) + 1 == kGraphicsStages);
static_assert(index_of(stage::kHost) + 1 == kStageCount);
static_assert(1u << index_of(stage::kCompute) == kComputeBit);
static_assert(1u << index_of(stage::kRayTracing) == kRaysBit);
static_assert(1u << index_of(stage::kDrawIndirect) == kIndirectBit);

/// The kinds of access that a stage can make.
constexpr MemoryMask accesses_of(StageMask stage) {
    using namespace memory;
    switch (stage) {
    case stage::kDrawIndirect: return kIndirectRead;
    case stage::kIndexInput: return kIndexRead;
    case stage::kVertexShader:
    case stage::kFragmentShader: return kUniformRead | kSampledRead | kStorageRead | kStorageWrite;
    case stage::kCompute:
    case stage::kRayTracing:
        return kUniformRead | kSampledRead | kStorageRead | kStorageWrite | kAccelerationRead;
    case stage::kAccelerationBuild: return kShaderRead | kAccelerationRead | kAccelerationWrite;
    case stage::kEarlyDepth:
    case stage::kLateDepth: return kDepthRead | kDepthWrite;
    case stage::kColorOutput: return kColorRead | kColorWrite;
    case stage::kCopy:
    case stage::kResolve:
    case stage::kBlit: return kTransferRead | kTransferWrite;
    case stage::kClear: return kTransferWrite;
    case stage::kHost: return kHostRead | kHostWrite;
    default: return kNone;
    }
}

/// The pairs numbered through, stage by stage, and looked up from both sides.
struct PairTable {
    std::array<PairBits, kStageCount> of_stage{};
    std::array<PairBits, kSingleAccesses.size()> of_access{};
    std::array<MemoryBits, kStageCount> accesses{};
    std::uint32_t count = 0;
};
consteval PairTable number_pairs() {
    PairTable table;
    for (std::size_t s = 0; s < kStageCount; ++s)
        for (std::size_t a = 0; a < kSingleAccesses.size(); ++a) {
            if ((accesses_of(kSingleStages[s]) & kSingleAccesses[a]) == 0) continue;
            table.of_stage[s] |= PairBits{1} << table.count;
            table.of_access[a] |= PairBits{1} << table.count;
            table.accesses[s] |= 1u << a;
            ++table.count;
        }
    return table;
}
constexpr PairTable kPairs = number_pairs();
static_assert(kPairs.count == kPairCount && kPairCount <= 64);

template <std::size_t count>
std::uint32_t narrow_bits(std::uint64_t mask, const std::array<std::uint64_t, count>& singles) {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        if (mask & singles[i]) bits |= 1u << i;
    return bits;
}

} // namespace

StageBits narrow_stages(StageMask stages) {
    return narrow_bits(stages, kSingleStages) |
           (stages & stage::kAllCommands ? kAllCommandBits : 0);
}

MemoryBits narrow_memory(MemoryMask memory) {
    return narrow_bits(memory, kSingleAccesses) | (memory & memory::kMemoryRead ? kReadBits : 0) |
           (memory & memory::kMemoryWrite ? kWriteBits : 0);
}

PairBits pairs_of(StageBits stages, MemoryBits memory) {
    PairBits in_stages = 0;
    PairBits of_kinds = 0;
    for_each_bit(stages, [&](std::uint32_t s) { in_stages |= kPairs.of_stage[s]; });
    for_each_bit(memory, [&](std::uint32_t a) { of_kinds |= kPairs.of_access[a]; });
    return in_stages & of_kinds;
}

MemoryBits accesses_in(StageBits stages) {
    MemoryBits accesses = 0;
    for_each_bit(stages, [&](std::uint32_t s) { accesses |= kPairs.accesses[s]; });
    return accesses;
}

MemoryBits writes_in(StageBits stages) {
    return accesses_in(stages) & kWriteBits;
}

StageBits with_earlier(StageBits stages) {
    const StageBits graphics = stages & ((1u << kGraphicsStages) - 1);
    StageBits result = stages;
    if (graphics != 0) result |= std::bit_floor(graphics) - 1;
    // Dispatches and launches of rays have arguments, too.
    if (stages & (kComputeBit | kRaysBit)) result |= kIndirectBit;
    return result;
}

StageBits with_later(StageBits stages) {
    constexpr StageBits kGraphics = (1u << kGraphicsStages) - 1;
    const StageBits graphics = stages & kGraphics;
    StageBits result = stages;
    if (graphics != 0) result |= kGraphics & ~((graphics & -graphics) - 1);
    if (stages & kIndirectBit) result |= kComputeBit | kRaysBit;
    return result;
}

ScopeBits narrow(const Scope& scope) {
    const StageBits stages = narrow_stages(scope.stages);
    const MemoryBits memory = narrow_memory(scope.memory);
    return {stages, memory, pairs_of(stages, memory), scope.layout};
}

ScopeBits narrow_host_use(Scope scope) {
    constexpr auto all_of = [](const auto& singles) {
        std::uint64_t all = 0;
        for (const std::uint64_t single : singles)
            all |= single;
        return all;
    };
    constexpr StageMask kStages = all_of(kSingleStages);
    constexpr MemoryMask kAccesses =
        all_of(kSingleAccesses) | memory::kMemoryRead | memory::kMemoryWrite;
    if ((scope.stages & ~kStages) != 0) scope.stages |= stage::kAllCommands;
    if ((scope.memory & ~kAccesses) != 0)
        scope.memory |= memory::kMemoryRead | memory::kMemoryWrite;
    if ((scope.memory & memory::kShaderRead) != 0)
        scope.memory |= memory::kSampledRead | memory::kStorageRead;
    return narrow(scope);
}

Scope wide(const ScopeBits& scope) {
    return {wide_stages(scope.stages), wide_memory(scope.memory), scope.layout};
}

} // namespace tuff
