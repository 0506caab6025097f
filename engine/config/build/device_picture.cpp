// Pictures whose files a pass decodes.

#include "config/build/asset_loading.hpp"
#include "scene/files.hpp"

#include <tuff/image.hpp>

#include <fmt/format.h>

namespace tuff {
namespace {

using FileBytes = std::shared_ptr<const std::vector<std::byte>>;

/// The pass with the file as its first input.
std::unique_ptr<PassInstance> add_decoder(Graph& graph, const PassDescriptor& decoder,
                                          const FileBytes& bytes) {
    std::unique_ptr<PassInstance> pass = decoder.make();
    const Buffer file = graph.constant_buffer("file", {.size = bytes->size()}, bytes);
    if (auto set = pass->set_input(0, PortValue::of(file)); !set)
        for (const Diagnostic& diagnostic : set.error())
            graph.report(diagnostic);
    pass->build(graph);
    return pass;
}

/// What the pass has against the file.
Diagnostics refusal(const PassDescriptor& decoder, const FileBytes& bytes,
                    const ShaderInterfaces& shaders) {
    Graph trial(shaders);
    add_decoder(trial, decoder, bytes);
    Diagnostics found;
    for (const Diagnostic& diagnostic : trial.peek().diagnostics)
        if (diagnostic.severity == Severity::error) found.push_back(diagnostic);
    return found;
}

} // namespace

Result<DevicePicture> load_device_picture(const AssetSpec& spec, const AssetFolders& folders,
                                          AssetCache& cache, const PassDescriptor& decoder,
                                          const ShaderInterfaces& shaders) {
    const auto files = files_of(spec, folders);
    if (!files) return std::unexpected(files.error());
    const std::string key = fmt::format("bytes:{}", files->front().string());
    auto bytes = cache.get<std::vector<std::byte>>(
        key, *files, [&] { return read_file(files->front(), "image", kMaxImageBytes); });
    if (!bytes) return propagate(std::move(bytes));
    if (Diagnostics refused = refusal(decoder, *bytes, shaders); !refused.empty()) {
        AssetSpec by_library = spec;
        by_library.on_device = false;
        auto loaded = load_asset(by_library, folders, cache);
        if (!loaded) return propagate(std::move(loaded));
        return DevicePicture{.asset = std::move(*loaded), .refused = std::move(refused)};
    }
    return DevicePicture{
        .asset = {.key = key,
                  .add =
                      [&decoder, bytes = *bytes](Graph& graph, std::string_view name) {
                          graph.push_scope(name);
                          const auto pass = add_decoder(graph, decoder, bytes);
                          graph.pop_scope();
                          return pass->output(0);
                      },
                  .files = *files}};
}

} // namespace tuff
