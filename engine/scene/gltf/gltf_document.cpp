#include "scene/gltf/gltf_document.hpp"

#include "core/file_access.hpp"
#include "scene/files.hpp"
#include "scene/gltf/gltf_schema.hpp"

#include <fmt/format.h>
#include <json/reader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

namespace tuff::gltf {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMaxGltfFileBytes = std::uint64_t{1} << 30;
/// Deeper nesting is an attack on the recursion of parsers, no scene.
constexpr int kMaxNesting = 128;

constexpr std::array<std::string_view, 5> kExtensions = {
    "KHR_texture_transform", "KHR_materials_unlit", "KHR_materials_emissive_strength",
    "KHR_mesh_quantization", "KHR_lights_punctual"};

/// Files the JSON names, by the name under which tinygltf will ask for them.
struct ExternalFile {
    fs::path path;
    std::optional<std::uint64_t> bytes; ///< of a buffer; files may be longer
};
using ExternalFiles = std::map<std::string, ExternalFile>;

std::uint32_t little_endian(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
    return word;
}

Result<JsonSource> find_json(std::span<const std::byte> file, const fs::path& path) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (!text.starts_with("glTF")) return JsonSource{path.string(), text, false};
    const auto corrupt = [&](std::string_view what) {
        return fail("gltf/corrupt-buffer",
                    fmt::format("'{}' is a damaged binary glTF: {}", path.string(), what));
    };
    constexpr std::size_t kHeader = 20; // file header, then the header of the JSON chunk
    constexpr std::uint32_t kJson = 0x4e4f534a;
    if (file.size() < kHeader) return corrupt("it is cut short");
    if (const std::uint32_t version = little_endian(file, 4); version != 2)
        return fail(
            "gltf/unsupported-version",
            fmt::format("'{}' is binary glTF version {}, only 2 is read", path.string(), version),
            "convert it to glTF 2.0");
    const std::uint64_t total = little_endian(file, 8);
    const std::uint64_t json = little_endian(file, 12);
    if (total > file.size() || total < kHeader) return corrupt("it is cut short");
    if (json > total - kHeader || little_endian(file, 16) != kJson)
        return corrupt("it does not start with a JSON chunk");
    const std::uint64_t bin = kHeader + json;
    if (total - bin >= 8 && little_endian(file, bin) > total - bin - 8)
        return corrupt("its binary chunk is cut short");
    return JsonSource{path.string(), text.substr(kHeader, json), true};
}

/// jsoncpp tells the place of a syntax error in its text alone: "* Line 3, Column 5\n  what".
Diagnostic syntax_error(const JsonSource& source, std::string_view message) {
    int line = 0;
    int column = 0;
    const auto number_after = [&](std::string_view word, int& out) {
        const std::size_t at = message.find(word);
        if (at != std::string_view::npos)
            std::from_chars(message.data() + at + word.size(), message.data() + message.size(),
                            out);
    };
    number_after("Line ", line);
    number_after("Column ", column);
    const std::size_t start = std::min(message.find('\n'), message.size() - 1) + 1;
    const std::size_t text = message.find_first_not_of(' ', start);
    std::string_view what = text == std::string_view::npos ? message : message.substr(text);
    what = what.substr(0, what.find('\n'));
    SourcePlace place{.file = source.file, .line = 0, .column = 0, .length = 1, .line_text = {}};
    if (!source.binary) {
        place.line = line;
        place.column = column;
    }
    return {.code = "gltf/syntax",
            .severity = Severity::error,
            .message = fmt::format("this is not valid JSON: {}", what),
            .where = place,
            .hint = {}};
}

Result<Json::Value> parse_json(const JsonSource& source) {
    Json::CharReaderBuilder builder;
    builder["allowComments"] = false;
    builder["stackLimit"] = kMaxNesting;
    builder["rejectDupKeys"] = false;
    builder["failIfExtra"] = true;
    Json::Value root;
    std::string errors;
    try {
        const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
        const char* text = source.text.data();
        if (!reader->parse(text, text + source.text.size(), &root, &errors))
            return fail(syntax_error(source, errors));
    } catch (const std::exception& error) {
        return fail(syntax_error(source, error.what()));
    }
    if (!root.isObject()) return fail(syntax_error(source, "\nan object is expected"));
    return root;
}

