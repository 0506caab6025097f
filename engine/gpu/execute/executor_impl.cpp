#include "gpu/execute/executor_impl.hpp"

#include "gpu/device/device_fault.hpp"
#include "gpu/execute/timings.hpp"
#include "graph/history/histories_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

namespace tuff {

ExecutorImpl::~ExecutorImpl() {
    if (!submitter) return;
    // An error here is a lost device, whose work has ended too, or a host that has not waited.
    if (const auto ok = wait_for_device(submitted); !ok) {
        if (!end_is_told) device->tell(ok.error());
        if (setup) setup->end_is_told = true; // whatever it is, it is one
        const std::lock_guard lock(device->graphics->mutex);
        device->vk.vkQueueWaitIdle(device->graphics->handle);
    }
    host_thread.reset();
    (void)wait_until_presented(); // an error is a lost device, whose work has ended
    submitter.settle();
}

Result<void> ExecutorImpl::wait_until_presented() const {
    if (!presented.counted) return {};
    const VkSemaphore semaphore = presented.counted->get();
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &presented.value;
    return check(device->vk.vkWaitSemaphores(device->handle, &info, UINT64_MAX),
                 "vkWaitSemaphores");
}

Result<void> ExecutorImpl::create(const ShaderLibrary& shaders) {
    const ScopedSpan creation(options.timeline, span(HostWork::create, 0));
    const GraphDesc& graph = plan->graph;
    marks = Trail::writer(*device, options.trail);
    parameters = ParameterLayout::padded(graph.parameters);
    auto made_submitter = Submitter::create(*device, *plan);
    if (!made_submitter) return propagate(std::move(made_submitter));
    submitter = std::move(*made_submitter);
    kernels = kernel_nodes(*plan);
    create_segments();
    find_imports();

    auto made_resources = PlanResources::create(*device, *plan, options.timeline);
    if (!made_resources) return propagate(std::move(made_resources));
    resources = std::move(*made_resources);
    histories = histories_of(*plan);
    history_resources = histories_read(*plan);
    auto made_pipelines = [&] {
        const ScopedSpan compilation(options.timeline, span(HostWork::kernels, 0));
        return Pipelines::create(*device, shaders, *plan, kernels);
    }();
    if (!made_pipelines) return propagate(std::move(made_pipelines));
    pipelines = std::move(*made_pipelines);
    auto made_queries = SampleQueries::create(*device, *plan);
    if (!made_queries) return propagate(std::move(made_queries));
    sample_queries = std::move(*made_queries);
    parameter_layout = ParameterLayout(*device, *plan, kernels);
    upload_layout = UploadLayout(*plan);
    uploads = upload_layout.contents(plan->graph);
    pool_readback = PoolReadback(*plan);

    const std::uint32_t slot_count =
        imported.empty() ? frames_in_flight() : std::max(frames_in_flight(), options.kept_imports);
    auto made_sets =
        DescriptorSets::create(*device, *plan, kernels, pipelines, slot_count, resources.phases());
    if (!made_sets) return propagate(std::move(made_sets));
    descriptors = std::move(*made_sets);

    imports.resize(graph.resources.size());
    slots = std::vector<FrameSlot>(slot_count);
    for (std::uint32_t i = 0; i < frames_in_flight(); ++i)
        if (auto ok = create_slot(i); !ok) return ok;
    auto made_one_off = OneOff::create(*device);
    if (!made_one_off) return propagate(std::move(made_one_off));
    one_off = std::move(*made_one_off);
    if (plan->setup)
        if (auto ok = create_setup(shaders); !ok) return ok;
    if (submitter.host_submissions() != 0) {
        try {
            host_thread.emplace(*plan, resources, submitter, slots.size());
        } catch (const std::system_error&) {
            return fail("gpu/out-of-memory", "the system has no thread for the plan's host nodes");
        }
    }
    return resources.clear_history(*one_off, *plan);
}

void ExecutorImpl::set_parameters(std::span<const std::byte> bytes) {
    if (bytes.empty() || std::memcmp(bytes.data(), parameters.data(), bytes.size()) == 0) return;
    if (setup && setup->has_other_parameters(bytes)) {
        setup->set_parameters(bytes);
        setup_is_due = true;
    }
    parameter_layout.for_differing_pushes(
        bytes, parameters, [&](std::uint32_t kernel) { ++generations[segment_of_kernel[kernel]]; });
    ++parameter_generation;
    std::ranges::copy(bytes, parameters.begin());
}

Result<void> ExecutorImpl::set_timings(Timings timings) {
    if (timings == options.timings) return {};
    if (setup)
        if (auto ok = setup->set_timings(timings); !ok) return ok;
    const Timings before = std::exchange(options.timings, timings);
    for (FrameSlot& slot : slots) {
        if (!slot.is_made()) continue;
        if (auto ok = create_queries(slot); !ok) {
            options.timings = before;
            return ok;
        }
    }
    for (std::uint64_t& generation : generations)
        ++generation;
    return {};
}

Result<void> ExecutorImpl::prepare(std::uint32_t index) {
    FrameSlot& slot = slots[index];
    if (!slot.is_made())
        if (auto ok = create_slot(index); !ok) return ok;
    if (auto ok = refresh_imports(index); !ok) return ok;
    const ScopedSpan uploading(options.timeline, span(HostWork::upload, submitted + 1));
    if (slot.parameter_generation != parameter_generation) {
        parameter_layout.write(parameters, slot.parameters);
        slot.parameter_generation = parameter_generation;
    }
    upload_layout.write(uploads, slot.uploads.bytes);
    std::ranges::fill(slot.marks.bytes, std::byte{0});
    return {};
}

void ExecutorImpl::count_execution(std::uint32_t index) {
    slots[index].execution = ++submitted;
    slots[index].timed = options.timings;
    last_used = index;
    ++rotation;
}

Result<void> ExecutorImpl::execute(std::span<const VkSemaphoreSubmitInfo> wait,
                                   std::span<const VkSemaphoreSubmitInfo> signal) {
    if (host_driven)
        return fail("gpu/host-driven",
                    "the host records this executor's executions into its own commands",
                    "make another executor for executions that Tuff submits");
    if (auto ok = host_failure(); !ok) return ok;
    const auto phase = static_cast<std::uint32_t>(rotation % resources.phases());
    if (submitted >= frames_in_flight())
        if (auto ok = wait_for(submitted + 1 - frames_in_flight()); !ok) return ok;
    const std::uint32_t index = choose_slot();
    if (auto ok = prepare(index); !ok) return ok;
    if (auto ok = record(index, phase); !ok) return ok;
    if (auto ok = run_setup(); !ok) return ok;
    // The graphics queue comes after what was submitted to it; other queues know nothing of that.
    const auto is_beside_main = [](const Submission& s) { return s.queue != Queue::graphics; };
    if (std::ranges::any_of(plan->submissions, is_beside_main))
        if (auto ok = wait_until_presented(); !ok) return ok;
    if (auto ok = submit(slots[index], phase, wait, signal); !ok) return with_loss(std::move(ok));
    count_execution(index);
    return {};
}

Result<void> ExecutorImpl::wait_for(std::uint64_t execution) const {
    auto done = wait_for_device(execution);
    return done ? host_failure() : done;
}

Result<void> ExecutorImpl::wait_for_device(std::uint64_t execution) const {
    auto done = [&] {
        const bool waits = execution > ended && !host_driven;
        const ScopedSpan waiting(waits ? options.timeline : nullptr,
                                 span(HostWork::wait, execution));
        if (host_thread) host_thread->wait_for(execution);
        return host_driven ? check_recordings() : submitter.wait_for(execution);
    }();
    if (!done) return with_loss(std::move(done));
    ended = std::max(ended, execution);
    note_ended();
    return done;
}

void ExecutorImpl::note_ended() const {
    if (!options.timeline) return;
    for (const FrameSlot& slot : slots) {
        if (slot.execution > ended || slot.noted == slot.execution || host_driven) continue;
        slot.noted = slot.execution;
        options.timeline->add(traced_execution(*this, slot));
    }
}

Result<void> ExecutorImpl::with_loss(Result<void> done) const {
    if (done) return done;
    for (Diagnostic& problem : done.error()) {
        if (problem.code != "gpu/device-lost") continue;
        for (const FrameSlot& slot : slots) {
            if (slot.execution <= ended || marks == MarkWriter::none) continue;
            const std::string text =
                marks == MarkWriter::checkpoints
                    ? Trail::text(*plan,
                                  Trail::read_checkpoints(*device, *plan, slot.checkpoints.get()))
                    : Trail::text(*plan, slot.marks.bytes);
            problem.message += fmt::format("; {} {}: {}", is_setup ? "constant work" : "execution",
                                           slot.execution, text);
        }
        if (const std::string fault = fault_text(*device); !fault.empty())
            problem.message += fmt::format("; the driver says: {}", fault);
    }
    return done;
}

Result<PoolSizes> ExecutorImpl::pool_needs() {
    PoolSizes needs;
    if (pool_readback.bytes() == 0) return needs;
    // The wait of the next execution, after which its slot is used again.
    if (!host_driven && submitted >= frames_in_flight())
        if (auto ok = wait_for(submitted + 1 - frames_in_flight()); !ok)
            return propagate(std::move(ok));
    for (FrameSlot& slot : slots) {
        if (slot.pools_read == slot.execution) continue;
        if (slot.execution > ended) {
            const Result<bool> has = host_driven ? has_ended(slot) : Result<bool>(false);
            if (!has) return std::unexpected(has.error());
            if (!*has) continue;
        }
        slot.pools_read = slot.execution;
        pool_readback.read(slot.pool_statuses.bytes, needs);
    }
    return needs;
}

Result<void> ExecutorImpl::submit(FrameSlot& slot, std::uint32_t phase,
                                  std::span<const VkSemaphoreSubmitInfo> wait,
                                  std::span<const VkSemaphoreSubmitInfo> signal) {
    const ScopedSpan submission(options.timeline, span(HostWork::submit, submitted + 1));
    if (options.timeline) slot.submitted_at = host_time();
    if (slot.queries && options.timings != Timings::off && host_resets_queries)
        device->vk.vkResetQueryPool(device->handle, slot.queries.get(), 0,
                                    TimestampLayout(*plan).count());
    const auto commands =
        std::span(slot.commands).subspan(command_index(phase, 0), cut.segments.size());
    if (!host_thread) return submitter.submit(submitted + 1, commands, wait, signal);
    host_thread->execute({.execution = submitted + 1,
                          .commands = commands,
                          .wait = {wait.begin(), wait.end()},
                          .signal = {signal.begin(), signal.end()}});
    // Whoever waits for the signals may need them to be under way, as presentation does.
    if (!wait.empty() || !signal.empty()) host_thread->wait_for(submitted + 1);
    return {};
}

Result<void> ExecutorImpl::record_for_host(VkCommandBuffer commands) {
    if (plan->submissions.size() > 1)
        return fail("gpu/plan-queues",
                    host_thread ? "the plan has host nodes, which a command buffer cannot wait for"
                                : "the plan has work for several queues, and a command buffer "
                                  "is for one",
                    host_thread ? "let Tuff submit it: Executor::execute"
                                : "compile it with CompileOptions::queues = QueueMode::one");
    if (!host_driven && submitted != 0)
        return fail("gpu/host-driven",
                    "this executor has submitted executions itself, so it cannot know when "
                    "those of the host end",
                    "make another executor for the host's commands");
    const auto phase = static_cast<std::uint32_t>(rotation % resources.phases());
    const auto index = static_cast<std::uint32_t>(submitted % frames_in_flight());
    FrameSlot& slot = slots[index];
    if (auto ok = prepare_recording(slot); !ok) return ok;
    if (auto ok = prepare(index); !ok) return ok;
    // Nobody tells when the timestamps are there.
    const Timings timings = std::exchange(options.timings, Timings::off);
    host_driven = true;
    const std::uint64_t setups = setup ? setup->submitted : 0;
    auto ok = record_execution(index, phase, commands);
    if (ok) return {};
    // What is not whole the host does not submit, and with it the constant work in it is gone.
    host_driven = submitted != 0;
    options.timings = timings;
    if (setup && setup->submitted != setups) {
        setup->drop_recording(timings);
        setup_is_due = true;
    }
    return ok;
}

void ExecutorImpl::drop_recording(Timings timings) {
    FrameSlot& slot = last_slot();
    slot.awaits_recording = false;
    slot.execution = submitted > frames_in_flight() ? submitted - frames_in_flight() : 0;
    --submitted;
    --rotation;
    --recordings;
    last_used =
        static_cast<std::uint32_t>((submitted + frames_in_flight() - 1) % frames_in_flight());
    host_driven = submitted != 0;
    options.timings = timings;
}

Result<void> ExecutorImpl::record_execution(std::uint32_t index, std::uint32_t phase,
                                            VkCommandBuffer commands) {
    FrameSlot& slot = slots[index];
    if (auto ok = run_setup(commands); !ok) return ok;
    slot.awaits_recording = false;
    auto ok =
        check(device->vk.vkResetEvent(device->handle, slot.recording_ended.get()), "vkResetEvent");
    if (!ok) return ok;
    const BoundResources bound_resources = bound(slot);
    const RecordSources sources = record_sources(index, phase, bound_resources);
    for (std::uint32_t segment = 0; segment < cut.segments.size(); ++segment) {
        Recorder recorder(sources, scratch[segment], commands);
        if (auto done = recorder.record(cut.segments[segment]); !done) return done;
    }
    device->vk.vkCmdSetEvent(commands, slot.recording_ended.get(),
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    slot.awaits_recording = true;
    ++recordings;
    count_execution(index);
    return {};
}

Result<void> ExecutorImpl::prepare_recording(FrameSlot& slot) const {
    if (!slot.recording_ended) {
        auto event = create_event(0);
        if (!event) return propagate(std::move(event));
        slot.recording_ended = std::move(*event);
    }
    const auto has = has_ended(slot);
    if (!has) return std::unexpected(has.error());
    if (*has) return {};
    return fail(
        "gpu/host-in-flight",
        fmt::format("recording {} begins, and recording {} has not finished", submitted + 1,
                    slot.execution),
        fmt::format("submit every recording, and wait for the one {} before", frames_in_flight()));
}

Result<bool> ExecutorImpl::has_ended(const FrameSlot& slot) const {
    if (!slot.recording_ended) return true;
    const VkResult status = device->vk.vkGetEventStatus(device->handle, slot.recording_ended.get());
    if (auto ok = check(status, "vkGetEventStatus"); !ok) return propagate(std::move(ok));
    return !slot.awaits_recording || status == VK_EVENT_SET;
}

Result<void> ExecutorImpl::check_recordings() const {
    for (const FrameSlot& slot : slots) {
        const auto has = has_ended(slot);
        if (!has) return std::unexpected(has.error());
        if (!*has)
            return fail("gpu/host-in-flight",
                        fmt::format("recording {} for the host has not finished", slot.execution),
                        "wait for the submission that it is in");
    }
    return {};
}

} // namespace tuff
