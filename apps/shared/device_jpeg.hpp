#pragma once

#include <tuff/config.hpp>
#include <tuff/device_caps.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

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

} // namespace tuff::cli
