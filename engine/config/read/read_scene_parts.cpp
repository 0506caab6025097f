#include "config/read/read_scene_parts.hpp"

#include "config/read/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tuff {
namespace {

constexpr double kFarthest = 1e6;  // lengths, and coordinates
constexpr double kSmallest = 1e-6; // of scales and sizes
constexpr double kBrightest = 65504.0;

/// Reads numbers into arrays, and reports those out of range.
class Numbers {
  public:
    Numbers(ObjectReader& object, Problems& problems) : object_(object), problems_(problems) {}

    template <std::size_t N>
    void list(const char* key, std::array<float, N>& to, double low, double high) {
        const auto numbers = object_.numbers(key, N);
        if (!numbers || !within(key, *numbers, low, high)) return;
        std::ranges::transform(*numbers, to.begin(),
                               [](double n) { return static_cast<float>(n); });
    }
    void one(const char* key, float& to, double low, double high) {
        const Json::Value* value = object_.find(key);
        if (!value) return;
        if (!value->isNumeric()) {
            problems_.error("config/wrong-type", object_.span(*value),
                            fmt::format("\"{}\" must be a number", key));
            return;
        }
        if (within(key, {value->asDouble()}, low, high)) to = value->asFloat();
    }

  private:
    bool within(const char* key, const std::vector<double>& numbers, double low, double high) {
        for (const double number : numbers)
            if (!(number >= low && number <= high)) {
                problems_.error(
                    "config/out-of-range", object_.key(key),
                    fmt::format("\"{}\" is {}, not within [{}, {}]", key, number, low, high));
                return false;
            }
        return true;
    }

    ObjectReader& object_;
    Problems& problems_;
};

ScenePartSpec::Material read_material(const SourceFile& source, const Json::Value& json,
                                      const std::string& what, Problems& problems) {
    ObjectReader object(source, json, fmt::format("material of {}", what), problems);
    Numbers numbers(object, problems);
    ScenePartSpec::Material material;
    numbers.list("base_color", material.base_color, 0.0, 1.0);
    numbers.list("emissive", material.emissive, 0.0, kBrightest);
    numbers.one("metallic", material.metallic, 0.0, 1.0);
    numbers.one("roughness", material.roughness, 0.0, 1.0);
    object.finish();
    return material;
}

ScenePartSpec read_part(const SourceFile& source, const Json::Value& json, const std::string& what,
                        Problems& problems) {
    ObjectReader object(source, json, what, problems);
    Numbers numbers(object, problems);
    ScenePartSpec part;
    const auto model = object.text("model");
    if (model) part.file = model->text;
    if (model && model->text.empty())
        problems.error("config/bad-file", model->span, "the file name is empty");
    numbers.list("plane", part.plane, kSmallest, kFarthest);
    if (object.has("model") == object.has("plane") && json.isObject())
        problems.error("config/bad-asset", object.span(),
                       fmt::format("{} must have exactly one of \"model\" and \"plane\"", what));
    numbers.list("translate", part.translate, -kFarthest, kFarthest);
    numbers.list("rotate", part.rotate, -kFarthest, kFarthest);
    numbers.one("scale", part.scale, kSmallest, kFarthest);
    if (const Json::Value* material = object.find_object("material"))
        part.material = read_material(source, *material, what, problems);
    object.finish();
    return part;
}

} // namespace

std::vector<ScenePartSpec> read_scene_parts(const SourceFile& source, const Json::Value& json,
                                            const std::string& what, Problems& problems) {
    std::vector<ScenePartSpec> parts;
    if (!json.isArray() || json.empty()) {
        problems.error("config/wrong-type", span_of(source, json),
                       fmt::format("\"scene\" of {} must be a list of parts", what),
                       R"([{"model": "a.obj"}, {"plane": [4, 4]}])");
        return parts;
    }
    for (Json::ArrayIndex i = 0; i < json.size(); ++i)
        parts.push_back(
            read_part(source, json[i], fmt::format("part {} of {}", i, what), problems));
    return parts;
}

} // namespace tuff
