// Runs a config that uses a pass of this program's own: first_pass CONFIG.json
#include "vignette.hpp"

#include <tuff/config.hpp>
#include <tuff/device.hpp>
#include <tuff/executor.hpp>
#include <tuff/image.hpp>
#include <tuff/shader_library.hpp>

#include <first_pass_shaders.hpp>
#include <passes/registry.hpp>

#include <cstdio>

namespace {

tuff::Result<void> run(const char* file) {
    tuff::PassRegistry registry = tuff::passes::make_registry();
    registry.add<Vignette>();
    tuff::ShaderLibrary shaders = tuff::passes::make_shaders();
    shaders.add_embedded(first_pass::shaders());

    auto config = tuff::Config::load(file, registry);
    if (!config) return tuff::propagate(std::move(config));
    tuff::AssetCache assets;
    auto built = config->build(shaders, assets);
    if (!built) return tuff::propagate(std::move(built));

    auto device = tuff::Device::open();
    if (!device) return tuff::propagate(std::move(device));
    const auto memory = tuff::memory_model(*device);
    auto plan = tuff::compile(built->graph, device->caps(), {.memory = memory.get()});
    if (!plan) return tuff::propagate(std::move(plan));
    auto executor = tuff::Executor::create(*device, shaders,
                                           std::make_shared<const tuff::Plan>(std::move(*plan)));
    if (!executor) return tuff::propagate(std::move(executor));

    if (auto done = executor->execute(); !done) return done;
    for (const tuff::ConfiguredOutput& output : built->outputs) {
        auto image = executor->read_image(output.name);
        if (!image) return tuff::propagate(std::move(image));
        if (auto saved = tuff::save_image(output.file, *image); !saved) return saved;
    }
    return {};
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: first_pass CONFIG.json\n", stderr);
        return 2;
    }
    if (const auto done = run(argv[1]); !done) {
        std::fprintf(stderr, "%s\n", tuff::to_string(done.error()).c_str());
        return 1;
    }
    return 0;
}
