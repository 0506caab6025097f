#pragma once

#include "passes/bodies/bodies.hpp"

namespace tuff::passes {

/// What an execution of bodies/simulate takes.
enum class StepClock : std::uint8_t {
    steps, ///< a number of steps
    time,  ///< as many whole steps as reach a time
};

/// The steps of an execution, on the device: shaders/bodies/clock.glsl.
struct BodyClock {
    Buffer words;
    Buffer done; ///< one word, not 0: no step is due

    /// One word, not 0: no step comes after `step`.
    Buffer done_after(Graph& graph, std::uint32_t step) const;
    /// Bodies at the picture's time: between `bodies` and where they were before the last step.
    Bodies between(Graph& graph, const Bodies& bodies, Buffer last_places, Buffer last_turns) const;
};

inline constexpr std::uint64_t kBodyClockBytes = 16;

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::StepClock> {
    static constexpr std::array<std::string_view, 2> names{"steps", "time"};
};
