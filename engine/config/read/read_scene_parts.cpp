#include "config/read/read_scene_parts.hpp"

#include "config/read/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace tuff {
namespace {

constexpr double kFarthest = 1e6;  // lengths, and coordinates
constexpr double kSmallest = 1e-6; // of scales and sizes
constexpr double kBrightest = 65504.0;
constexpr std::uint64_t kMaxSeed = 0xffffffffu;
constexpr std::uint64_t kFewestWindings = 3; // of a knot
constexpr std::uint64_t kMaxWindings = 8;

template <std::size_t N>
void put(std::array<float, N>& to, std::span<const double> numbers) {
    std::ranges::transform(numbers, to.begin(), [](double n) { return static_cast<float>(n); });
}

void put(float& to, std::span<const double> numbers) {
    to = static_cast<float>(numbers[0]);
}

/// Reads one part of a scene, whose numbers may be expressions.
class PartReader {
  public:
    PartReader(const SourceFile& source, AssetDecl& decl, Problems& problems)
        : source_(source), decl_(decl), problems_(problems), index_(decl.spec.parts.size()) {
        decl.spec.parts.emplace_back();
    }

    void read(const Json::Value& json, const std::string& what) {
        ObjectReader object(source_, json, what, problems_);
        ScenePartSpec& part = decl_.spec.parts[index_];
        const auto model = object.text("model");
        if (model) part.file = model->text;
        if (model && model->text.empty())
            problems_.error("config/bad-file", model->span, "the file name is empty");
        using Part = ScenePartSpec;
        add(object, "plane", 2, kSmallest, kFarthest, [](Part& p, auto n) { put(p.plane, n); });
        if (const auto seed = object.whole("arcade", 0, kMaxSeed))
            part.arcade = static_cast<std::uint32_t>(*seed);
        if (const auto windings = object.whole("knot", kFewestWindings, kMaxWindings))
            part.knot = static_cast<std::uint32_t>(*windings);
        if (const auto seed = object.whole("tree", 0, kMaxSeed))
            part.tree = static_cast<std::uint32_t>(*seed);
        const int shapes = object.has("model") + object.has("plane") + object.has("arcade") +
                           object.has("knot") + object.has("tree");
        if (shapes != 1 && json.isObject())
            problems_.error(
                "config/bad-asset", object.span(),
                fmt::format(
                    R"({} must have exactly one of "model", "plane", "arcade", "knot" and "tree")",
                    what));
        move(object, "translate", 3, -kFarthest, kFarthest,
             [](Part& p, auto n) { put(p.translate, n); });
        move(object, "rotate", 3, -kFarthest, kFarthest, [](Part& p, auto n) { put(p.rotate, n); });
        move(object, "scale", 0, kSmallest, kFarthest, [](Part& p, auto n) { put(p.scale, n); });
        if (const Json::Value* material = object.find_object("material"))
            read_material(*material, fmt::format("material of {}", what));
        object.finish();
    }

  private:
    void read_material(const Json::Value& json, const std::string& what) {
        ObjectReader object(source_, json, what, problems_);
        decl_.spec.parts[index_].material.emplace();
        using Part = ScenePartSpec;
        move(object, "base_color", 4, 0.0, 1.0,
             [](Part& p, auto n) { put(p.material->base_color, n); });
        move(object, "emissive", 3, 0.0, kBrightest,
             [](Part& p, auto n) { put(p.material->emissive, n); });
        move(object, "metallic", 0, 0.0, 1.0,
             [](Part& p, auto n) { put(p.material->metallic, n); });
        move(object, "roughness", 0, 0.0, 1.0,
             [](Part& p, auto n) { put(p.material->roughness, n); });
        object.finish();
    }

    using Store = void (*)(ScenePartSpec& part, std::span<const double> numbers);

    /// Numbers, `count` of them or, where that is 0, one without a list. False: not given.
    bool add(ObjectReader& object, const char* key, std::size_t count, double low, double high,
             Store store) {
        const Json::Value* value = object.find(key);
        auto expr = value ? read_value(source_, *value, problems_) : std::nullopt;
        if (!expr) return false;
        decl_.numbers.push_back(
            {std::move(*expr),
             {.what = fmt::format("\"{}\" of {}", key, object.what()),
              .count = count,
              .low = low,
              .high = high},
             [store, index = index_](AssetSpec& spec, std::span<const double> numbers) {
                 store(spec.parts[index], numbers);
             }});
        return true;
    }
    /// The same for what moves the part, or changes its material, without other vertices.
    void move(ObjectReader& object, const char* key, std::size_t count, double low, double high,
              Store store) {
        if (add(object, key, count, low, high, store) && !is_constant(decl_.numbers.back().value))
            decl_.spec.moves = true;
    }

    const SourceFile& source_;
    AssetDecl& decl_;
    Problems& problems_;
    std::size_t index_;
};

} // namespace

void read_scene_parts(const SourceFile& source, const Json::Value& json, const std::string& what,
                      AssetDecl& decl, Problems& problems) {
    if (!json.isArray() || json.empty()) {
        problems.error("config/wrong-type", span_of(source, json),
                       fmt::format("\"scene\" of {} must be a list of parts", what),
                       R"([{"model": "a.obj"}, {"plane": [4, 4]}])");
        return;
    }
    for (Json::ArrayIndex i = 0; i < json.size(); ++i)
        PartReader(source, decl, problems).read(json[i], fmt::format("part {} of {}", i, what));
}

} // namespace tuff
