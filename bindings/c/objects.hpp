#pragma once

#include "modules.hpp"

#include <tuff/asset_cache.hpp>
#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>
#include <tuff/shader_library.hpp>
#include <tuff/tuff.h>
#include <tuff/vulkan.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tuff::c {

/// What a host has bound to an input, which an executor that is made anew has to be told again.
struct Import {
    std::variant<ImportedImage, ImportedBuffer> resource;
    bool described = false; ///< by more than its handle
};

} // namespace tuff::c

/// What the handles of the C interface point to.

struct tuff_diagnostics {
    tuff::Diagnostics all;
    std::string text;
};

struct tuff_device {
    tuff::Device device;
    tuff::ShaderLibrary shaders{tuff::c::modules()};
    mutable std::vector<std::string> messages = {}; ///< when they were last counted
};

struct tuff_config {
    std::unique_ptr<tuff::PassRegistry> registry; ///< behind a pointer, for `config` refers to it
    tuff::Config config;
    std::uint64_t changes = 0; ///< counts what has been set
};

/// A config's graph on a device.
struct tuff_graph {
    tuff_graph(tuff_device& its_device, tuff_config& its_config)
        : device(&its_device), config(&its_config),
          runner(its_device.device, {.keep_until_replaced = true}) {}

    /// Brings the executor to a frame, and gives it the host's imports.
    tuff::Result<void> prepare(const tuff_frame& frame);
    /// Keeps what an input holds from the next execution on. Errors: those of Config::set_contents.
    tuff::Result<void> write(const char* input,
                             std::variant<tuff::ImageDesc, tuff::BufferDesc> desc,
                             const void* bytes, std::size_t size);
    /// The config with the contents of its inputs.
    tuff::Result<tuff::Config> filled_config() const;
    /// Error: c/not-executed where inputs are still open.
    tuff::Result<tuff::Executor*> executor();
    /// Room that executions lacked; pools that grew want another graph.
    tuff::Result<void> grow_pools();

    tuff_device* device;
    tuff_config* config;
    tuff::AssetCache assets;
    tuff::GraphRunner runner;
    std::optional<tuff_frame> built_for; ///< what the executor's parameters are of, and ...
    std::optional<tuff_frame> executed;  ///< the last one
    std::uint64_t changes = 0;           ///< ... of which state of the config
    tuff::Diagnostics
        news; ///< pools that grew, histories that began again, for tuff_graph_warnings
    std::vector<std::string> outputs;
    std::map<std::string, tuff::c::Import> imports;       ///< by input
    std::map<std::string, tuff::ConfigContents> contents; ///< by input
    bool has_new_contents = false;
};

namespace tuff::c {

/// Hands diagnostics out through `why`, if the caller wants them.
void tell(tuff_diagnostics** why, Diagnostics diagnostics);

/// Runs `work`, which returns a Result, and turns it into what C expects: `failed` where it fails
/// or throws.
template <typename T, typename Work>
T guarded(tuff_diagnostics** why, T failed, Work&& work) {
    try {
        auto result = work();
        if (result) return *std::move(result);
        tell(why, std::move(result.error()));
    } catch (const std::exception& error) { // out of memory
        try {
            tell(why, {{.code = "c/internal-error", .message = error.what()}});
        } catch (...) {
        }
    }
    return failed;
}

std::unexpected<Diagnostics> null_argument(const char* names);

/// A frame of the caller's.
inline FrameTime frame_time(const tuff_frame& frame) {
    return {.frame = frame.index, .time = frame.time, .dt = frame.step};
}

} // namespace tuff::c
