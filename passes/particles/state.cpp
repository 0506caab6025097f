#include "passes/particles/state.hpp"

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr float kForEver = 1e30f; // seconds

using Record = glm::uvec4;

Record record(glm::vec4 values) {
    return std::bit_cast<Record>(values);
}

const Record kNothing(0u);
const Record kLasting = record({0.0f, kForEver, 0.0f, kForEver});
const Record kUpright = record({0.0f, 0.0f, 0.0f, 1.0f});
const Record kUnitMass = record({0.0f, 0.0f, 0.0f, 1.0f}); // without spin

BufferDesc lives_desc(std::uint32_t room) {
    return {.size = std::max<std::uint64_t>(room, 1) * sizeof(glm::vec2),
            .stride = sizeof(glm::vec2)};
}

/// One array of a state.
struct StateArray {
    std::string_view name;
    BufferDesc desc;
    Buffer initial;  ///< may be unconnected
    Record missing;  ///< what particles have that the initial state lacks
    Buffer before{}; ///< may be unconnected: nothing went before
    Buffer age{};    ///< along with `before`
    bool reset = false;
};

Buffer begun(Graph& graph, const StateArray& array) {
    ComputeNodeBuilder node = graph.compute("particles/begin", array.name);
    node.read_optional("before", array.before);
    node.read_optional("before_age", array.age, "has_before");
    node.read_optional("initial", array.initial);
    const auto words = static_cast<std::uint32_t>(array.desc.size / kWordBytes);
    node.set("words", words);
    node.set("initial_words",
             array.initial ? static_cast<std::uint32_t>(graph.desc(array.initial).size / kWordBytes)
                           : 0u);
    node.set("reset", std::uint32_t(array.reset));
    node.set("missing", array.missing);
    const Buffer result = node.write("result", graph.buffer(array.name, array.desc));
    node.dispatch_each(words);
    return result;
}

/// The tally of an initial state.
Buffer tally_of(Graph& graph, const Particles& initial) {
    if (initial.tally) return initial.tally;
    const Buffer zero = graph.fill(graph.buffer("initial_tally", tally_desc()), 0, "no_tally");
    return graph.fill(BufferView(zero, 0, kWordBytes), initial.count, "initial_count");
}

} // namespace

Particles make_state(Graph& graph, const Particles& initial, std::uint32_t room, StateParts parts) {
    const BufferDesc vectors = particle_array_desc(room);
    Particles state = initial;
    state.count = room;
    state.positions = begun(graph, {"positions", vectors, initial.positions, kNothing});
    state.velocities = begun(graph, {"velocities", vectors, initial.velocities, kNothing});
    if (parts.births) {
        state.tally = tally_of(graph, initial);
        state.lives = begun(graph, {"lives", lives_desc(room), initial.lives, kLasting});
    }
    if (parts.bodies) {
        state.orientations =
            begun(graph, {"orientations", vectors, initial.orientations, kUpright});
        state.spins = begun(graph, {"spins", vectors, initial.spins, kUnitMass});
    }
    return state;
}

LastingState::LastingState(Graph& graph, const Particles& initial, std::uint32_t room,
                           StateParts parts)
    : graph_(graph), initial_(initial), room_(room), parts_(parts) {
    const BufferDesc vectors = particle_array_desc(room);
    positions_ = graph.history_buffer("positions", vectors);
    velocities_ = graph.history_buffer("velocities", vectors);
    age_ = graph.history_buffer("age", {.size = kWordBytes, .stride = kWordBytes});
    if (parts.births) {
        tally_ = graph.history_buffer("tally", tally_desc());
        lives_ = graph.history_buffer("lives", lives_desc(room));
    }
    if (parts.bodies) {
        orientations_ = graph.history_buffer("orientations", vectors);
        spins_ = graph.history_buffer("spins", vectors);
    }
}

Particles LastingState::begin(bool reset) {
    const Buffer age = age_.previous[0];
    const auto array = [&](std::string_view name, const BufferDesc& desc, Buffer initial,
                           const Record& missing, const BufferHistory& history) {
        return begun(graph_, {name, desc, initial, missing, history.previous[0], age, reset});
    };
    const BufferDesc vectors = particle_array_desc(room_);
    Particles state = initial_;
    state.count = room_;
    state.positions = array("positions", vectors, initial_.positions, kNothing, positions_);
    state.velocities = array("velocities", vectors, initial_.velocities, kNothing, velocities_);
    if (parts_.births) {
        state.tally = array("tally", tally_desc(), tally_of(graph_, initial_), kNothing, tally_);
        state.lives = array("lives", lives_desc(room_), initial_.lives, kLasting, lives_);
    }
    if (parts_.bodies) {
        state.orientations =
            array("orientations", vectors, initial_.orientations, kUpright, orientations_);
        state.spins = array("spins", vectors, initial_.spins, kUnitMass, spins_);
    }
    ComputeNodeBuilder older = graph_.compute("particles/begin_age");
    older.read("before", age);
    older.set("reset", std::uint32_t(reset));
    (void)older.write("age", age_.current);
    older.dispatch(1);
    return state;
}

void LastingState::end(const Particles& last) {
    // Copies, so that the results are ordinary ones, which may be outputs.
    (void)graph_.copy(last.positions, positions_.current, "keep_positions");
    (void)graph_.copy(last.velocities, velocities_.current, "keep_velocities");
    if (parts_.births) {
        (void)graph_.copy(last.tally, tally_.current, "keep_tally");
        (void)graph_.copy(last.lives, lives_.current, "keep_lives");
    }
    if (parts_.bodies) {
        (void)graph_.copy(last.orientations, orientations_.current, "keep_orientations");
        (void)graph_.copy(last.spins, spins_.current, "keep_spins");
    }
}

} // namespace tuff::passes
