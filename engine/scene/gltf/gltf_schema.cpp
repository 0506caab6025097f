#include "scene/gltf/gltf_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace tuff::gltf {
namespace {

enum class Kind {
    index,
    size,
    number,
    string,
    boolean,
    object,
    objects,
    numbers,
    indices,
    index_map,
    index_maps
};

/// One member of a JSON object. `target` names the array that indices point into, from the top: its
/// members, with a / between.
struct Member {
    std::string_view name;
    Kind kind;
    std::span<const Member> members = {};
    std::string_view target = {};
    unsigned length = 0; ///< of `numbers`; 0: any
    bool required = false;
};

constexpr Member kTransform[] = {{.name = "offset", .kind = Kind::numbers, .length = 2},
                                 {.name = "scale", .kind = Kind::numbers, .length = 2},
                                 {.name = "rotation", .kind = Kind::number},
                                 {.name = "texCoord", .kind = Kind::size}};
constexpr Member kTextureExtensions[] = {
    {.name = "KHR_texture_transform", .kind = Kind::object, .members = kTransform}};
constexpr Member kTextureInfo[] = {
    {.name = "index", .kind = Kind::index, .target = "textures", .required = true},
    {.name = "texCoord", .kind = Kind::size},
    {.name = "scale", .kind = Kind::number},
    {.name = "strength", .kind = Kind::number},
    {.name = "extensions", .kind = Kind::object, .members = kTextureExtensions}};
constexpr Member kPbr[] = {
    {.name = "baseColorFactor", .kind = Kind::numbers, .length = 4},
    {.name = "metallicFactor", .kind = Kind::number},
    {.name = "roughnessFactor", .kind = Kind::number},
    {.name = "baseColorTexture", .kind = Kind::object, .members = kTextureInfo},
    {.name = "metallicRoughnessTexture", .kind = Kind::object, .members = kTextureInfo}};
constexpr Member kEmissiveStrength[] = {{.name = "emissiveStrength", .kind = Kind::number}};
constexpr Member kMaterialExtensions[] = {{.name = "KHR_materials_unlit", .kind = Kind::object},
                                          {.name = "KHR_materials_emissive_strength",
                                           .kind = Kind::object,
                                           .members = kEmissiveStrength}};
constexpr Member kMaterial[] = {
    {.name = "name", .kind = Kind::string},
    {.name = "pbrMetallicRoughness", .kind = Kind::object, .members = kPbr},
    {.name = "normalTexture", .kind = Kind::object, .members = kTextureInfo},
    {.name = "occlusionTexture", .kind = Kind::object, .members = kTextureInfo},
    {.name = "emissiveTexture", .kind = Kind::object, .members = kTextureInfo},
    {.name = "emissiveFactor", .kind = Kind::numbers, .length = 3},
    {.name = "alphaMode", .kind = Kind::string},
    {.name = "alphaCutoff", .kind = Kind::number},
    {.name = "doubleSided", .kind = Kind::boolean},
    {.name = "extensions", .kind = Kind::object, .members = kMaterialExtensions}};

constexpr Member kSparseIndices[] = {
    {.name = "bufferView", .kind = Kind::index, .target = "bufferViews", .required = true},
    {.name = "byteOffset", .kind = Kind::size},
    {.name = "componentType", .kind = Kind::size, .required = true}};
constexpr Member kSparseValues[] = {
    {.name = "bufferView", .kind = Kind::index, .target = "bufferViews", .required = true},
    {.name = "byteOffset", .kind = Kind::size}};
constexpr Member kSparse[] = {
    {.name = "count", .kind = Kind::size, .required = true},
    {.name = "indices", .kind = Kind::object, .members = kSparseIndices, .required = true},
    {.name = "values", .kind = Kind::object, .members = kSparseValues, .required = true}};
constexpr Member kAccessor[] = {
    {.name = "bufferView", .kind = Kind::index, .target = "bufferViews"},
    {.name = "byteOffset", .kind = Kind::size},
    {.name = "componentType", .kind = Kind::size, .required = true},
    {.name = "normalized", .kind = Kind::boolean},
    {.name = "count", .kind = Kind::size, .required = true},
    {.name = "type", .kind = Kind::string, .required = true},
    {.name = "sparse", .kind = Kind::object, .members = kSparse}};
constexpr Member kBuffer[] = {{.name = "uri", .kind = Kind::string},
                              {.name = "byteLength", .kind = Kind::size, .required = true}};
constexpr Member kBufferView[] = {
    {.name = "buffer", .kind = Kind::index, .target = "buffers", .required = true},
    {.name = "byteOffset", .kind = Kind::size},
    {.name = "byteLength", .kind = Kind::size, .required = true},
    {.name = "byteStride", .kind = Kind::size}};

constexpr Member kChannelTarget[] = {
    {.name = "node", .kind = Kind::index, .target = "nodes", .required = true},
    {.name = "path", .kind = Kind::string, .required = true}};
constexpr Member kChannel[] = {
    {.name = "sampler", .kind = Kind::size, .required = true},
    {.name = "target", .kind = Kind::object, .members = kChannelTarget, .required = true}};
constexpr Member kKeySampler[] = {
    {.name = "input", .kind = Kind::index, .target = "accessors", .required = true},
    {.name = "output", .kind = Kind::index, .target = "accessors", .required = true},
    {.name = "interpolation", .kind = Kind::string}};
constexpr Member kAnimation[] = {
    {.name = "name", .kind = Kind::string},
    {.name = "channels", .kind = Kind::objects, .members = kChannel, .required = true},
    {.name = "samplers", .kind = Kind::objects, .members = kKeySampler, .required = true}};
constexpr Member kSkin[] = {
    {.name = "name", .kind = Kind::string},
    {.name = "inverseBindMatrices", .kind = Kind::index, .target = "accessors"},
    {.name = "skeleton", .kind = Kind::index, .target = "nodes"},
    {.name = "joints", .kind = Kind::indices, .target = "nodes", .required = true}};

constexpr Member kPrimitive[] = {
    {.name = "attributes", .kind = Kind::index_map, .target = "accessors", .required = true},
    {.name = "indices", .kind = Kind::index, .target = "accessors"},
    {.name = "material", .kind = Kind::index, .target = "materials"},
    {.name = "mode", .kind = Kind::size},
    {.name = "targets", .kind = Kind::index_maps, .target = "accessors"}};
constexpr Member kMesh[] = {
    {.name = "name", .kind = Kind::string},
    {.name = "weights", .kind = Kind::numbers},
    {.name = "primitives", .kind = Kind::objects, .members = kPrimitive, .required = true}};
constexpr Member kSpot[] = {{.name = "innerConeAngle", .kind = Kind::number},
                            {.name = "outerConeAngle", .kind = Kind::number}};
constexpr Member kLight[] = {{.name = "name", .kind = Kind::string},
                             {.name = "type", .kind = Kind::string, .required = true},
                             {.name = "color", .kind = Kind::numbers, .length = 3},
                             {.name = "intensity", .kind = Kind::number},
                             {.name = "range", .kind = Kind::number},
                             {.name = "spot", .kind = Kind::object, .members = kSpot}};
constexpr Member kLights[] = {
    {.name = "lights", .kind = Kind::objects, .members = kLight, .required = true}};
constexpr Member kRootExtensions[] = {
    {.name = "KHR_lights_punctual", .kind = Kind::object, .members = kLights}};
constexpr Member kNodeLight[] = {{.name = "light",
                                  .kind = Kind::index,
                                  .target = "extensions/KHR_lights_punctual/lights",
                                  .required = true}};
constexpr Member kNodeExtensions[] = {
    {.name = "KHR_lights_punctual", .kind = Kind::object, .members = kNodeLight}};
constexpr Member kNode[] = {
    {.name = "name", .kind = Kind::string},
    {.name = "camera", .kind = Kind::index, .target = "cameras"},
    {.name = "mesh", .kind = Kind::index, .target = "meshes"},
    {.name = "skin", .kind = Kind::index, .target = "skins"},
    {.name = "weights", .kind = Kind::numbers},
    {.name = "children", .kind = Kind::indices, .target = "nodes"},
    {.name = "matrix", .kind = Kind::numbers, .length = 16},
    {.name = "translation", .kind = Kind::numbers, .length = 3},
    {.name = "rotation", .kind = Kind::numbers, .length = 4},
    {.name = "scale", .kind = Kind::numbers, .length = 3},
    {.name = "extensions", .kind = Kind::object, .members = kNodeExtensions}};
constexpr Member kScene[] = {{.name = "name", .kind = Kind::string},
                             {.name = "nodes", .kind = Kind::indices, .target = "nodes"}};
constexpr Member kPerspective[] = {{.name = "yfov", .kind = Kind::number, .required = true},
                                   {.name = "znear", .kind = Kind::number, .required = true},
                                   {.name = "zfar", .kind = Kind::number}};
constexpr Member kOrthographic[] = {{.name = "xmag", .kind = Kind::number, .required = true},
                                    {.name = "ymag", .kind = Kind::number, .required = true},
                                    {.name = "znear", .kind = Kind::number, .required = true},
                                    {.name = "zfar", .kind = Kind::number, .required = true}};
constexpr Member kCamera[] = {
    {.name = "name", .kind = Kind::string},
    {.name = "type", .kind = Kind::string, .required = true},
    {.name = "perspective", .kind = Kind::object, .members = kPerspective},
    {.name = "orthographic", .kind = Kind::object, .members = kOrthographic}};
constexpr Member kImage[] = {{.name = "uri", .kind = Kind::string},
                             {.name = "mimeType", .kind = Kind::string},
                             {.name = "bufferView", .kind = Kind::index, .target = "bufferViews"}};
constexpr Member kTexture[] = {{.name = "source", .kind = Kind::index, .target = "images"},
                               {.name = "sampler", .kind = Kind::index, .target = "samplers"}};
constexpr Member kSampler[] = {{.name = "magFilter", .kind = Kind::size},
                               {.name = "minFilter", .kind = Kind::size},
                               {.name = "wrapS", .kind = Kind::size},
                               {.name = "wrapT", .kind = Kind::size}};
constexpr Member kRoot[] = {
    {.name = "scene", .kind = Kind::index, .target = "scenes"},
    {.name = "scenes", .kind = Kind::objects, .members = kScene},
    {.name = "nodes", .kind = Kind::objects, .members = kNode},
    {.name = "meshes", .kind = Kind::objects, .members = kMesh},
    {.name = "skins", .kind = Kind::objects, .members = kSkin},
    {.name = "animations", .kind = Kind::objects, .members = kAnimation},
    {.name = "accessors", .kind = Kind::objects, .members = kAccessor},
    {.name = "bufferViews", .kind = Kind::objects, .members = kBufferView},
    {.name = "buffers", .kind = Kind::objects, .members = kBuffer},
    {.name = "materials", .kind = Kind::objects, .members = kMaterial},
    {.name = "textures", .kind = Kind::objects, .members = kTexture},
    {.name = "images", .kind = Kind::objects, .members = kImage},
    {.name = "samplers", .kind = Kind::objects, .members = kSampler},
    {.name = "cameras", .kind = Kind::objects, .members = kCamera},
    {.name = "extensions", .kind = Kind::object, .members = kRootExtensions}};

/// A file wrong all over gives this many diagnostics, not thousands.
constexpr std::size_t kMaxDiagnostics = 20;
/// No size or index in a sound file is larger; below it sums of a few do not overflow.
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 31;

class Checker {
  public:
    Checker(const Json::Value& root, const JsonSource& source) : root_(root), source_(source) {}