Result<void> check_version(const Json::Value& root, const JsonSource& source) {
    const Json::Value& version =
        root["asset"].isObject() ? root["asset"]["version"] : root["asset"];
    // glTF 1.0 kept its objects by name where 2.0 has arrays, and did not ask for a version.
    const bool first = root["meshes"].isObject() || root["buffers"].isObject();
    const std::string text = version.isString() ? version.asString() : first ? "1.0" : "";
    if (text.starts_with("2.") && !first) return {};
    Diagnostic wrong{.code = "gltf/unsupported-version",
                     .severity = Severity::error,
                     .message = text.empty() ? "the file does not say its glTF version"
                                             : fmt::format("glTF {} is not read", text),
                     .where = source.place_of(version.isString() ? version : root),
                     .hint = "only glTF 2.0 is read; convert the file"};
    return fail(std::move(wrong));
}

Result<Diagnostics> check_extensions(const Json::Value& root, const JsonSource& source) {
    const auto known = [](const Json::Value& name) {
        return name.isString() && std::find(kExtensions.begin(), kExtensions.end(),
                                            name.asString()) != kExtensions.end();
    };
    Diagnostics errors;
    Diagnostics warnings;
    const auto list = [&](const char* member, Severity severity, Diagnostics& out) {
        const Json::Value& names = root[member];
        if (!names.isArray()) return;
        for (const Json::Value& name : names) {
            if (known(name) || !name.isString()) continue;
            out.push_back(
                {.code = "gltf/unsupported-extension",
                 .severity = severity,
                 .message = fmt::format("extension '{}' is not supported", name.asString()),
                 .where = source.place_of(name),
                 .hint =
                     severity == Severity::error ? "export the file without requiring it" : ""});
        }
    };
    list("extensionsRequired", Severity::error, errors);
    list("extensionsUsed", Severity::warning, warnings);
    if (!errors.empty()) return std::unexpected(std::move(errors));
    return warnings;
}

std::string percent_decode(std::string_view uri) {
    std::string text;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        unsigned code = 0;
        if (uri[i] == '%' && i + 2 < uri.size() &&
            std::from_chars(&uri[i + 1], &uri[i + 1] + 2, code, 16).ptr == &uri[i + 1] + 2) {
            text += static_cast<char>(code);
            i += 2;
        } else {
            text += uri[i];
        }
    }
    return text;
}

std::string parent_folder(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path().string() : std::string(".");
}

Result<void> add_file(const Json::Value& owner, std::string_view role, const fs::path& path,
                      const JsonSource& source, std::span<const fs::path> confined_to,
                      ExternalFiles& files) {
    const Json::Value& uri_value = owner["uri"];
    if (!uri_value.isString() || uri_value.asString().starts_with("data:")) return {};
    const std::string uri = uri_value.asString();
    const fs::path file = fs::path(parent_folder(path)) / percent_decode(uri);
    std::optional<std::uint64_t> bytes;
    if (owner.isMember("byteLength")) bytes = owner["byteLength"].asUInt64();

    const auto wrong = [&](const char* code, std::string message, std::string hint) {
        return fail(Diagnostic{.code = code,
                               .severity = Severity::error,
                               .message = std::move(message),
                               .where = source.place_of(uri_value),
                               .hint = std::move(hint)});
    };
    if (auto readable = check_readable(file, confined_to); !readable) {
        readable.error().front().where = source.place_of(uri_value);
        return readable;
    }
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        return wrong("gltf/missing-file",
                     fmt::format("{} file '{}' does not exist", role, file.string()),
                     uri.find("://") != std::string::npos ? "files are not fetched from the network"
                                                          : "put it back beside the glTF file");
    const std::uint64_t size = fs::file_size(file, error);
    if (error || size > kMaxGltfFileBytes)
        return wrong("gltf/too-large",
                     fmt::format("{} file '{}' is larger than {} bytes", role, file.string(),
                                 kMaxGltfFileBytes),
                     "");
    if (bytes && size < *bytes)
        return wrong("gltf/corrupt-buffer",
                     fmt::format("{} file '{}' has {} bytes, {} are expected", role, file.string(),
                                 size, *bytes),
                     "the file is cut short");
    // tinygltf reads '+' as a space, as in web forms; it asks for the file by that name.
    std::string asked = percent_decode(uri);
    for (std::size_t i = 0, j = 0; i < uri.size(); ++i, ++j) {
        if (uri[i] == '+') asked[j] = ' ';
        if (uri[i] == '%' && i + 2 < uri.size()) i += 2;
    }
    files[parent_folder(path) + "/" + asked] = {file, bytes};
    return {};
}

