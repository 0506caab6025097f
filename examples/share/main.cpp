// Two programs that share a picture on the GPU: share OUT.png
//
// The first draws a dive into the Mandelbrot set. The second blurs each frame from where the first
// has drawn it, and saves the last.

#include "messages.hpp"

#include <tuff/external_memory.hpp>
#include <tuff/image.hpp>
#include <tuff/run.hpp>
#include <tuff/shader_library.hpp>

#include <passes/image/gaussian.hpp>
#include <passes/image/mandelbrot.hpp>
#include <passes/registry.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

using namespace tuff;

constexpr int kFrames = 10;
constexpr ImageDesc kPicture{.format = Format::rgba16_sfloat, .extent = {640, 360}};

/// What the programs tell each other: a frame is there, and it has been used.
struct FrameMessage {
    int frame = 0;
};

Graph dive(const ShaderLibrary& shaders, const Device& device, int frame) {
    Graph graph(shaders, device.caps());
    passes::Mandelbrot picture{.width = kPicture.extent.width, .height = kPicture.extent.height};
    picture.center = {-0.7436f, 0.1318f};
    picture.size = 2.5f / static_cast<float>(1 << frame);
    const Image shared = graph.import_image("shared", kPicture, external_state(Layout::general));
    (void)graph.copy(graph.add(picture).result, shared);
    return graph;
}

Result<void> draw(int socket) {
    auto device = Device::open({.select = default_device_selection()});
    if (!device) return propagate(std::move(device));
    const ShaderLibrary shaders = passes::make_shaders();
    auto picture = ExternalImage::create(*device, kPicture);
    if (!picture) return propagate(std::move(picture));
    auto memory = picture->export_memory();
    if (!memory) return propagate(std::move(memory));
    send(socket, picture->info(), memory->get());

    auto run = Run::start(*device, shaders, dive(shaders, *device, 0));
    if (!run) return propagate(std::move(run));
    for (int frame = 0; frame < kFrames; ++frame) {
        if (auto ok = run->change(dive(shaders, *device, frame)); !ok) return ok;
        if (auto ok = bind_import(run->executor(), "shared", *picture); !ok) return ok;
        if (auto ok = execute(run->executor(), {.resources = {&*picture}}); !ok) return ok;
        send(socket, FrameMessage{frame});
        if (!receive<FrameMessage>(socket))
            return fail("share/ended", "the other program has ended");
    }
    return {};
}

Result<void> blur(int socket, const char* file) {
    auto device = Device::open({.select = default_device_selection()});
    if (!device) return propagate(std::move(device));
    const ShaderLibrary shaders = passes::make_shaders();
    auto sent = receive<ExternalImageInfo>(socket);
    if (!sent) return {}; // the other program says why
    const ExternalImageInfo info = sent->first;
    auto picture = ExternalImage::open(*device, info, std::move(sent->second));
    if (!picture) return propagate(std::move(picture));

    Graph graph(shaders, device->caps());
    const Image shared = graph.import_image("shared", info.desc, external_state(info.layout));
    graph.output("soft", graph.add(passes::Gaussian{.source = shared, .sigma = 3.0f}).result);
    auto run = Run::start(*device, shaders, std::move(graph));
    if (!run) return propagate(std::move(run));
    if (auto ok = bind_import(run->executor(), "shared", *picture); !ok) return ok;
    int frames = 0;
    for (; receive<FrameMessage>(socket); ++frames) {
        if (auto ok = execute(run->executor(), {.resources = {&*picture}}); !ok) return ok;
        send(socket, FrameMessage{frames});
    }
    auto soft = run->read_image("soft");
    if (!soft) return propagate(std::move(soft));
    std::printf("%d frames of %ux%u\n", frames, soft->extent.width, soft->extent.height);
    return save_image(file, *soft);
}

int main(int argc, char** argv) {
    if (argc != 2) return std::fputs("usage: share OUT.png\n", stderr), 2;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return std::perror("share"), 1;
    const pid_t first = fork(); // before there is a device
    close(ends[first == 0 ? 1 : 0]);
    const auto done = first == 0 ? draw(ends[0]) : blur(ends[1], argv[1]);
    if (!done) std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
    if (first == 0) return done ? 0 : 1;
    int status = 0;
    close(ends[1]);
    waitpid(first, &status, 0);
    return done && status == 0 ? 0 : 1;
}
