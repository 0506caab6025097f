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

// Its plan waits for what executions before have done and is seen by all that the main queue does
// afterwards. Other queues do not wait for it, as they do not for the upload of constants.
Result<void> ExecutorImpl::run_setup(VkCommandBuffer of_host) {
    if (!setup || !setup_is_due) return {};
    auto done = of_host == VK_NULL_HANDLE ? setup->execute() : setup->record_for_host(of_host);
    if (!done) return done;
    if (plan->submissions.size() > 1)
        if (auto ok = setup->wait_for(setup->submitted); !ok) return ok;
    setup_is_due = false;
    return {};
}

} // namespace tuff
