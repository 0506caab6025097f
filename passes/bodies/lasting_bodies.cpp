#include "passes/bodies/lasting_bodies.hpp"

#include <algorithm>

namespace tuff::passes {

LastingBodies::LastingBodies(Graph& graph, bool reset) : graph_(graph), reset_(reset) {
    age_ = graph.history_buffer("age", {.size = kWordBytes, .stride = kWordBytes});
}

Buffer LastingBodies::begin(std::string_view name, Buffer initial, std::uint64_t bytes) {
    const BufferDesc desc{.size = bytes, .stride = 8};
    histories_.push_back(graph_.history_buffer(name, desc));
    ComputeNodeBuilder node = graph_.compute("bodies/begin", name);
    node.read_optional("before", histories_.back().previous[0]);
    node.read_optional("before_age", age_.previous[0], "has_before");
    node.read_optional("initial", initial);
    const auto words = static_cast<std::uint32_t>(bytes / kWordBytes);
    node.set("words", words);
    node.set("initial_words",
             initial ? static_cast<std::uint32_t>(graph_.desc(initial).size / kWordBytes) : 0u);
    node.set("reset", std::uint32_t(reset_));
    const Buffer result = node.write("result", graph_.buffer(name, desc));
    node.dispatch_each(words);
    return result;
}

Buffer LastingBodies::before(std::string_view name, std::uint64_t bytes) {
    histories_.push_back(graph_.history_buffer(name, {.size = bytes, .stride = 8}));
    return histories_.back().previous[0];
}

BodyClock LastingBodies::begin_clock(const FixedStepsRequest& request) {
    const BufferDesc desc{.size = sizeof(ClockWords), .stride = kWordBytes};
    const BufferHistory kept = graph_.history_buffer("clock", desc);
    ComputeNodeBuilder node = graph_.compute("bodies/clock");
    set_fixed_steps(node, request);
    node.read("before", kept.previous[0]);
    BodyClock clock;
    clock.words = node.write("after", graph_.buffer("clock_words", desc));
    clock.done =
        node.write("done", graph_.buffer("no_step", {.size = kWordBytes, .stride = kWordBytes}));
    node.dispatch(1);
    (void)graph_.copy(clock.words, kept.current, "keep_clock");
    return clock;
}

void LastingBodies::end(std::span<const Buffer> last) {
    ComputeNodeBuilder older = graph_.compute("bodies/begin_age");
    older.read("before", age_.previous[0]);
    older.set("reset", std::uint32_t(reset_));
    (void)older.write("age", age_.current);
    older.dispatch(1);
    for (std::size_t i = 0; i < last.size(); ++i) {
        const std::uint64_t bytes =
            std::min(graph_.desc(last[i]).size, graph_.desc(histories_[i].current).size);
        (void)graph_.copy(BufferView(last[i], 0, bytes),
                          BufferView(histories_[i].current, 0, bytes), "keep");
    }
}

} // namespace tuff::passes
