#pragma once

#include "graph/compile/select.hpp"

#include <tuff/access.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>

/// Synchronization scopes as dense bits, which the sync stage counts with.
namespace tuff {

/// One bit a stage, those of the graphics pipeline in their logical order first.
using StageBits = std::uint32_t;
inline constexpr std::array kSingleStages = {
    stage::kDrawIndirect,   stage::kIndexInput,        stage::kVertexShader, stage::kEarlyDepth,
    stage::kFragmentShader, stage::kLateDepth,         stage::kColorOutput,  stage::kCompute,
    stage::kCopy,           stage::kResolve,           stage::kBlit,         stage::kClear,
    stage::kRayTracing,     stage::kAccelerationBuild,
    stage::kAllCommands, // those without a bit of their own, which hosts may have used
    stage::kHost,
};
inline constexpr std::size_t kStageCount = kSingleStages.size();
inline constexpr StageBits kAllCommandBits = (1u << (kStageCount - 1)) - 1; ///< the host is none
inline constexpr StageBits kHostBit = 1u << (kStageCount - 1);
inline constexpr StageBits kOtherStagesBit = kHostBit >> 1;
inline constexpr StageBits kAllStageBits = (1u << kStageCount) - 1;

/// One bit a kind of access.
using MemoryBits = std::uint32_t;
inline constexpr std::array kSingleAccesses = {
    memory::kIndirectRead, memory::kIndexRead,         memory::kUniformRead,
    memory::kSampledRead,  memory::kStorageRead,       memory::kColorRead,
    memory::kDepthRead,    memory::kTransferRead,      memory::kHostRead,
    memory::kShaderRead,   memory::kAccelerationRead,  memory::kStorageWrite,
    memory::kColorWrite,   memory::kDepthWrite,        memory::kTransferWrite,
    memory::kHostWrite,    memory::kAccelerationWrite,
};
inline constexpr std::size_t kReadKinds = 11;
inline constexpr MemoryBits kReadBits = (1u << kReadKinds) - 1;
inline constexpr MemoryBits kWriteBits = ((1u << kSingleAccesses.size()) - 1) & ~kReadBits;

/// One bit for each kind of access in each stage that can make it.
using PairBits = std::uint64_t;
inline constexpr std::size_t kPairCount = 38;

/// Shorthands become all that they stand for.
StageBits narrow_stages(StageMask stages);
MemoryBits narrow_memory(MemoryMask memory);
/// What each combination of `count` dense bits from `first` on stands for, in a table: most
/// barriers name one or two, and nobody can guess how many.
template <std::size_t first, std::size_t count>
consteval std::array<std::uint64_t, 1u << count>
wide_masks(std::span<const std::uint64_t> singles) {
    std::array<std::uint64_t, 1u << count> masks{};
    for (std::size_t bits = 0; bits < masks.size(); ++bits)
        for (std::size_t i = 0; i < count; ++i)
            if (bits >> i & 1) masks[bits] |= singles[first + i];
    return masks;
}
/// The same with a shorthand for all of them.
template <std::size_t first, std::size_t count>
consteval std::array<std::uint64_t, 1u << count> wide_masks(std::span<const std::uint64_t> singles,
                                                            std::uint64_t all) {
    auto masks = wide_masks<first, count>(singles);
    masks.back() = all;
    return masks;
}
inline constexpr std::size_t kLowStages = 7;
inline constexpr auto kLowStageMasks = wide_masks<0, kLowStages>(kSingleStages);
inline constexpr auto kHighStageMasks =
    wide_masks<kLowStages, kStageCount - kLowStages>(kSingleStages);
inline constexpr std::size_t kLowReads = 6;
inline constexpr auto kLowReadMasks = wide_masks<0, kLowReads>(kSingleAccesses);
inline constexpr auto kHighReadMasks =
    wide_masks<kLowReads, kReadKinds - kLowReads>(kSingleAccesses);
inline constexpr auto kWriteMasks = wide_masks<kReadKinds, kSingleAccesses.size() - kReadKinds>(
    kSingleAccesses, memory::kMemoryWrite);

/// The other way round, with shorthands where all that they stand for is there.
inline StageMask wide_stages(StageBits stages) {
    const bool all = stages & kOtherStagesBit;
    if (all) stages &= ~kAllCommandBits;
    return kLowStageMasks[stages % kLowStageMasks.size()] | kHighStageMasks[stages >> kLowStages] |
           (all ? stage::kAllCommands : stage::kNone);
}
inline MemoryMask wide_memory(MemoryBits memory) {
    const MemoryBits reads = memory & kReadBits;
    const MemoryMask read = reads == kReadBits ? memory::kMemoryRead
                                               : kLowReadMasks[reads % kLowReadMasks.size()] |
                                                     kHighReadMasks[reads >> kLowReads];
    return read | kWriteMasks[memory >> kReadKinds];
}

/// Every kind of access in `memory` in every stage of `stages` that can make it.
PairBits pairs_of(StageBits stages, MemoryBits memory);
/// The kinds of access that commands make in `stages`, and the writes among them.
MemoryBits accesses_in(StageBits stages);
MemoryBits writes_in(StageBits stages);

/// `stages`, and those before or after them in the same pipeline: a barrier that waits for a stage
/// waits for the earlier ones too, and one that holds a stage back holds back the later ones.
StageBits with_earlier(StageBits stages);
StageBits with_later(StageBits stages);

/// Calls `visit(index)` for each bit.
template <std::unsigned_integral Bits, typename Visit>
void for_each_bit(Bits bits, Visit visit) {
    for (; bits != 0; bits &= bits - 1)
        visit(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

static_assert(static_cast<std::uint32_t>(Layout::undefined) == 0);

/// A Scope in dense bits.
struct ScopeBits {
    StageBits stages = 0;
    MemoryBits memory = 0;
    PairBits pairs = 0; ///< the accesses themselves; a barrier covers all of `stages` x `memory`
    Layout layout = Layout::undefined;
    bool empty() const { return (stages | memory | static_cast<std::uint32_t>(layout)) == 0; }
    friend bool operator==(const ScopeBits&, const ScopeBits&) = default;
};
ScopeBits narrow(const Scope& scope);
/// The same of what a host does. It may name stages and accesses that no node has: these stand for
/// any, and its shader reads for those of every kind.
ScopeBits narrow_host_use(Scope scope);
Scope wide(const ScopeBits& scope);
/// Both; in `general` where their layouts differ.
inline ScopeBits joined(const ScopeBits& a, const ScopeBits& b) {
    const bool agree = a.empty() | (a.layout == b.layout);
    const auto layout = select(agree, static_cast<std::uint32_t>(b.layout),
                               static_cast<std::uint32_t>(Layout::general));
    return {a.stages | b.stages, a.memory | b.memory, a.pairs | b.pairs,
            static_cast<Layout>(layout)};
}

} // namespace tuff
