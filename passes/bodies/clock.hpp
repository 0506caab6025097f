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

/// What a clock says of an execution.
struct ClockWords {
    std::uint32_t steps = 0;
    float owed = 0.0f;      ///< seconds from the state to the picture, at most 0
    float share = 1.0f;     ///< of the way from the state before the last step to that after it
    std::uint32_t age = 0;  ///< 0: there was no execution
    std::uint32_t lost = 0; ///< steps that did not fit

    static constexpr std::string_view kStructName = "ClockWords";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(ClockWords, steps), TUFF_MEMBER(ClockWords, owed),
                          TUFF_MEMBER(ClockWords, share), TUFF_MEMBER(ClockWords, age),
                          TUFF_MEMBER(ClockWords, lost)};
    }
    static ClockWords read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;
};
static_assert(sizeof(ClockWords) == 20);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::StepClock> {
    static constexpr std::array<std::string_view, 2> names{"steps", "time"};
};
