#include "model/model_config.hpp"

#include <fmt/format.h>
#include <json/value.h>
#include <json/writer.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <system_error>

namespace tuff::viewer {
namespace fs = std::filesystem;

bool is_model(const fs::path& file) {
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::array kModels = {".gltf", ".glb", ".obj", ".ply", ".off"};
    return std::ranges::find(kModels, extension) != kModels.end();
}

std::string config_of_model(const fs::path& model) {
    Json::Value root;
    root["tuff"] = 1;
    root["description"] = model.filename().string();
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
    Json::Value& display = root["nodes"]["display"];
    display["pass"] = "image/tonemap";
    display["in"]["source"] = "view.color";
    root["outputs"]["picture"]["from"] = "display.result";
    return Json::writeString(Json::StreamWriterBuilder(), root);
}

Result<fs::path> config_for(const fs::path& file, const fs::path& folder) {
    if (!is_model(file)) return file;
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path whole = fs::absolute(file, error);
    const fs::path config = folder / (whole.stem().string() + ".json");
    std::ofstream stream(config, std::ios::binary);
    stream << config_of_model(whole) << '\n';
    if (!stream.flush())
        return fail(
            "viewer/unwritable",
            fmt::format("cannot write '{}', the config that draws the model", config.string()),
            "set TUFF_CACHE_DIR to a folder that may be written to");
    return config;
}

fs::path free_name(const fs::path& folder, const std::string& stem, const std::string& extension) {
    std::error_code error;
    for (int number = 1;; ++number) {
        fs::path file = folder / fmt::format("{}-{:03}{}", stem, number, extension);
        if (!fs::exists(file, error)) return file;
    }
}

} // namespace tuff::viewer
