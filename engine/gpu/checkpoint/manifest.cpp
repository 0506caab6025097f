#include "gpu/checkpoint/manifest.hpp"

#include "gpu/checkpoint/checksum.hpp"

#include <fmt/format.h>
#include <json/reader.h>
#include <json/value.h>
#include <json/writer.h>

#include <array>
#include <exception>
#include <memory>
#include <optional>

namespace tuff {
namespace {

constexpr std::string_view kManifestFormat = "tuff checkpoint";
constexpr int kManifestVersion = 1;

constexpr std::array<std::pair<ImageShape, std::string_view>, 4> kShapes{{
    {ImageShape::d2, "d2"},
    {ImageShape::d2_array, "d2_array"},
    {ImageShape::d3, "d3"},
    {ImageShape::cube, "cube"},
}};

Json::Value json_of(const ImageDesc& image) {
    Json::Value json;
    json["format"] = std::string(info(image.format).name);
    for (const std::uint32_t side : {image.extent.width, image.extent.height, image.extent.depth})
        json["size"].append(side);
    json["mips"] = image.mips;
    json["layers"] = image.layers;
    json["samples"] = image.samples;
    for (const auto& [shape, name] : kShapes)
        if (shape == image.shape) json["shape"] = std::string(name);
    return json;
}

Json::Value json_of(const BufferDesc& buffer) {
    Json::Value json;
    json["size"] = Json::UInt64{buffer.size};
    json["stride"] = buffer.stride;
    return json;
}

Json::Value json_of(const CheckpointHistory& history) {
    Json::Value json;
    json["name"] = history.info.name;
    std::visit(
        [&](const auto& desc) {
            json[history.info.is_image() ? "image" : "buffer"] = json_of(desc);
        },
        history.info.desc);
    json["depth"] = history.info.depth;
    for (const std::uint32_t word : history.info.clear)
        json["clear"].append(word);
    json["file"] = history.file;
    json["bytes"] = Json::UInt64{history.bytes};
    json["checksum"] = history.checksum;
    return json;
}

/// For people, and for those who compare checkpoints.
Json::Value json_of(const GraphDesc& graph) {
    Checksum names;
    names.add(graph.names);
    Json::Value json;
    json["nodes"] = Json::UInt64{graph.nodes.size()};
    json["resources"] = Json::UInt64{graph.resources.size()};
    json["outputs"] = Json::UInt64{graph.outputs.size()};
    json["names"] = names.text();
    return json;
}

/// Reads what must be there and notes the first thing that is not.
class ManifestReader {
  public:
    explicit ManifestReader(const std::filesystem::path& file) : file_(file) {}

    const Json::Value& object(const Json::Value& in, const char* key) {
        const Json::Value& value = in[key];
        if (!value.isObject()) object_to(key, "an object");
        return value.isObject() ? value : empty_object_;
    }
    const Json::Value& list(const Json::Value& in, const char* key) {
        const Json::Value& value = in[key];
        if (!value.isArray()) object_to(key, "a list");
        return value.isArray() ? value : empty_list_;
    }
    std::string text(const Json::Value& in, const char* key) {
        const Json::Value& value = in[key];
        if (!value.isString()) object_to(key, "a text");
        return value.isString() ? value.asString() : std::string();
    }
    double number(const Json::Value& in, const char* key) {
        const Json::Value& value = in[key];
        if (!value.isNumeric()) object_to(key, "a number");
        return value.isNumeric() ? value.asDouble() : 0.0;
    }
    std::int64_t whole(const Json::Value& in, const char* key) {
        const Json::Value& value = in[key];
        if (!value.isInt64()) object_to(key, "a whole number");
        return value.isInt64() ? value.asInt64() : 0;
    }
    std::uint64_t bytes(const Json::Value& in, const char* key) {
        const Json::Value& value = in[key];
        if (!value.isUInt64()) object_to(key, "a number of bytes");
        return value.isUInt64() ? value.asUInt64() : 0;
    }
    std::uint32_t word(const Json::Value& value, const char* key) {
        if (!value.isUInt()) object_to(key, "a whole number");
        return value.isUInt() ? value.asUInt() : 0;
    }
    std::uint32_t word_of(const Json::Value& in, const char* key) { return word(in[key], key); }
    template <std::size_t n>
    std::array<std::uint32_t, n> words(const Json::Value& in, const char* key) {
        std::array<std::uint32_t, n> result{};
        const Json::Value& value = list(in, key);
        if (value.size() != n) object_to(key, fmt::format("a list of {} numbers", n));
        for (Json::ArrayIndex i = 0; i < n && value.size() == n; ++i)
            result[i] = word(value[i], key);
        return result;
    }

    void object_to(std::string_view key, std::string_view expected) {
        if (!problem_)
            problem_ = fmt::format("\"{}\" of the checkpoint's manifest must be {}", key, expected);
    }
    bool fine() const { return !problem_; }
    std::unexpected<Diagnostics> failure() const { return damaged(problem_.value_or("")); }
    std::unexpected<Diagnostics> damaged(std::string message) const {
        return fail({.code = "checkpoint/damaged",
                     .message = std::move(message),
                     .where = {.file = file_.string()},
                     .hint = "resume from the checkpoint before it, if there is one"});
    }