    void object(const Json::Value& value, std::span<const Member> members,
                const std::string& path) {
        if (!value.isObject()) return report(value, path, "an object is expected here");
        for (const Member& member : members) {
            const Json::Value* found =
                value.find(member.name.data(), member.name.data() + member.name.size());
            const std::string name =
                path.empty() ? std::string(member.name) : fmt::format("{}.{}", path, member.name);
            if (found)
                check(*found, member, name);
            else if (member.required)
                report(value, path, fmt::format("'{}' is missing", member.name));
        }
    }

    void buffer_views() {
        const Json::Value& views = root_["bufferViews"];
        for (Json::ArrayIndex i = 0; i < views.size(); ++i) {
            const Json::Value& view = views[i];
            const std::uint64_t end = view["byteOffset"].asUInt64() + view["byteLength"].asUInt64();
            const std::uint64_t size =
                root_["buffers"][view["buffer"].asUInt()]["byteLength"].asUInt64();
            if (end > size)
                report(view, fmt::format("bufferViews[{}]", i),
                       fmt::format("it ends at byte {} of a buffer of {} bytes", end, size));
        }
    }

    Diagnostics take() { return std::move(found_); }

  private:
    void check(const Json::Value& value, const Member& member, const std::string& path) {
        switch (member.kind) {
        case Kind::index: return index(value, member, path);
        case Kind::size:
            if (!value.isUInt64() || value.asUInt64() > kMaxSize)
                report(value, path, "a non-negative integer is expected here");
            return;
        case Kind::number:
            if (!value.isNumeric()) report(value, path, "a number is expected here");
            return;
        case Kind::string:
            if (!value.isString()) report(value, path, "a string is expected here");
            return;
        case Kind::boolean:
            if (!value.isBool()) report(value, path, "true or false is expected here");
            return;
        case Kind::object: return object(value, member.members, path);
        case Kind::objects:
        case Kind::numbers:
        case Kind::indices:
        case Kind::index_maps: return array(value, member, path);
        case Kind::index_map: return index_map(value, member, path);
        }
    }

