#include "config/read/read_domain.hpp"

#include "config/read/object_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace tuff {

ConfigDomain read_domain(const SourceFile& source, const Json::Value& json, Problems& problems) {
    ObjectReader entry(source, json, "\"domain\"", problems);
    ConfigDomain domain;
    const auto read_axes = [&](const char* key, std::uint32_t most) {
        std::array<std::uint32_t, 3> axes = {1, 1, 1};
        const auto given = entry.numbers(key, 3);
        for (std::size_t axis = 0; given && axis < 3; ++axis) {
            const double number = (*given)[axis];
            if (number >= 1 && number <= most && number == std::trunc(number))
                axes[axis] = static_cast<std::uint32_t>(number);
            else
                problems.error("config/out-of-range", entry.span(json[key]),
                               fmt::format("\"{}\" of the domain must be three whole numbers "
                                           "from 1 to {}",
                                           key, most));
        }
        return axes;
    };
    if (!entry.has("cells")) entry.require("cells");
    domain.cells = read_axes("cells", kMaxDomainCells);
    if (entry.has("ranks")) domain.ranks = read_axes("ranks", kMaxRanksOfAxis);
    entry.finish();
    return domain;
}

std::optional<PartDecl> read_part(const SourceFile& source, ObjectReader& entry,
                                  const std::string& what, Problems& problems) {
    const Json::Value* const json = entry.find("part");
    if (!json) return std::nullopt;
    PartDecl part{.span = entry.span(*json), .halo = {}};
    ObjectReader reader(source, *json, fmt::format("\"part\" of {}", what), problems);
    reader.require("halo");
    std::optional<ValueExpr> halo;
    if (const Json::Value* const given = reader.find("halo"))
        halo = read_value(source, *given, problems);
    reader.finish();
    if (!halo) return std::nullopt;
    part.halo = std::move(*halo);
    return part;
}

} // namespace tuff
