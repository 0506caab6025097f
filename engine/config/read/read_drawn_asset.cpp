#include "config/read/read_drawn_asset.hpp"

#include <tuff/drawing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace tuff {
namespace {

constexpr double kMaxLetterSize = 4096.0;

void read_extent(const SourceFile& source, ObjectReader& entry, const std::string& key,
                 AssetDecl& decl, Problems& problems) {
    const Json::Value* size = entry.find(key);
    if (!size) return;
    decl.size = read_value(source, *size, problems);
    decl.spec.sized = true;
}

} // namespace

void read_text_asset(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                     Problems& problems) {
    AssetSpec& spec = decl.spec;
    spec.text.text = std::exchange(spec.file, {});
    if (const auto font = entry.text("font")) {
        spec.file = font->text;
        if (font->text.empty())
            problems.error("config/bad-file", font->span, "the file name is empty");
    }
    const auto add = [&](const char* key, double low, double high, auto store) {
        const Json::Value* value = entry.find(key);
        if (!value) return;
        NumberRule rule{
            .what = fmt::format("\"{}\" of {}", key, entry.what()), .low = low, .high = high};
        if (auto expr = read_value(source, *value, problems))
            decl.numbers.push_back({std::move(*expr), std::move(rule), store});
    };
    add("size", 1.0, kMaxLetterSize,
        [](AssetSpec& s, std::span<const double> n) { s.text.size = static_cast<float>(n[0]); });
    add("padding", 0.0, kMaxLetterSize,
        [](AssetSpec& s, std::span<const double> n) { s.text.padding = static_cast<float>(n[0]); });
    if (const auto align = entry.text("align")) {
        const auto found = std::ranges::find(kTextAlignNames, align->text);
        if (found == kTextAlignNames.end())
            problems.error("config/bad-format", align->span,
                           fmt::format("lines of a text cannot be \"{}\"", align->text),
                           suggest(align->text, {kTextAlignNames.begin(), kTextAlignNames.end()}));
        else
            spec.text.align = static_cast<TextAlign>(found - kTextAlignNames.begin());
    }
    read_extent(source, entry, "box", decl, problems);
}

void read_drawing(const SourceFile& source, ObjectReader& entry, AssetDecl& decl,
                  Problems& problems) {
    read_extent(source, entry, "size", decl, problems);
    decl.spec.coverage = entry.boolean("coverage").value_or(false);
    if (decl.spec.series && (decl.spec.sized || decl.spec.coverage))
        problems.error("config/bad-asset", entry.span(),
                       fmt::format("{} is a sequence, whose pictures have their own size and their "
                                   "colours",
                                   entry.what()),
                       "leave \"size\" and \"coverage\" out");
}

} // namespace tuff
