// Blurs a picture: hello_graph IN.png OUT.png
#include <tuff/image.hpp>
#include <tuff/run.hpp>
#include <tuff/shader_library.hpp>

#include <passes/image/gaussian.hpp>
#include <passes/registry.hpp>

#include <cstdio>

tuff::Result<tuff::HostImage> blurred(tuff::HostImage picture) {
    auto device = tuff::Device::open();
    if (!device) return tuff::propagate(std::move(device));
    const tuff::ShaderLibrary shaders = tuff::passes::make_shaders();

    tuff::Graph graph(shaders, device->caps());
    const tuff::Image source = graph.constant_image(
        "source", {.format = picture.format, .extent = picture.extent},
        std::make_shared<const std::vector<std::byte>>(std::move(picture.texels)));
    const tuff::Image soft =
        graph.add(tuff::passes::Gaussian{.source = source, .sigma = 3.0f}).result;
    graph.output("soft", soft);

    auto run = tuff::Run::start(*device, shaders, std::move(graph));
    if (!run) return tuff::propagate(std::move(run));
    if (auto done = run->execute(); !done) return tuff::propagate(std::move(done));
    return run->read_image("soft");
}

tuff::Result<void> blur_file(const char* from, const char* to) {
    auto picture = tuff::load_image(from);
    if (!picture) return tuff::propagate(std::move(picture));
    auto soft = blurred(std::move(*picture));
    if (!soft) return tuff::propagate(std::move(soft));
    return tuff::save_image(to, *soft);
}

int main(int argc, char** argv) {
    if (argc != 3) return std::fputs("usage: hello_graph IN.png OUT.png\n", stderr), 2;
    const auto done = blur_file(argv[1], argv[2]);
    if (!done) std::fprintf(stderr, "%s\n", tuff::to_string(done.error()).c_str());
    return done ? 0 : 1;
}