  private:
    std::filesystem::path file_;
    std::optional<std::string> problem_;
    Json::Value empty_object_{Json::objectValue};
    Json::Value empty_list_{Json::arrayValue};
};

ImageDesc read_image(ManifestReader& reader, const Json::Value& json) {
    ImageDesc image;
    const auto format = parse_format(reader.text(json, "format"));
    if (!format) reader.object_to("format", "the name of a format");
    image.format = format.value_or(Format::undefined);
    const auto size = reader.words<3>(json, "size");
    image.extent = {size[0], size[1], size[2]};
    image.mips = reader.word_of(json, "mips");
    image.layers = reader.word_of(json, "layers");
    image.samples = reader.word_of(json, "samples");
    const std::string shape_name = reader.text(json, "shape");
    bool is_shape = false;
    for (const auto& [shape, name] : kShapes) {
        if (name != shape_name) continue;
        image.shape = shape;
        is_shape = true;
    }
    if (!is_shape) reader.object_to("shape", "\"d2\", \"d2_array\", \"d3\" or \"cube\"");
    return image;
}

/// Names that lead nowhere else, whoever has written the manifest.
bool is_plain_name(std::string_view name) {
    return !name.empty() && !name.starts_with('.') &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

CheckpointHistory read_history(ManifestReader& reader, const Json::Value& json) {
    CheckpointHistory history;
    history.info.name = reader.text(json, "name");
    if (json.isMember("image")) {
        history.info.desc = read_image(reader, reader.object(json, "image"));
    } else {
        const Json::Value& buffer = reader.object(json, "buffer");
        history.info.desc = BufferDesc{.size = reader.bytes(buffer, "size"),
                                       .stride = reader.word_of(buffer, "stride")};
    }
    history.info.depth = reader.word_of(json, "depth");
    history.info.clear = reader.words<4>(json, "clear");
    history.file = reader.text(json, "file");
    if (!is_plain_name(history.file)) reader.object_to("file", "the name of a file beside it");
    history.bytes = reader.bytes(json, "bytes");
    history.checksum = reader.text(json, "checksum");
    return history;
}

/// Exceptions tell of brackets that nest too deep, and of strings that are none.
std::optional<Json::Value> parse_manifest_json(std::string_view text) {
    Json::CharReaderBuilder builder;
    Json::CharReaderBuilder::strictMode(&builder.settings_);
    builder["stackLimit"] = 32;
    Json::Value root;
    std::string messages;
    try {
        const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
        if (reader->parse(text.data(), text.data() + text.size(), &root, &messages) &&
            root.isObject())
            return root;
    } catch (const std::exception&) {
    }
    return std::nullopt;
}

} // namespace

std::string manifest_text(const Checkpoint& checkpoint, const GraphDesc& graph) {
    const CheckpointRun& run = checkpoint.run;
    Json::Value json;
    json["format"] = std::string(kManifestFormat);
    json["version"] = kManifestVersion;
    json["tuff"] = checkpoint.version;
    json["device"]["name"] = checkpoint.device;
    json["device"]["driver"] = checkpoint.driver;
    json["config"]["name"] = run.config;
    json["config"]["fingerprint"] = run.fingerprint;
    json["graph"] = json_of(graph);
    json["frame"] = Json::Int64{run.frame};
    json["time"] = run.time;
    json["step"] = run.step;
    json["pools"] = Json::Value(Json::objectValue);
    for (const auto& [pool, elements] : run.pools)
        json["pools"][pool] = Json::UInt64{elements};
    json["histories"] = Json::Value(Json::arrayValue);
    for (const CheckpointHistory& history : checkpoint.histories)
        json["histories"].append(json_of(history));
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "  ";
    return Json::writeString(writer, json) + '\n';
}

Result<Checkpoint> parse_manifest(std::string_view text, const std::filesystem::path& folder) {
    ManifestReader reader(folder / kManifestName);
    const auto json = parse_manifest_json(text);
    if (!json) return reader.damaged("the checkpoint's manifest is not JSON");
    if (reader.text(*json, "format") != kManifestFormat)
        return reader.damaged(
            fmt::format("this is not the manifest of a checkpoint: its \"format\" is not \"{}\"",
                        kManifestFormat));
    const std::int64_t version = reader.whole(*json, "version");
    if (reader.fine() && version != kManifestVersion)
        return fail({.code = "checkpoint/version",
                     .message = fmt::format("the checkpoint is in version {} of the format, and "
                                            "this Tuff reads version {}",
                                            version, kManifestVersion),
                     .where = {.file = (folder / kManifestName).string()},
                     .hint = "use the Tuff that wrote it, or a newer one"});
    Checkpoint checkpoint{.folder = folder};
    checkpoint.version = reader.text(*json, "tuff");
    const Json::Value& device = reader.object(*json, "device");
    checkpoint.device = reader.text(device, "name");
    checkpoint.driver = reader.text(device, "driver");
    const Json::Value& config = reader.object(*json, "config");
    CheckpointRun& run = checkpoint.run;
    run.config = reader.text(config, "name");
    run.fingerprint = reader.text(config, "fingerprint");
    run.frame = reader.whole(*json, "frame");
    run.time = reader.number(*json, "time");
    run.step = reader.number(*json, "step");
    const Json::Value& pools = reader.object(*json, "pools");
    for (const std::string& pool : pools.getMemberNames())
        run.pools[pool] = reader.bytes(pools, pool.c_str());
    for (const Json::Value& history : reader.list(*json, "histories")) {
        if (!history.isObject()) reader.object_to("histories", "a list of objects");
        if (!reader.fine()) break;
        checkpoint.histories.push_back(read_history(reader, history));
    }
    if (run.frame < 0 || run.frame > (std::int64_t{1} << 53))
        reader.object_to("frame", "the number of a frame");
    if (!reader.fine()) return reader.failure();
    return checkpoint;
}

} // namespace tuff
