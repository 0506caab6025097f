#pragma once

#include <tuff/plan.hpp>

#include <array>
#include <cstddef>

/// Synchronization scopes and what they do to one earlier access: the chapter "Synchronization and
/// Cache Control" of the Vulkan specification for one queue.
namespace tuff::oracle {

/// Every stage a Tuff plan can name, those of the graphics pipeline in their logical order first.
inline constexpr std::array kStages = {
    stage::kDrawIndirect,   stage::kIndexInput, stage::kVertexShader, stage::kEarlyDepth,
    stage::kFragmentShader, stage::kLateDepth,  stage::kColorOutput,  stage::kCompute,
    stage::kCopy,           stage::kResolve,    stage::kBlit,         stage::kClear,
    stage::kHost,
};
inline constexpr std::size_t kGraphicsStages = 7;

/// `stages` without shorthands: one bit a stage. The host is no command, so "all commands" leaves
/// it out.
StageMask single_stages(StageMask stages);
/// Likewise for kinds of access.
MemoryMask single_accesses(MemoryMask accesses);

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

/// How later work stands to one access that has been made, or to one layout transition.
struct Standing {
    StageMask stage = 0;   ///< where it was made; one bit. Transitions: none
    MemoryMask writes = 0; ///< kinds of write; 0: a read or a transition
    bool is_write = false;
    bool is_transition = false;
    StageMask ordered = 0;   ///< operations in these stages of later commands come after it
    StageMask available = 0; ///< ... and after it has become available
    Visibility visible{};    ///< accesses of later commands that see it

    /// A layout transition by a barrier: it lies between the two scopes, and is itself available.
    static Standing transition(const Dependency& dependency);
    /// A write that was made visible to `stages` and `memory`, and to nobody else.
    static Standing seen_by(StageMask stages, MemoryMask memory);

    /// In the first synchronization scope of the dependency, itself or through a chain.
    bool precedes(const Dependency& dependency) const;
    /// The dependency comes after the write has become available, or makes it so.
    bool available_to(const Dependency& dependency) const;
    /// What remains to be said after a command with `dependencies`, which do not chain.
    template <typename Dependencies>
    Standing after(const Dependencies& dependencies) const {
        Standing result = *this;
        for (const Dependency& dependency : dependencies)
            result.extend(*this, dependency);
        return result;
    }

  private:
    void extend(const Standing& before, const Dependency& dependency);
};

} // namespace tuff::oracle
