// Turns a triangle for a hundred frames and counts its pixels: hello_raster OUT.png
#include "hello_raster_shaders.hpp"

#include <tuff/graph.hpp>
#include <tuff/graph_runner.hpp>
#include <tuff/image.hpp>
#include <tuff/shader_library.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

using Bytes = std::vector<std::byte>;

std::shared_ptr<const Bytes> corners_at(float angle) {
    std::array<std::array<float, 2>, 3> corners{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const float turned = angle + 2.0944f * static_cast<float>(i); // a third of a turn
        corners[i] = {0.9f * std::cos(turned), 0.9f * std::sin(turned)};
    }
    Bytes bytes(sizeof corners);
    std::memcpy(bytes.data(), corners.data(), bytes.size());
    return std::make_shared<const Bytes>(std::move(bytes));
}

// The graph of a frame: bytes from the CPU, a draw, a picture and a number back.
tuff::GraphDesc frame(const tuff::ShaderLibrary& shaders, const tuff::Device& device, int number) {
    const float time = static_cast<float>(number) / 60.0f; // seconds
    tuff::Graph graph(shaders, device.caps());
    const tuff::Buffer corners =
        graph.upload(graph.buffer("corners", {.size = 24}), corners_at(time), "corners");
    tuff::Image picture =
        graph.image("picture", {.format = tuff::Format::rgba8_unorm, .extent = {256, 256, 1}});
    auto node = graph.raster("game/ship");
    node.read("corners", corners);
    node.set("paint", std::array{0.9f, 0.5f + 0.5f * std::sin(time), 0.2f});
    node.state().depth_test = false;
    picture = node.color(picture, tuff::cleared(0.05f, 0.05f, 0.1f, 1.0f));
    const tuff::Buffer pixels = node.count_samples(graph.buffer("pixels", {.size = 4}));
    node.draw({.count = 3});
    graph.output("picture", picture);
    graph.output("pixels", pixels);
    return std::move(graph).finish();
}

tuff::Result<void> play(const char* file) {
    auto device = tuff::Device::open({.select = tuff::default_device_selection()});
    if (!device) return tuff::propagate(std::move(device));
    tuff::ShaderLibrary shaders = tuff::ShaderLibrary::embedded();
    shaders.add_embedded(hello_raster::shaders()); // which CMake has compiled
    tuff::GraphRunner runner(*device);
    for (int number = 0; number < 100; ++number) {
        // Frames differ in uploads and parameters alone, so the first is compiled and no other.
        if (auto taken = runner.take(frame(shaders, *device, number), shaders); !taken)
            return taken;
        if (auto done = runner.executor()->execute(); !done) return done;
    }
    const auto bytes = runner.executor()->read_buffer("pixels");
    if (!bytes) return std::unexpected(bytes.error());
    std::uint32_t pixels = 0;
    std::memcpy(&pixels, bytes->data(), sizeof pixels);
    std::printf("%u pixels, %u compiled\n", pixels, runner.compilations());
    const auto picture = runner.executor()->read_image("picture");
    if (!picture) return std::unexpected(picture.error());
    return tuff::save_image(file, *picture);
}

int main(int argc, char** argv) {
    if (argc != 2) return std::fputs("usage: hello_raster OUT.png\n", stderr), 2;
    const auto played = play(argv[1]);
    if (!played) std::fprintf(stderr, "%s\n", tuff::to_string(played.error()).c_str());
    return played ? 0 : 1;
}