Result<ExternalFiles> find_files(const Json::Value& root, const fs::path& path,
                                 const JsonSource& source, std::span<const fs::path> confined_to) {
    ExternalFiles files;
    Diagnostics errors;
    const auto collect = [&](const char* section, std::string_view role) {
        for (const Json::Value& owner : root[section])
            if (auto added = add_file(owner, role, path, source, confined_to, files); !added)
                errors.insert(errors.end(), added.error().begin(), added.error().end());
    };
    collect("buffers", "buffer");
    collect("images", "texture");
    if (!errors.empty()) return std::unexpected(std::move(errors));
    return files;
}

bool file_exists(const std::string& name, void* user) {
    return static_cast<const ExternalFiles*>(user)->contains(name);
}

std::string same_path(const std::string& name, void*) {
    return name;
}

bool read_whole(std::vector<unsigned char>* out, std::string* error, const std::string& name,
                void* user) {
    const auto& files = *static_cast<const ExternalFiles*>(user);
    const auto found = files.find(name);
    if (found == files.end()) return false;
    const auto bytes = read_file(found->second.path, "gltf", kMaxGltfFileBytes);
    if (!bytes) {
        if (error) *error += bytes.error().front().message;
        return false;
    }
    // tinygltf insists on buffer files of exactly byteLength; the specification allows padding.
    const std::size_t size =
        std::min<std::uint64_t>(found->second.bytes.value_or(bytes->size()), bytes->size());
    const auto* data = reinterpret_cast<const unsigned char*>(bytes->data());
    out->assign(data, data + size);
    return true;
}

bool refuse_write(std::string*, const std::string&, const std::vector<unsigned char>&, void*) {
    return false;
}

/// Keeps images as they are in the file. Those in buffer views stay there: tinygltf does not check
/// that the view lies inside the buffer before it hands out its bytes.
bool keep_image(tinygltf::Image* image, const int, std::string*, std::string*, int, int,
                const unsigned char* bytes, int size, void*) {
    if (image->bufferView < 0) image->image.assign(bytes, bytes + size);
    image->as_is = true;
    return true;
}

Result<tinygltf::Model> run_tinygltf(std::span<const std::byte> file, const JsonSource& source,
                                     const fs::path& path, ExternalFiles& files) {
    tinygltf::TinyGLTF loader;
    loader.SetImageLoader(keep_image, nullptr);
    loader.SetFsCallbacks({file_exists, same_path, read_whole, refuse_write, &files});
    tinygltf::Model model;
    std::string error;
    std::string warning;
    bool loaded = false;
    try {
        const std::string folder = parent_folder(path);
        loaded =
            source.binary
                ? loader.LoadBinaryFromMemory(&model, &error, &warning,
                                              reinterpret_cast<const unsigned char*>(file.data()),
                                              static_cast<unsigned>(little_endian(file, 8)), folder)
                : loader.LoadASCIIFromString(&model, &error, &warning, source.text.data(),
                                             static_cast<unsigned>(source.text.size()), folder);
    } catch (const std::exception& exception) {
        error += exception.what();
    }
    if (loaded) return model;
    while (!error.empty() && (error.back() == '\n' || error.back() == '.'))
        error.pop_back();
    std::replace(error.begin(), error.end(), '\n', ' ');
    return fail("gltf/unreadable",
                fmt::format("'{}' cannot be read: {}", path.string(),
                            error.empty() ? "the parser gives no reason" : error));
}

} // namespace

Result<Document> open_document(const fs::path& path, std::span<const fs::path> confined_to) {
    auto file = read_file(path, "gltf", kMaxGltfFileBytes);
    if (!file) return propagate(std::move(file));
    auto source = find_json(*file, path);
    if (!source) return propagate(std::move(source));
    auto root = parse_json(*source);
    if (!root) return propagate(std::move(root));
    if (auto version = check_version(*root, *source); !version)
        return propagate(std::move(version));
    auto warnings = check_extensions(*root, *source);
    if (!warnings) return propagate(std::move(warnings));
    if (Diagnostics wrong = check_schema(*root, *source); !wrong.empty())
        return std::unexpected(std::move(wrong));
    auto files = find_files(*root, path, *source, confined_to);
    if (!files) return propagate(std::move(files));
    *root = Json::Value(); // embedded buffers make it large; tinygltf now builds its own copy
    auto model = run_tinygltf(*file, *source, path, *files);
    if (!model) return propagate(std::move(model));
    return Document{std::move(*model), path, std::move(*warnings)};
}

} // namespace tuff::gltf
