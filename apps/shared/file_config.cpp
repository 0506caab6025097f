#include "apps/shared/file_config.hpp"

#include <tuff/file_kinds.hpp>

#include <json/value.h>
#include <json/writer.h>

#include <system_error>

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

} // namespace

std::optional<FileConfig> config_of_file(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(file, error);
    if (error) whole = file;
    if (is_model_file(file)) return FileConfig{model_config(whole), "view.color"};
    if (is_image_file(file)) return FileConfig{picture_config(whole), "file"};
    return std::nullopt;
}

} // namespace tuff::cli
