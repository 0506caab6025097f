#include "config/read/read_volume.hpp"

#include "config/read/read_array_asset.hpp"

#include <tuff/buffer_elements.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace tuff {
namespace {

constexpr double kMinSpacing = 1e-30;
constexpr double kMaxPlace = 1e30;
constexpr double kMaxFrame = 4294967295.0;

std::array<double, 3> three(std::span<const double> numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

/// Reads what a config says in place of a header.
class RawReader {
  public:
    RawReader(const SourceFile& source, ObjectReader& entry, AssetDecl& decl, Problems& problems)
        : source_(source), entry_(entry), decl_(decl), problems_(problems) {}

    void read() {
        RawLayout layout;
        const auto type = entry_.text("type");
        if (type) layout.type = read_element_type(*type, problems_).value_or(layout.type);
        layout.channels = static_cast<std::uint32_t>(entry_.whole("channels", 1, 4).value_or(1));
        layout.offset = entry_.whole("offset", 0, kMaxRawOffset).value_or(0);
        if (const auto order = entry_.text("byte_order")) {
            if (std::ranges::find(kByteOrderNames, order->text) == kByteOrderNames.end())
                problems_.error("config/bad-format", order->span,
                                fmt::format("there is no byte order \"{}\"", order->text),
                                "it is \"little\" or \"big\"");
            layout.big_endian = order->text == "big";
        }
        const Json::Value* const size = entry_.find("size");
        if (!entry_.has("type")) {
            for (const char* key : {"size", "channels", "byte_order", "offset"})
                if (entry_.has(key)) {
                    entry_.require("type"); // else the file's own header says all this
                    return;
                }
            return;
        }
        entry_.require("size");
        decl_.spec.volume.raw = layout;
        if (size) add_size(*size);
    }

  private:
    void add_size(const Json::Value& json) {
        auto expr = read_value(source_, json, problems_);
        if (!expr) return;
        decl_.numbers.push_back({std::move(*expr),
                                 {.what = fmt::format("\"size\" of {}", entry_.what()),
                                  .count = 3,
                                  .low = 1,
                                  .high = kMaxConfigSide,
                                  .whole = true},
                                 [](AssetSpec& spec, std::span<const double> n) {
                                     const auto side = [&](std::size_t i) {
                                         return static_cast<std::uint32_t>(n[i]);
                                     };
                                     spec.volume.raw->extent = {side(0), side(1), side(2)};
                                 }});
    }

    const SourceFile& source_;
    ObjectReader& entry_;
    AssetDecl& decl_;
    Problems& problems_;
};

} // namespace

NumberRule spacing_rule(const std::string& what) {
    return {.what = fmt::format("\"spacing\" of {}", what),
            .count = 3,
            .low = kMinSpacing,
            .high = kMaxPlace};
}

NumberRule origin_rule(const std::string& what) {
    return {.what = fmt::format("\"origin\" of {}", what),
            .count = 3,
            .low = -kMaxPlace,
            .high = kMaxPlace};
}

void read_volume(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                 Problems& problems) {
    const auto add = [&](const char* key, NumberRule rule, auto store) {
        const Json::Value* value = entry.find(key);
        if (!value) return;
        if (auto expr = read_value(source, *value, problems))
            decl.numbers.push_back({std::move(*expr), std::move(rule), store});
    };
    add("frame",
        {.what = fmt::format("\"frame\" of {}", entry.what()),
         .low = 0,
         .high = kMaxFrame,
         .whole = true},
        [](AssetSpec& spec, std::span<const double> n) {
            spec.volume.frame = static_cast<std::uint32_t>(n[0]);
        });
    add("spacing", spacing_rule(entry.what()),
        [](AssetSpec& spec, std::span<const double> n) { spec.volume.spacing = three(n); });
    add("origin", origin_rule(entry.what()),
        [](AssetSpec& spec, std::span<const double> n) { spec.volume.origin = three(n); });
    if (const auto array = entry.text("array")) decl.spec.volume.array = array->text;
    decl.spec.volume.normalize = entry.boolean("normalize").value_or(true);
    RawReader(source, entry, decl, problems).read();
}

} // namespace tuff
