/* Checkpoints of graphs in the C interface. */
#include "objects.hpp"

#include <tuff/checkpoint.hpp>

#include <algorithm>
#include <iterator>

using namespace tuff;
using namespace tuff::c;

namespace tuff::c {
namespace {

Result<int> save_state(tuff_graph& graph, const char* folder) {
    if (!graph.executed) return fail("gpu/not-executed", "there is no state before an execution");
    if (auto waited = graph.runner.executor()->wait(); !waited) return propagate(std::move(waited));
    if (auto grown = graph.grow_pools(); !grown) return propagate(std::move(grown));
    const CheckpointRun run{.frame = graph.executed->index,
                            .time = graph.executed->time,
                            .step = graph.executed->step,
                            .pools = graph.runner.pools()};
    auto written = write_checkpoint(*graph.runner.executor(), run, folder);
    if (!written) return propagate(std::move(written));
    return 1;
}

Result<int> load_state(tuff_graph& graph, const char* folder, tuff_frame* frame) {
    auto checkpoint = newest_checkpoint(folder);
    if (!checkpoint) return propagate(std::move(checkpoint));
    const tuff_frame saved{checkpoint->run.frame, checkpoint->run.time, checkpoint->run.step};
    const PoolSizes before = graph.runner.pools();
    graph.runner.set_pools(checkpoint->run.pools);
    graph.built_for.reset();
    auto ready = graph.prepare(saved);
    auto notes = ready ? restore_checkpoint(*graph.runner.executor(), *checkpoint)
                       : Result<Diagnostics>(propagate(std::move(ready)));
    if (!notes) {
        graph.runner.set_pools(before);
        graph.built_for.reset();
        return propagate(std::move(notes));
    }
    std::ranges::move(*notes, std::back_inserter(graph.news));
    graph.executed = saved;
    if (frame) *frame = saved;
    return 1;
}

} // namespace
} // namespace tuff::c

extern "C" {

int tuff_graph_save_state(tuff_graph* graph, const char* folder, tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !folder) return null_argument("graph or folder");
        return save_state(*graph, folder);
    });
}
int tuff_graph_load_state(tuff_graph* graph, const char* folder, tuff_frame* frame,
                          tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !folder) return null_argument("graph or folder");
        return load_state(*graph, folder, frame);
    });
}

} // extern "C"
