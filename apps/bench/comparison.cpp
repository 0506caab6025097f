#include "apps/bench/comparison.hpp"

#include "apps/bench/sizes.hpp"
#include "config/read/source_file.hpp"
#include "core/text_table.hpp"

#include <fmt/format.h>
#include <json/json.h>

#include <charconv>
#include <cmath>

namespace tuff::bench {
namespace {

constexpr double kMaxShare = 1000.0; // of --fail

bool is_row(const Json::Value& row) {
    if (!row.isObject()) return false;
    for (const char* key : {"milliseconds", "milliseconds_low", "milliseconds_high"})
        if (!row[key].isNumeric() || !(row[key].asDouble() >= 0.0)) return false;
    return row["pass"].isString() && row["case"].isString() && row["size"].isUInt64();
}

std::string time_text(double milliseconds) {
    return milliseconds < 1.0 ? fmt::format("{:.4g} us", 1e3 * milliseconds)
                              : fmt::format("{:.4g} ms", milliseconds);
}

} // namespace

Result<Baseline> Baseline::parse(const std::string& name, std::string text) {
    const SourceFile source(name, std::move(text));
    auto root = parse_json(source);
    if (!root) return propagate(std::move(root));
    const auto wrong = [&](const Json::Value& value, std::string what) {
        Diagnostics all = fail("bench/bad-baseline", std::move(what),
                               "give a file that 'tuff bench --json FILE' has written")
                              .error();
        all.front().where = span_of(source, value).place();
        return std::unexpected(std::move(all));
    };
    if (!root->isObject() || !(*root)["rows"].isArray())
        return wrong(*root, "there is no list of \"rows\"");
    Baseline baseline;
    if ((*root)["device"].isString()) baseline.device_ = (*root)["device"].asString();
    if ((*root)["driver"].isString()) baseline.driver_ = (*root)["driver"].asString();
    for (const Json::Value& row : (*root)["rows"]) {
        if (!is_row(row))
            return wrong(row, "a row needs \"pass\", \"case\", \"size\" and its \"milliseconds\" "
                              "with \"_low\" and \"_high\"");
        baseline.rows_[{row["pass"].asString(), row["case"].asString(), row["size"].asUInt64()}] = {
            .median = row["milliseconds"].asDouble(),
            .low = row["milliseconds_low"].asDouble(),
            .high = row["milliseconds_high"].asDouble(),
            .samples = 1};
    }
    return baseline;
}

std::optional<Summary> Baseline::find(const Measurement& m) const {
    const auto found = rows_.find({m.pass, m.name, m.size});
    if (found == rows_.end()) return {};
    return found->second;
}

std::vector<Comparison> compare(const std::vector<Measurement>& measurements,
                                const Baseline& baseline) {
    std::vector<Comparison> all;
    for (const Measurement& m : measurements) {
        if (!m.measured()) continue;
        if (const auto before = baseline.find(m))
            all.push_back({.pass = m.pass,
                           .name = m.name,
                           .size = m.size,
                           .before = *before,
                           .now = m.milliseconds});
    }
    return all;
}

std::string comparison_table(const std::vector<Comparison>& comparisons, double share) {
    TextTable table({Align::left, Align::left, Align::right, Align::right, Align::right,
                     Align::right, Align::left});
    table.add({"pass", "case", "size", "before", "now", "change", ""});
    for (const Comparison& c : comparisons)
        table.add({c.pass, c.name, size_text(c.size), time_text(c.before.median),
                   time_text(c.now.median), fmt::format("{:+.1f} %", 100.0 * (c.ratio() - 1.0)),
                   c.slower_than(share) ? "slower" : ""});
    return table.text();
}

Result<double> parse_share(const std::string& text) {
    double percent = 0.0;
    const char* end = text.data() + text.size();
    if (text.ends_with('%')) --end;
    const auto [stop, error] = std::from_chars(text.data(), end, percent);
    if (error != std::errc() || stop != end || !(percent >= 0.0) || percent > 100.0 * kMaxShare)
        return fail("bench/bad-share", fmt::format("--fail cannot be '{}'", text),
                    "write a percentage from 0 up, as 5%");
    return percent / 100.0;
}

} // namespace tuff::bench
