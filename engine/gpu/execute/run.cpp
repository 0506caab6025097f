#include <tuff/run.hpp>
#include <tuff/shader_library.hpp>

#include <utility>

namespace tuff {

Result<Run> Run::start(Device& device, const ShaderLibrary& shaders, Graph graph,
                       GraphRunnerOptions options) {
    Run run(GraphRunner(device, std::move(options)), shaders);
    if (auto taken = run.change(std::move(graph)); !taken) return propagate(std::move(taken));
    return run;
}

Result<void> Run::change(Graph graph) {
    const std::uint32_t before = runner_.compilations();
    auto taken = runner_.take(std::move(graph).finish(), *shaders_);
    if (runner_.compilations() != before) executed_ = false;
    return taken;
}

Result<Executor*> Run::running() {
    if (runner_.executor()) return runner_.executor();
    return fail("gpu/nothing-to-run",
                "the last graph could not be prepared, and the one before is "
                "gone",
                "give `change` another graph; GraphRunnerOptions::keep_until_replaced keeps the "
                "one before");
}

Result<void> Run::execute() {
    auto executor = running();
    if (!executor) return propagate(std::move(executor));
    auto done = (*executor)->execute();
    executed_ = executed_ || done.has_value();
    return done;
}

Result<HostImage> Run::read_image(std::string_view output, std::uint32_t mip, std::uint32_t layer) {
    auto executor = running();
    if (!executor) return propagate(std::move(executor));
    return (*executor)->read_image(output, mip, layer);
}

Result<std::vector<std::byte>> Run::read_buffer(std::string_view output) {
    auto executor = running();
    if (!executor) return propagate(std::move(executor));
    return (*executor)->read_buffer(output);
}

Result<Diagnostics> Run::warnings() {
    Diagnostics all = plan().graph.diagnostics;
    if (!executed_ || !runner_.executor()) return all;
    auto said = executor().warnings();
    if (!said) return said;
    all.insert(all.end(), said->begin(), said->end());
    return all;
}

} // namespace tuff
