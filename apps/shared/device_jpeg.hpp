#pragma once

#include <tuff/config.hpp>
#include <tuff/device.hpp>
#include <tuff/device_caps.hpp>
#include <tuff/image.hpp>
#include <tuff/pass.hpp>
#include <tuff/shader_library.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// JPEG files that the device makes of pictures which a config hands out.
namespace tuff::cli {

/// Who makes the JPEG files of pictures.
enum class JpegMaker : std::uint8_t {
    automatic, ///< GPUs themselves, the library for software devices
    device,
    library,
};

bool makes_jpegs(JpegMaker maker, const DeviceCaps& target);

/// The output that has the JPEG file of a picture which is also an output.
std::string jpeg_output(std::string_view picture);

/// The same graph with the JPEG files of these of its outputs, made by jpeg/encode as `save_image`
/// makes them: quality 95, chroma of each pixel. Pictures that `save_image` changes first, of
/// floats for example, have none.
ConfiguredGraph with_jpegs(ConfiguredGraph built, const std::set<std::string>& outputs,
                           const PassRegistry& registry, const ShaderInterfaces& shaders,
                           const DeviceCaps& target, const PoolSizes& pools);

/// The JPEG file of a picture that the host has, made in the same way. `shaders`: with the kernels
/// of `registry`'s passes. Errors: cli/not-jpeg where `save_image` changes the picture first, where
/// there is no jpeg/encode, or no room for what it makes; those of building and running a graph.
Result<std::vector<std::byte>> encode_jpeg(Device& device, const PassRegistry& registry,
                                           const ShaderLibrary& shaders, const HostImage& picture);

} // namespace tuff::cli
