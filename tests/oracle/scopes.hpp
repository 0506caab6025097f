#pragma once

#include <tuff/plan.hpp>

#include <array>
#include <cstddef>

/// Synchronization scopes and what they do to one earlier access: the chapter "Synchronization and
/// Cache Control" of the Vulkan specification.
namespace tuff::oracle {

/// Every stage a Tuff plan can name, those of the graphics pipeline in their logical order first.
inline constexpr std::array kStages = {
    stage::kDrawIndirect,   stage::kIndexInput,        stage::kVertexShader, stage::kEarlyDepth,
    stage::kFragmentShader, stage::kLateDepth,         stage::kColorOutput,  stage::kCompute,
    stage::kCopy,           stage::kResolve,           stage::kBlit,         stage::kClear,
    stage::kRayTracing,     stage::kAccelerationBuild, stage::kHost,
};
inline constexpr std::size_t kGraphicsStages = 7;

/// `stages` without shorthands: one bit a stage. The host is no command, so "all commands" leaves
/// it out.
StageMask single_stages(StageMask stages);
/// Likewise for kinds of access.
MemoryMask single_accesses(MemoryMask accesses);

/// What a host does, in the stages and kinds of access that are known here: others may be any, and
/// VK_ACCESS_2_SHADER_READ_BIT is sampling and reading storage.
Scope of_host(Scope scope);

/// The accesses that see a write: for each stage of `kStages`, its kinds.
using Visibility = std::array<MemoryMask, kStages.size()>;

/// A memory dependency of one barrier.
struct Dependency {
    StageMask first = 0;         ///< synchronization scope: the stages and logically earlier ones
    StageMask first_stages = 0;  ///< access scope: the stages alone
    MemoryMask first_memory = 0; ///< access scope
    StageMask second = 0;        ///< synchronization scope: the stages and logically later ones
    Visibility second_memory{};  ///< access scope

    Dependency(StageMask source_stages, MemoryMask source_memory, StageMask destination_stages,
               MemoryMask destination_memory);
    friend bool operator==(const Dependency&, const Dependency&) = default;
};

/// What the later commands of one queue know of an access, or of a layout transition.
struct Sight {
    StageMask ordered = 0;   ///< operations in these stages come after it
    StageMask available = 0; ///< ... and after it has become available
    Visibility visible{};    ///< accesses that see it
};

/// How later work stands to one access that has been made, or to one layout transition.
struct Standing {
    Queue queue = Queue::graphics;
    StageMask stage = 0;   ///< where it was made; one bit. Transitions: none
    MemoryMask writes = 0; ///< kinds of write; 0: a read or a transition
    bool is_write = false;
    bool is_transition = false;
    std::array<Sight, kQueueCount> sights{};

    const Sight& from(Queue q) const { return sights[static_cast<std::size_t>(q)]; }

    /// A layout transition by a barrier: it lies between the two scopes, and is itself available.
    static Standing transition(const Dependency& dependency, Queue queue);
    /// A write on the graphics queue that was made visible to `stages` and `memory`, and to no
    /// others.
    static Standing seen_by(StageMask stages, MemoryMask memory);

    /// In the first synchronization scope of a barrier on `q`, itself or through a chain.
    bool precedes(const Dependency& dependency, Queue q) const;
    /// The barrier comes after the write has become available, or makes it so.
    bool available_to(const Dependency& dependency, Queue q) const;
    /// A barrier on `q` has been passed. `before`: how things stood before the batch that it is
    /// part of.
    void pass(const Standing& before, const Dependency& dependency, Queue q);
    /// A semaphore that was signalled on `from` after it has been waited for on `q`. Between the
    /// host and the device it orders alone: barriers on the device's side, before the signal or
    /// after the wait, make writes of the one visible to the other.
    void pass_semaphore(Queue signalled_on, Queue q);
};

} // namespace tuff::oracle
