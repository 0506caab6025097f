#include "model/settings.hpp"

#include <fmt/format.h>
#include <json/reader.h>
#include <json/value.h>
#include <json/writer.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

namespace tuff::viewer {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kLeastSide = 320, kMaxSide = 16384;

fs::path folder_from(const char* variable, const char* below) {
    const char* value = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): at start only
    return value && *value ? fs::path(value) / below : fs::path();
}

void read_side(const Json::Value& value, std::uint32_t& side) {
    if (value.isUInt() && value.asUInt() >= kLeastSide && value.asUInt() <= kMaxSide)
        side = value.asUInt();
}

void read_share(const Json::Value& value, float& share) {
    if (value.isNumeric() && value.asFloat() > 0.0f && value.asFloat() < 1.0f)
        share = value.asFloat();
}

void read_flag(const Json::Value& value, bool& flag) {
    if (value.isBool()) flag = value.asBool();
}

} // namespace

fs::path settings_file() {
    for (const fs::path& folder :
         {folder_from("TUFF_CONFIG_DIR", ""), folder_from("XDG_CONFIG_HOME", "tuff"),
          folder_from("HOME", ".config/tuff")})
        if (!folder.empty()) return folder / "viewer.json";
    return {};
}

Settings load_settings(const fs::path& file) {
    Settings settings;
    std::ifstream stream(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    Json::CharReaderBuilder builder;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value root;
    if (!reader->parse(text.data(), text.data() + text.size(), &root, nullptr) || !root.isObject())
        return settings;
    read_side(root["width"], settings.width);
    read_side(root["height"], settings.height);
    read_flag(root["mark_faults"], settings.mark_faults);
    read_flag(root["show_pass_parameters"], settings.show_pass_parameters);
    read_flag(root["logarithmic"], settings.logarithmic);
    if (root["panels"].isObject()) {
        read_share(root["panels"]["views"], settings.panels.views);
        read_share(root["panels"]["parameters"], settings.panels.parameters);
        read_share(root["panels"]["details"], settings.panels.details);
    }
    if (root["recent"].isArray())
        for (const Json::Value& path : root["recent"])
            if (path.isString() && settings.recent.size() < kMaxRecent)
                settings.recent.push_back(path.asString());
    return settings;
}

Result<void> save_settings(const fs::path& file, const Settings& settings) {
    if (file.empty()) return {};
    Json::Value root(Json::objectValue);
    root["width"] = settings.width;
    root["height"] = settings.height;
    root["mark_faults"] = settings.mark_faults;
    root["show_pass_parameters"] = settings.show_pass_parameters;
    root["logarithmic"] = settings.logarithmic;
    root["panels"]["views"] = settings.panels.views;
    root["panels"]["parameters"] = settings.panels.parameters;
    root["panels"]["details"] = settings.panels.details;
    root["recent"] = Json::Value(Json::arrayValue);
    for (const std::string& path : settings.recent)
        root["recent"].append(path);
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    fs::path part = file;
    part += ".part";
    {
        std::ofstream stream(part, std::ios::binary);
        stream << Json::writeString(Json::StreamWriterBuilder(), root) << '\n';
        if (!stream.flush())
            return fail("viewer/settings",
                        fmt::format("cannot write '{}': nothing is remembered", file.string()));
    }
    fs::rename(part, file, error);
    if (error)
        return fail("viewer/settings",
                    fmt::format("cannot write '{}': {}", file.string(), error.message()));
    return {};
}

void remember(Settings& settings, const fs::path& config) {
    std::error_code error;
    const fs::path whole = fs::absolute(config, error);
    const std::string path = (error ? config : whole).lexically_normal().string();
    std::erase(settings.recent, path);
    settings.recent.insert(settings.recent.begin(), path);
    if (settings.recent.size() > kMaxRecent) settings.recent.resize(kMaxRecent);
}

} // namespace tuff::viewer
