#include "apps/shared/file_config.hpp"

#include <tuff/file_kinds.hpp>
#include <tuff/volume.hpp>

#include <json/reader.h>
#include <json/value.h>
#include <json/writer.h>
#include <shared_files.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
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

void set_default(Json::Value& root, const char* name, const Json::Value& value) {
    root["params"][name]["default"] = value;
}

template <typename Values>
Json::Value list_of(const Values& values) {
    Json::Value list(Json::arrayValue);
    for (const double value : values)
        list.append(value);
    return list;
}

/// The config that is embedded, comments skipped.
Json::Value volume_template() {
    const std::string_view text = shared_files::volume_view_json();
    const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
    Json::Value root;
    reader->parse(text.data(), text.data() + text.size(), &root, nullptr);
    return root;
}

/// Which slices there are, the middle ones first.
void set_slices(Json::Value& root, const Extent& extent) {
    const std::array<std::pair<const char*, std::uint32_t>, 3> counts = {
        {{"slice_x", extent.width}, {"slice_y", extent.height}, {"slice_z", extent.depth}}};
    for (const auto& [name, count] : counts) {
        set_default(root, name, count / 2);
        root["params"][name]["range"].append(0);
        root["params"][name]["range"].append(count - 1);
    }
}

std::string volume_config(const std::filesystem::path& file, const Volume& volume) {
    const Extent extent = volume.image.extent;
    if (extent.depth == 1) {
        Json::Value root = frame_of(file);
        root["assets"]["file"]["volume"] = file.string();
        add_display(root, "file", "none");
        return Json::writeString(Json::StreamWriterBuilder(), root);
    }
    Json::Value root = volume_template();
    root["description"] = file.filename().string();
    root["assets"]["file"]["volume"] = file.string();
    const std::array<double, 3>& spacing = volume.geometry.spacing;
    const std::array<double, 3> edges = {extent.width * spacing[0], extent.height * spacing[1],
                                         extent.depth * spacing[2]};
    set_slices(root, extent);
    set_default(root, "spacing", list_of(spacing));
    if (volume.geometry.anatomical) {
        set_default(root, "up", "z");
        set_default(root, "upwards", true);
        set_default(root, "oblique_up", list_of(std::array{0.0, 0.0, 1.0}));
        set_default(root, "azimuth", 150); // from the front, a little from the side
    }
    const auto [low, high] = range_of(volume.image);
    set_default(root, "low", static_cast<double>(low));
    set_default(root, "high", static_cast<double>(high));
    set_default(root, "transfer",
                list_of(grey_transfer(static_cast<double>(low), static_cast<double>(high))));
    // Opacities are given for a 256th of the longest edge, so that volumes of any size look alike.
    set_default(root, "unit",
                *std::ranges::max_element(edges) / *std::ranges::min_element(spacing) / 256.0);
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

std::vector<double> grey_transfer(double low, double high) {
    const auto at = [&](double share) { return low + share * (high - low); };
    return {at(0.0), 0.0, 0.0,     0.0, 0.0, at(0.15), 0.15, 0.15,
            0.15,    0.0, at(1.0), 1.0, 1.0, 1.0,      0.1};
}

} // namespace tuff::cli