    void index_map(const Json::Value& value, const Member& member, const std::string& path) {
        if (!value.isObject()) return report(value, path, "an object is expected here");
        for (const std::string& key : value.getMemberNames())
            index(value[key], member, fmt::format("{}.{}", path, key));
    }

    void array(const Json::Value& value, const Member& member, const std::string& path) {
        if (!value.isArray()) return report(value, path, "an array is expected here");
        if (member.length != 0 && value.size() != member.length)
            return report(
                value, path,
                fmt::format("{} numbers are expected here, not {}", member.length, value.size()));
        for (Json::ArrayIndex i = 0; i < value.size() && found_.size() < kMaxDiagnostics; ++i) {
            const std::string name = fmt::format("{}[{}]", path, i);
            if (member.kind == Kind::objects)
                object(value[i], member.members, name);
            else if (member.kind == Kind::indices)
                index(value[i], member, name);
            else if (member.kind == Kind::index_maps)
                index_map(value[i], member, name);
            else if (!value[i].isNumeric())
                report(value[i], name, "a number is expected here");
        }
    }

    void index(const Json::Value& value, const Member& member, const std::string& path) {
        if (!value.isUInt64())
            return report(value, path, "a non-negative integer is expected here");
        const Json::Value* target = found_below_root(member.target);
        const std::size_t size = target && target->isArray() ? target->size() : 0;
        if (value.asUInt64() >= size)
            report(value, path,
                   fmt::format("index {} is out of range, there are {} {}", value.asUInt64(), size,
                               member.target));
    }

