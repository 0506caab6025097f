#include "apps/shared/device_jpeg.hpp"

#include "apps/shared/jpeg_file.hpp"

#include <tuff/graph.hpp>
#include <tuff/graph_runner.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tuff::cli {
namespace {

constexpr std::int64_t kQuality = 95;           // of `save_image`
constexpr std::string_view kSampling = "4:4:4"; // as well

struct EncodedPicture {
    std::string name;
    Image image;
};

/// Whether the pass takes it and the file is that of `save_image`, which encodes floats and says
/// what it cuts off of them.
bool can_be_encoded(const ImageDesc& desc) {
    const FormatInfo& format = info(desc.format);
    const bool stored = format.kind == NumericKind::unorm || format.kind == NumericKind::srgb;
    return desc.shape == ImageShape::d2 && desc.layers == 1 && desc.samples == 1 &&
           desc.extent.depth == 1 && stored && !format.depth && format.channels != 2 &&
           desc.extent.width <= kMaxImageSide && desc.extent.height <= kMaxImageSide;
}

std::vector<EncodedPicture> find_pictures(const GraphDesc& graph,
                                          const std::set<std::string>& outputs) {
    std::vector<EncodedPicture> pictures;
    for (const OutputDesc& output : graph.outputs) {
        const std::string name(graph.name(output.name));
        if (!output.reader && outputs.contains(name) &&
            graph.resource_of(output.version).is_image() &&
            can_be_encoded(graph.resource_of(output.version).image()))
            pictures.push_back({name, Image{output.version}});
    }
    return pictures;
}

/// Errors stand in the graph.
Buffer encode_picture(Graph& graph, const PassDescriptor& encoder, Image image) {
    const std::unique_ptr<PassInstance> pass = encoder.make();
    const auto keep = [&](const Result<void>& done) {
        if (done) return;
        for (const Diagnostic& diagnostic : done.error())
            graph.report(diagnostic);
    };
    if (const auto quality = encoder.find_parameter("quality"))
        keep(pass->set_parameter(*quality, kQuality));
    if (const auto sampling = encoder.find_parameter("sampling"))
        keep(pass->set_parameter(*sampling, std::string(kSampling)));
    if (const auto source = encoder.find_input("source"))
        keep(pass->set_input(*source, PortValue::of(image)));
    pass->build(graph);
    const auto file = encoder.find_output("file");
    const PortValue value = file ? pass->output(*file) : PortValue{};
    const Buffer* buffer = value.get<Buffer>();
    return buffer ? *buffer : Buffer{};
}

} // namespace

bool makes_jpegs(JpegMaker maker, const DeviceCaps& target) {
    if (maker != JpegMaker::automatic) return maker == JpegMaker::device;
    return target.type == DeviceType::discrete || target.type == DeviceType::integrated ||
           target.type == DeviceType::virtual_gpu;
}

std::string jpeg_output(std::string_view picture) {
    return std::string(picture) + "/jpeg";
}

ConfiguredGraph with_jpegs(ConfiguredGraph built, const std::set<std::string>& outputs,
                           const PassRegistry& registry, const ShaderInterfaces& shaders,
                           const DeviceCaps& target, const PoolSizes& pools) {
    const std::vector<EncodedPicture> pictures = find_pictures(built.graph, outputs);
    const PassDescriptor* encoder = pictures.empty() ? nullptr : registry.find("jpeg/encode");
    if (!encoder) return built; // the library does it
    Graph graph(std::move(built.graph), shaders);
    graph.set_target(target);
    graph.set_pools(pools);
    for (const EncodedPicture& picture : pictures) {
        graph.push_scope(jpeg_output(picture.name));
        const Buffer file = encode_picture(graph, *encoder, picture.image);
        graph.pop_scope();
        graph.output(jpeg_output(picture.name), file);
    }
    built.graph = std::move(graph).finish();
    return built;
}

Result<std::vector<std::byte>> encode_jpeg(Device& device, const PassRegistry& registry,
                                           const ShaderLibrary& shaders, const HostImage& picture) {
    const ImageDesc desc{.format = picture.format, .extent = picture.extent};
    const PassDescriptor* encoder = registry.find("jpeg/encode");
    if (!encoder || picture.empty() || !can_be_encoded(desc))
        return fail("cli/not-jpeg", "the device cannot encode this picture as JPEG",
                    "save_image makes one");
    const auto texels = std::make_shared<const std::vector<std::byte>>(picture.texels);
    GraphRunner runner(device);
    // A second time where the file was longer than there was room for.
    for (int attempt = 0; attempt < 2; ++attempt) {
        Graph graph(shaders);
        graph.set_target(device.caps());
        graph.set_pools(runner.pools());
        graph.output(
            "file", encode_picture(graph, *encoder, graph.constant_image("picture", desc, texels)));
        auto done = runner.take(std::move(graph).finish(), shaders);
        if (done) done = runner.executor()->execute();
        if (done) done = runner.executor()->wait();
        if (!done) return propagate(std::move(done));
        auto grown = runner.grow_pools();
        if (!grown) return propagate(std::move(grown));
        if (!grown->empty()) continue;
        const auto buffer = runner.executor()->read_buffer("file");
        if (!buffer) return std::unexpected(buffer.error());
        const auto file = find_jpeg(*buffer);
        if (!file) return std::unexpected(file.error());
        return std::vector<std::byte>(file->bytes.begin(), file->bytes.end());
    }
    return fail("cli/not-jpeg", "there was no room for the JPEG file", "save_image makes one");
}

} // namespace tuff::cli
