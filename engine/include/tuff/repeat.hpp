#pragma once

#include <tuff/graph.hpp>

#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Loops that expand while a graph is built. Included by tuff/graph.hpp.
///
///     Image relaxed = graph.repeat("relax", 20, noise, [&](Image x, std::uint32_t) {
///         return graph.add(Jacobi{.source = x}).result;
///     });
///
///     auto [solution, iterations] = graph.repeat_until("solve", 100, guess, [&](Buffer x, auto) {
///         auto newton = graph.add(NewtonStep{.source = x});
///         return Step{newton.result, newton.converged};
///     });
///
/// Nodes of iteration i are named "relax[i]/...". Each iteration makes new versions; memory
/// aliasing packs them into two places, like a ping-pong.
namespace tuff {

/// Limit of the nodes of a graph with loops, and of the iterations of all loops together.
inline constexpr std::uint32_t kMaxRepeatedNodes = 100'000;

/// Result of the body of `repeat_until`.
template <typename State>
struct Step {
    State state;     ///< for the next iteration
    BufferView done; ///< its first word, non-zero: this was the last iteration
};
/// A buffer is a view of itself.
template <typename State>
Step(State, Buffer) -> Step<State>;
/// So is a view of a buffer.
template <typename State>
Step(State, BufferView) -> Step<State>;

/// Result of `repeat_until`.
template <typename State>
struct Repeated {
    State state;       ///< of the last iteration that ran
    Buffer iterations; ///< one word: how many iterations ran
};

namespace detail {

/// Calls `visit` with each version that a loop state of images and buffers holds.
template <typename Visit>
void visit_state(Image& image, Visit&& visit) {
    visit(image.version);
}
template <typename Visit>
void visit_state(Buffer& buffer, Visit&& visit) {
    visit(buffer.version);
}
template <typename Visit>
void visit_state(std::variant<Image, Buffer>& resource, Visit&& visit) {
    std::visit([&](auto& one) { visit(one.version); }, resource);
}
template <typename Visit, typename... Parts>
void visit_state(std::tuple<Parts...>& parts, Visit&& visit) {
    std::apply([&](Parts&... part) { (visit_state(part, visit), ...); }, parts);
}
template <typename Visit, typename Part>
void visit_state(std::vector<Part>& parts, Visit&& visit) {
    for (Part& part : parts)
        visit_state(part, visit);
}

template <typename State>
std::vector<VersionId> versions_in(State& state) {
    std::vector<VersionId> versions;
    visit_state(state, [&](VersionId& version) { versions.push_back(version); });
    return versions;
}

template <typename State>
void put_versions(State& state, const std::vector<VersionId>& versions) {
    std::size_t next = 0;
    visit_state(state, [&](VersionId& version) { version = versions[next++]; });
}

/// Builds a loop whose iterations the device can skip; the state is a list of versions.
/// repeat_until.cpp explains how.
class GatedLoop {
  public:
    /// Opens the scope `name`. `done` as in `Graph::repeat_until`.
    GatedLoop(Graph& graph, std::string_view name, std::vector<VersionId> state,
              std::optional<BufferView> done);

    /// Opens iteration `i`: its gate and its scope. False if the graph has grown too large.
    bool begin(std::uint32_t i);
    /// Closes the iteration that is open.
    void end(std::vector<VersionId> returned, BufferView done);
    /// Closes the loop and returns the count of iterations. Call once.
    Buffer finish();

    /// State of the next iteration, or after the last, the result of the loop.
    const std::vector<VersionId>& state() const { return state_; }

  private:
    bool add_gate();
    void carry(std::vector<VersionId> returned);
    bool check_carried(std::size_t part, VersionId returned);
    VersionId duplicate(VersionId version, std::string_view name);
    void hold(std::size_t part);
    void carry_part(std::size_t part, VersionId from);
    void gate_node(NodeId node);
    void gate_dispatch(NodeId node);
    void gate_indirect(NodeId node);
    void check_transfer(NodeId node);
    void check_written(NodeId node);
    std::uint32_t slot_of(const std::array<std::uint32_t, 3>& groups);

    Graph& graph_;
    std::string name_;
    std::vector<VersionId> state_;
    std::vector<bool> held_;         ///< by part of the state: it is in a resource of the loop
    std::vector<NodeId> own_copies_; ///< nodes that copy the state
    BufferView done_;                ///< read by the next gate
    Buffer stopped_;                 ///< one word, non-zero once the loop has ended
    Buffer iterations_;              ///< one word
    bool sound_ = true;              ///< no error so far that each iteration would repeat
    bool open_ = false;              ///< resources of the latest iteration can still be read

    // Of the latest iteration.
    Buffer counts_; ///< its group counts
    std::optional<ComputeNodeBuilder> gate_;
    std::uint32_t first_node_ = 0;   ///< of its body
    std::uint32_t first_made_ = 0;   ///< resource of its body
    std::vector<glm::uvec4> groups_; ///< the different group counts of its dispatches
};

} // namespace detail

template <typename State, typename Body>
State Graph::repeat(std::string_view name, std::uint32_t count, State state, Body&& body) {
    static_assert(std::convertible_to<std::invoke_result_t<Body&, State, std::uint32_t>, State>,
                  "the body takes the state and the iteration, and returns the state");
    for (std::uint32_t i = 0; i < count && begin_iteration(name, i); ++i) {
        state = body(std::move(state), i);
        pop_scope();
    }
    return state;
}

template <typename State, typename Body>
Repeated<State> Graph::repeat_until(std::string_view name, std::uint32_t max, State state,
                                    Body&& body, std::optional<BufferView> done) {
    detail::GatedLoop loop(*this, name, detail::versions_in(state), done);
    for (std::uint32_t i = 0; i < max && loop.begin(i); ++i) {
        Step<State> step = body(state, i);
        loop.end(detail::versions_in(step.state), step.done);
        detail::put_versions(state, loop.state());
    }
    return {std::move(state), loop.finish()};
}

} // namespace tuff
