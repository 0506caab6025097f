#include "passes/bodies/clock.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

namespace tuff::passes {

ClockWords ClockWords::read(std::span<const std::uint32_t> words) {
    return status_from<ClockWords>(words);
}

Diagnostics ClockWords::warnings() const {
    if (lost == 0) return {};
    return {warning("bodies/lost-time",
                    fmt::format("the execution needed {} steps more than it may take: bodies "
                                "are slower than time",
                                lost),
                    "increase \"steps\" or \"dt\", or give shorter frames")};
}

Buffer BodyClock::done_after(Graph& graph, std::uint32_t step) const {
    ComputeNodeBuilder node = graph.compute("bodies/clock_done");
    node.read("clock_words", words);
    node.set("step", step);
    const Buffer last =
        node.write("done", graph.buffer("done", {.size = kWordBytes, .stride = kWordBytes}));
    node.dispatch(1);
    return last;
}

Bodies BodyClock::between(Graph& graph, const Bodies& bodies, Buffer last_places,
                          Buffer last_turns) const {
    ComputeNodeBuilder node = graph.compute("bodies/between");
    node.read("clock_words", words);
    node.read("last_places", last_places);
    node.read("last_turns", last_turns);
    node.read("places", bodies.places);
    node.read("turns", bodies.turns);
    node.set("count", bodies.count);
    Bodies shown = bodies;
    shown.places = node.write("shown_places", body_array(graph, "shown_places", bodies.count, 16));
    shown.turns = node.write("shown_turns", body_array(graph, "shown_turns", bodies.count, 16));
    node.dispatch_each(bodies.count);
    return shown;
}

} // namespace tuff::passes
