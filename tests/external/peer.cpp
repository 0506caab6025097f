// The other program of tests/gpu/engine/external_process_test.cpp: external_peer SOCKET
//
// It opens the buffer that it is sent, exports one of its own, and adds up to there what it finds.

#include "tests/common/word_kernels.hpp"
#include "tests/external/messages.hpp"

#include <tuff/graph.hpp>
#include <tuff/shader_library.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace tuff;
using test::Order;

// As the tests' own device: see tests/gpu/gpu_fixture.hpp.
#ifdef __SANITIZE_THREAD__
constexpr bool kPeerValidation = false;
#else
constexpr bool kPeerValidation = true;
#endif

template <typename T>
T taken(Result<T> result) {
    if (result) return std::move(*result);
    std::fprintf(stderr, "external_peer: %s\n", to_string(result.error()).c_str());
    std::exit(1);
}
void done(const Result<void>& result) {
    if (result) return;
    std::fprintf(stderr, "external_peer: %s\n", to_string(result.error()).c_str());
    std::exit(1);
}

template <typename Info>
test::Received<Info> next(int socket) {
    auto received = test::receive_message<Info>(socket);
    if (received) return std::move(*received);
    std::fputs("external_peer: the other program has ended\n", stderr);
    std::exit(1);
}

/// A graph that adds `given` to a buffer of its own that grows by `given`, too: the n-th execution
/// makes the sum of all n.
Graph adding(const ShaderLibrary& shaders, const Device& device, const BufferDesc& desc) {
    Graph g(shaders);
    g.set_target(device.caps());
    const Buffer given = g.import_buffer("given", desc, external_state());
    const BufferHistory total = g.history_buffer("total", desc, 1);
    const Buffer next = test::sum(g, total.previous[0], given, total.current);
    (void)g.copy(next, g.import_buffer("made", desc, external_state()));
    return g;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fputs("usage: external_peer SOCKET\n", stderr), 2;
    const int socket = std::atoi(argv[1]);
    std::size_t messages = 0;
    {
        auto device = taken(
            Device::open({.select = default_device_selection(), .validation = kPeerValidation}));
        ShaderLibrary shaders;
        shaders.set_cache_directory(TUFF_TEST_OUTPUT_DIR "/shader-cache");
        done(shaders.add_directory(TUFF_TEST_SOURCE_DIR "/tests/gpu/shaders"));

        auto sent = next<ExternalBufferInfo>(socket);
        auto given = taken(ExternalBuffer::open(device, sent.info, std::move(sent.descriptor)));
        auto made = taken(ExternalBuffer::create(device, sent.info.desc));
        std::optional<ExternalSemaphore> before, after;
        if (external_caps(device).binary_semaphores) {
            auto told = next<ExternalSemaphoreInfo>(socket);
            before = taken(ExternalSemaphore::open(device, told.info, std::move(told.descriptor)));
            after = taken(ExternalSemaphore::create(device, SemaphoreKind::binary));
        }
        auto plan = taken(compile(adding(shaders, device, sent.info.desc).finish(), device));
        auto executor =
            taken(Executor::create(device, shaders, std::make_shared<const Plan>(std::move(plan))));
        done(bind_import(executor, "given", given));
        done(bind_import(executor, "made", made));
        test::send_message(socket, made.info(), taken(made.export_memory()).get());
        if (after)
            test::send_message(socket, after->info(), taken(after->export_semaphore()).get());

        for (Order order; (order = next<Order>(socket).info) != Order::end;) {
            if (order == Order::die) std::raise(SIGKILL);
            ExternalUse use{.resources = {&given, &made}};
            if (order == Order::wait) {
                use.wait = {{.semaphore = &*before}};
                use.signal = {{.semaphore = &*after}};
            }
            done(execute(executor, use));
            test::send_message(socket, order);
        }
        done(executor.wait());
        for (const std::string& message : device.validation_messages()) {
            std::fprintf(stderr, "external_peer: %s\n", message.c_str());
            ++messages;
        }
    }
    return messages == 0 ? 0 : 1;
}
