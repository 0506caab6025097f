#pragma once

#include "passes/particles/particles.hpp"

namespace tuff::passes {

/// What the state of a system of particles has besides places and velocities.
struct StateParts {
    bool births = false; ///< a tally and lives
    bool bodies = false; ///< orientations and spins
};

/// A state that begins as `initial`, with room for `room` particles and the parts asked for: those
/// that `initial` lacks live for ever, have mass 1 and do not spin.
Particles make_state(Graph& graph, const Particles& initial, std::uint32_t room, StateParts parts);

/// A state that goes on from execution to execution.
class LastingState {
  public:
    LastingState(Graph& graph, const Particles& initial, std::uint32_t room, StateParts parts);

    /// What the execution begins with: what the one before left, or at first and with `reset`, the
    /// initial state.
    Particles begin(bool reset);
    /// Keeps `last` for the next execution.
    void end(const Particles& last);

  private:
    Graph& graph_;
    Particles initial_;
    std::uint32_t room_;
    StateParts parts_;
    BufferHistory positions_;
    BufferHistory velocities_;
    BufferHistory tally_;
    BufferHistory lives_;
    BufferHistory orientations_;
    BufferHistory spins_;
    BufferHistory age_; ///< a word: executions since the beginning, so 0 at first
};

} // namespace tuff::passes
