#include "apps/shared/file_config.hpp"

#include <tuff/file_kinds.hpp>
#include <tuff/volume.hpp>

#include <json/value.h>
#include <json/writer.h>
#include <shared_files.hpp>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace tuff::cli {
namespace {

Json::Value frame_of(const std::filesystem::path& file) {
    Json::Value root;
    root["tuff"] = 1;
    root["description"] = file.filename().string();
    return root;
}

/// A value that --set changes, and what the viewer makes a slider of.
void add_exposure(Json::Value& root) {
    Json::Value& exposure = root["params"]["exposure"];
    exposure["default"] = 0;
    exposure["range"].append(-32);
    exposure["range"].append(32);
    exposure["doc"] = "stops";
}

void add_display(Json::Value& root, const char* source, const char* curve) {
    add_exposure(root);
    Json::Value& display = root["nodes"]["display"];
    display["pass"] = "image/tonemap";
    display["in"]["source"] = source;
    display["params"]["exposure"] = "$exposure";
    display["params"]["operator"] = curve;
    root["outputs"]["picture"]["from"] = "display.result";
}

std::string model_config(const std::filesystem::path& model) {
    Json::Value root = frame_of(model);
    root["size"].append(1280);
    root["size"].append(720);
    Json::Value part;
    part["model"] = model.string();
    root["assets"]["model"]["scene"].append(part);
    Json::Value& view = root["nodes"]["view"];
    view["pass"] = "scene/mesh_raster";
    view["in"]["scene"] = "model";
    view["params"]["width"] = "$width";
    view["params"]["height"] = "$height";
    view["params"]["camera"]["mode"] = "orbit";
    add_display(root, "view.color", "aces");
    return Json::writeString(Json::StreamWriterBuilder(), root);
}

/// No curve: what the file says is shown, and --set display.operator=aces bends it.
std::string picture_config(const std::filesystem::path& picture) {
    Json::Value root = frame_of(picture);
    root["assets"]["file"]["image"] = picture.string();
    root["assets"]["file"]["srgb"] = true; // which concerns files of 8 bits alone
    add_display(root, "file", "none");
    return Json::writeString(Json::StreamWriterBuilder(), root);
}

/// The finite values of the first channel.
std::pair<float, float> range_of(const HostImage& image) {
    std::pair<float, float> range = {0.0F, 0.0F};
    bool found = false;
    for (std::uint32_t z = 0; z < image.extent.depth; ++z)
        for (std::uint32_t y = 0; y < image.extent.height; ++y)
            for (std::uint32_t x = 0; x < image.extent.width; ++x) {
                const float value = image.texel(x, y, z)[0];
                if (!std::isfinite(value)) continue;
                range.first = found ? std::min(range.first, value) : value;
                range.second = found ? std::max(range.second, value) : value;
                found = true;
            }
    if (range.first == range.second) range.first -= 1.0F; // of one value: all of it is dense
    return range;
}

/// The kernel, for the kind of numbers that the texels are.
std::string volume_kernel(Format format) {
    constexpr std::string_view kSampler = "sampler3D";
    std::string text(shared_files::volume_view_comp());
    const NumericKind kind = info(format).kind;
    const char* prefix = kind == NumericKind::uint ? "u" : kind == NumericKind::sint ? "i" : "";
    return text.insert(text.find(kSampler), prefix);
}

void add_parameter(Json::Value& root, const char* name, double value, const char* doc) {
    root["params"][name]["default"] = value;
    root["params"][name]["doc"] = doc;
    root["nodes"]["view"]["params"][name] = std::string("$") + name;
}

std::string volume_config(const std::filesystem::path& file, const Volume& volume) {
    Json::Value root = frame_of(file);
    root["assets"]["file"]["volume"] = file.string();
    const Extent extent = volume.image.extent;
    if (extent.depth == 1) {
        add_display(root, "file", "none");
        return Json::writeString(Json::StreamWriterBuilder(), root);
    }
    root["size"].append(1280);
    root["size"].append(720);
    Json::Value& view = root["nodes"]["view"];
    view["glsl"] = volume_kernel(volume.image.format);
    view["in"]["source"] = "file";
    view["out"]["result"]["size"].append("$width");
    view["out"]["result"]["size"].append("$height");
    const std::array<double, 3>& spacing = volume.geometry.spacing;
    const std::array<double, 3> edges = {extent.width * spacing[0], extent.height * spacing[1],
                                         extent.depth * spacing[2]};
    for (const double edge : edges)
        view["params"]["box"].append(edge / *std::ranges::max_element(edges));
    view["params"]["up"] = volume.geometry.anatomical ? 2 : 1;
    const auto [low, high] = range_of(volume.image);
    add_parameter(root, "low", static_cast<double>(low), "the value that is empty");
    add_parameter(root, "high", static_cast<double>(high), "the value that is white and dense");
    add_parameter(root, "density", 12, "extinction of the highest value along the longest edge");
    add_parameter(root, "azimuth", 30, "of the camera, degrees");
    add_parameter(root, "elevation", 20, "of the camera, degrees");
    add_parameter(root, "zoom", 1, "of the camera");
    add_parameter(root, "projection", 0, "0: mist, 1: the highest value of each ray");
    add_display(root, "view.result", "none");
    return Json::writeString(Json::StreamWriterBuilder(), root);
}

/// Of an array of NumPy its shape decides: a picture has two axes, and channels at most.
bool may_be_volume(const std::filesystem::path& file) {
    const std::filesystem::path extension = file.extension();
    return (is_volume_file(file) && extension != ".raw" && extension != ".bin") ||
           extension == ".nhdr" || (extension == ".npy" && !load_image(file));
}

} // namespace

std::optional<FileConfig> config_of_file(const std::filesystem::path& file,
                                         const std::vector<std::filesystem::path>& confined_to) {
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(file, error);
    if (error) whole = file;
    if (is_model_file(file)) return FileConfig{model_config(whole), "view.color"};
    if (may_be_volume(file)) {
        const auto volume = load_volume(whole, {.confined_to = confined_to});
        const bool is_picture = !volume && is_image_file(file); // and its own errors are told
        if (!is_picture)
            return FileConfig{volume_config(whole, volume ? *volume : Volume{}), "file"};
    }
    if (is_image_file(file)) return FileConfig{picture_config(whole), "file"};
    return std::nullopt;
}

} // namespace tuff::cli