    const Json::Value* found_below_root(std::string_view path) const {
        const Json::Value* found = &root_;
        while (found && found->isObject() && !path.empty()) {
            const std::string_view name = path.substr(0, path.find('/'));
            found = found->find(name.data(), name.data() + name.size());
            path.remove_prefix(std::min(path.size(), name.size() + 1));
        }
        return path.empty() ? found : nullptr;
    }

    void report(const Json::Value& value, const std::string& path, const std::string& what) {
        if (found_.size() >= kMaxDiagnostics) return;
        found_.push_back({.code = "gltf/schema",
                          .severity = Severity::error,
                          .message = path.empty() ? what : fmt::format("{}: {}", path, what),
                          .where = source_.place_of(value),
                          .hint = {}});
    }

    const Json::Value& root_;
    const JsonSource& source_;
    Diagnostics found_;
};

} // namespace

SourcePlace JsonSource::place_of(const Json::Value& value) const {
    return place_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(value.getOffsetStart(), 0)));
}

SourcePlace JsonSource::place_at(std::size_t offset) const {
    SourcePlace place{.file = file, .line = 0, .column = 0, .length = 1, .line_text = {}};
    if (binary) return place;
    offset = std::min(offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
    constexpr std::size_t kMaxShown = 200;                 // a line may hold megabytes of base64
    const std::size_t line_end = std::min(text.find('\n', offset), text.size());
    place.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    place.column = static_cast<int>(offset - line_start) + 1;
    if (line_end - line_start <= kMaxShown)
        place.line_text = text.substr(line_start, line_end - line_start);
    return place;
}

Diagnostics check_schema(const Json::Value& root, const JsonSource& source) {
    Checker checker(root, source);
    checker.object(root, kRoot, "");
    Diagnostics found = checker.take();
    if (!found.empty()) return found;
    checker.buffer_views();
    return checker.take();
}

} // namespace tuff::gltf
