// The setup of an executor: constant work, whose results are kept from one execution to the next.

#include "gpu/execute/executor_impl.hpp"

#include <algorithm>
#include <cstring>

namespace tuff {

Result<void> ExecutorImpl::create_setup(const ShaderLibrary& shaders) {
    setup = std::make_unique<ExecutorImpl>();
    setup->device = device;
    setup->plan = plan->setup;
    setup->options = options;
    setup->options.kept_imports = 0; // what is kept stays where it is
    if (auto ok = setup->create(shaders); !ok) return ok;
    for (const KeptResult& kept : plan->kept)
        setup->imports[kept.resource.index] = resources.at(kept.resource, 0);
    ++setup->import_generation;
    setup_is_due = true;
    return {};
}

bool ExecutorImpl::has_other_parameters(std::span<const std::byte> bytes) const {
    const auto differ = [&](std::uint32_t offset, std::uint32_t size) {
        return size != 0 &&
               std::memcmp(bytes.data() + offset, parameters.data() + offset, size) != 0;
    };
    return std::ranges::any_of(kernels.nodes, [&](NodeId node) {
        const KernelUse& use = *kernel_of(plan->graph, node);
        return differ(use.push_offset, use.shader->push_bytes) ||
               differ(use.param_offset, use.shader->param_bytes);
    });
}

// Its plan waits for what the graphics queue did before, and all that the graphics queue does
// afterwards sees it. For the other queues the host waits, before and afterwards.
Result<void> ExecutorImpl::run_setup(VkCommandBuffer of_host) {
    if (!setup || !setup_is_due) return {};
    const bool several_queues = plan->submissions.size() > 1;
    if (several_queues)
        if (auto ok = wait_for(submitted); !ok) return ok;
    auto done = of_host == VK_NULL_HANDLE ? setup->execute() : setup->record_for_host(of_host);
    if (!done) return done;
    if (several_queues)
        if (auto ok = setup->wait_for(setup->submitted); !ok) return ok;
    setup_is_due = false;
    return {};
}

} // namespace tuff
