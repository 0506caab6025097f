#include "tests/oracle/scopes.hpp"

namespace tuff::oracle {
namespace {

constexpr MemoryMask kReads = memory::kIndirectRead | memory::kIndexRead | memory::kUniformRead |
                              memory::kColorRead | memory::kDepthRead | memory::kTransferRead |
                              memory::kHostRead | memory::kSampledRead | memory::kStorageRead |
                              memory::kShaderRead | memory::kAccelerationRead;
constexpr MemoryMask kWrites = memory::kColorWrite | memory::kDepthWrite | memory::kTransferWrite |
                               memory::kHostWrite | memory::kStorageWrite |
                               memory::kAccelerationWrite;

StageMask with_earlier(StageMask stages) {
    StageMask result = stages;
    StageMask earlier = 0;
    for (std::size_t i = 0; i < kGraphicsStages; ++i) {
        if (stages & kStages[i]) result |= earlier;
        earlier |= kStages[i];
    }
    // Dispatches and launches of rays have arguments, too.
    if (stages & (stage::kCompute | stage::kRayTracing)) result |= stage::kDrawIndirect;
    return result;
}

StageMask with_later(StageMask stages) {
    StageMask result = stages;
    StageMask later = 0;
    for (std::size_t i = kGraphicsStages; i-- > 0;) {
        if (stages & kStages[i]) result |= later;
        later |= kStages[i];
    }
    if (stages & stage::kDrawIndirect) result |= stage::kCompute | stage::kRayTracing;
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

Scope of_host(Scope scope) {
    constexpr MemoryMask kAny = memory::kMemoryRead | memory::kMemoryWrite;
    const StageMask known = single_stages(stage::kAllCommands) | stage::kAllCommands | stage::kHost;
    if (scope.stages & ~known) scope.stages |= stage::kAllCommands;
    if (scope.memory & ~(kReads | kWrites | kAny)) scope.memory |= kAny;
    if (scope.memory & memory::kShaderRead)
        scope.memory |= memory::kSampledRead | memory::kStorageRead;
    return scope;
}

Dependency::Dependency(StageMask source_stages, MemoryMask source_memory,
                       StageMask destination_stages, MemoryMask destination_memory)
    : first(with_earlier(single_stages(source_stages))), first_stages(single_stages(source_stages)),
      first_memory(single_accesses(source_memory)),
      second(with_later(single_stages(destination_stages))),
      second_memory(
          in_stages(single_stages(destination_stages), single_accesses(destination_memory))) {}

Standing Standing::transition(const Dependency& dependency, Queue queue) {
    Standing result{.queue = queue, .is_write = true, .is_transition = true};
    result.sights[static_cast<std::size_t>(queue)] = {.ordered = dependency.second,
                                                      .available = dependency.second,
                                                      .visible = dependency.second_memory};
    return result;
}

Standing Standing::seen_by(StageMask stages, MemoryMask memory) {
    Standing result = transition(Dependency(0, 0, stages, memory), Queue::graphics);
    result.is_transition = false;
    return result;
}

bool Standing::precedes(const Dependency& dependency, Queue q) const {
    return (((q == queue ? stage : 0) | from(q).ordered) & dependency.first) != 0;
}

bool Standing::available_to(const Dependency& dependency, Queue q) const {
    // Writes of the host are made available by a barrier after a semaphore of the host.
    const bool after_host = queue == Queue::host && (from(q).ordered & stage::kHost) != 0;
    const bool flushed = (q == queue || after_host) && (stage & dependency.first_stages) != 0 &&
                         writes != 0 && (writes & ~dependency.first_memory) == 0;
    return flushed || (from(q).available & dependency.first) != 0;
}

void Standing::pass(const Standing& before, const Dependency& dependency, Queue q) {
    if (!before.precedes(dependency, q)) return;
    const bool available = is_write && before.available_to(dependency, q);
    Sight& sight = sights[static_cast<std::size_t>(q)];
    sight.ordered |= dependency.second;
    if (!available) return;
    sight.available |= dependency.second;
    for (std::size_t i = 0; i < sight.visible.size(); ++i)
        sight.visible[i] |= dependency.second_memory[i];
}

void Standing::pass_semaphore(Queue signalled_on, Queue q) {
    const StageMask commands = single_stages(stage::kAllCommands);
    const Sight there = from(signalled_on);
    Sight& sight = sights[static_cast<std::size_t>(q)];
    if (q == Queue::host) {
        sight.ordered |= stage::kHost;
        if (!is_write || (there.available & stage::kHost) == 0) return;
        sight.available |= stage::kHost;
        for (std::size_t i = 0; i < sight.visible.size(); ++i)
            if (kStages[i] == stage::kHost) sight.visible[i] |= there.visible[i];
        return;
    }
    if (signalled_on == Queue::host) {
        sight.ordered |= commands | stage::kHost;
        // A signal of the device, for which the host has waited, has made it available.
        if (is_write && queue != Queue::host) sight.available |= stage::kHost;
        return;
    }
    sight.ordered |= commands | (there.ordered & stage::kHost);
    if (!is_write || (queue == Queue::host && (there.available & commands) == 0)) return;
    sight.available |= commands;
    const Visibility all =
        in_stages(commands, single_accesses(memory::kMemoryRead | memory::kMemoryWrite));
    for (std::size_t i = 0; i < all.size(); ++i)
        sight.visible[i] |= all[i];
}

} // namespace tuff::oracle
