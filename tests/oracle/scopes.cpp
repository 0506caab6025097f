#include "tests/oracle/scopes.hpp"

namespace tuff::oracle {
namespace {

constexpr MemoryMask kReads = memory::kIndirectRead | memory::kIndexRead | memory::kUniformRead |
                              memory::kColorRead | memory::kDepthRead | memory::kTransferRead |
                              memory::kHostRead | memory::kSampledRead | memory::kStorageRead;
constexpr MemoryMask kWrites = memory::kColorWrite | memory::kDepthWrite | memory::kTransferWrite |
                               memory::kHostWrite | memory::kStorageWrite;

StageMask with_earlier(StageMask stages) {
    StageMask result = stages;
    StageMask earlier = 0;
    for (std::size_t i = 0; i < kGraphicsStages; ++i) {
        if (stages & kStages[i]) result |= earlier;
        earlier |= kStages[i];
    }
    if (stages & stage::kCompute) result |= stage::kDrawIndirect; // dispatches have arguments too
    return result;
}

StageMask with_later(StageMask stages) {
    StageMask result = stages;
    StageMask later = 0;
    for (std::size_t i = kGraphicsStages; i-- > 0;) {
        if (stages & kStages[i]) result |= later;
        later |= kStages[i];
    }
    if (stages & stage::kDrawIndirect) result |= stage::kCompute;
    return result;
}

Visibility in_stages(StageMask stages, MemoryMask accesses) {
    Visibility result{};
    for (std::size_t i = 0; i < kStages.size(); ++i)
        if (stages & kStages[i]) result[i] = accesses;
    return result;
}

} // namespace

StageMask single_stages(StageMask stages) {
    StageMask known = 0;
    StageMask commands = 0;
    for (const StageMask single : kStages) {
        known |= single;
        if (single != stage::kHost) commands |= single;
    }
    return (stages & known) | (stages & stage::kAllCommands ? commands : 0);
}

MemoryMask single_accesses(MemoryMask accesses) {
    MemoryMask result = accesses & (kReads | kWrites);
    if (accesses & memory::kMemoryRead) result |= kReads;
    if (accesses & memory::kMemoryWrite) result |= kWrites;
    return result;
}

Dependency::Dependency(StageMask source_stages, MemoryMask source_memory,
                       StageMask destination_stages, MemoryMask destination_memory)
    : first(with_earlier(single_stages(source_stages))), first_stages(single_stages(source_stages)),
      first_memory(single_accesses(source_memory)),
      second(with_later(single_stages(destination_stages))),
      second_memory(
          in_stages(single_stages(destination_stages), single_accesses(destination_memory))) {}

Standing Standing::transition(const Dependency& dependency) {
    return {.is_write = true,
            .is_transition = true,
            .ordered = dependency.second,
            .available = dependency.second,
            .visible = dependency.second_memory};
}

Standing Standing::seen_by(StageMask stages, MemoryMask memory) {
    Standing result = transition(Dependency(0, 0, stages, memory));
    result.is_transition = false;
    return result;
}

bool Standing::precedes(const Dependency& dependency) const {
    return ((stage | ordered) & dependency.first) != 0;
}

bool Standing::available_to(const Dependency& dependency) const {
    const bool flushed = (stage & dependency.first_stages) != 0 && writes != 0 &&
                         (writes & ~dependency.first_memory) == 0;
    return flushed || (available & dependency.first) != 0;
}

void Standing::extend(const Standing& before, const Dependency& dependency) {
    if (!before.precedes(dependency)) return;
    ordered |= dependency.second;
    if (!is_write || !before.available_to(dependency)) return;
    available |= dependency.second;
    for (std::size_t i = 0; i < visible.size(); ++i)
        visible[i] |= dependency.second_memory[i];
}

} // namespace tuff::oracle
