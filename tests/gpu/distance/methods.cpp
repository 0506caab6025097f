#include "tests/gpu/distance/methods.hpp"

#include "passes/distance/cones.hpp"
#include "passes/distance/erosion.hpp"
#include "passes/distance/exact.hpp"
#include "passes/distance/grassfire.hpp"
#include "passes/distance/saito.hpp"

#include <fmt/format.h>

namespace tuff::testing_distance {
namespace {

using passes::FieldBorder;
using passes::FieldChannels;

/// A method that adds this pass, with the seed connected.
template <typename Pass>
FieldMethod method_of(std::string name, reference::DistanceMetric metric, const Pass& pass) {
    return {name, metric, [name, pass](Graph& graph, Image seed) -> FieldOutputs {
                Pass with_seed = pass;
                with_seed.seed = seed;
                const Pass added = graph.add(with_seed, name);
                return {added.field, added.status};
            }};
}

void add_erosions(std::vector<FieldMethod>& all, const FieldOptions& options) {
    using passes::PassBackEnd;
    for (const auto back_end : {PassBackEnd::compute, PassBackEnd::raster, PassBackEnd::query}) {
        if (back_end == PassBackEnd::query && !options.queries) continue;
        all.push_back(
            method_of(fmt::format("erosion_{}", ChoiceNames<PassBackEnd>::names[int(back_end)]),
                      reference::DistanceMetric::squared_euclid,
                      passes::ErosionDistance{.clamp = options.clamp,
                                              .border = options.border,
                                              .channels = options.channels,
                                              .back_end = back_end}));
    }
}

void add_saitos(std::vector<FieldMethod>& all, const FieldOptions& options) {
    using passes::ColumnMode, passes::SquareMode, passes::RowMode;
    const auto add = [&](const passes::SaitoToriwaki& pass) {
        all.push_back(
            method_of(fmt::format("saito_{}_{}_{}", ChoiceNames<RowMode>::names[int(pass.rows)],
                                  ChoiceNames<ColumnMode>::names[int(pass.columns)],
                                  ChoiceNames<SquareMode>::names[int(pass.squares)]),
                      reference::DistanceMetric::squared_euclid, pass));
    };
    for (const auto columns : {ColumnMode::bounded, ColumnMode::brute, ColumnMode::split})
        for (const auto squares :
             {SquareMode::product, SquareMode::pass, SquareMode::offset, SquareMode::table}) {
            passes::SaitoToriwaki pass{.clamp = options.clamp,
                                       .span = 20,
                                       .columns = columns,
                                       .squares = squares,
                                       .channels = options.channels};
            add(pass);
            pass.rows = RowMode::tiled;
            if (options.clamp != 0) add(pass);
        }
}

void add_grassfires(std::vector<FieldMethod>& all, const FieldOptions& options) {
    using passes::GrassfireMethod, passes::GridMetric;
    for (const auto metric : {GridMetric::manhattan, GridMetric::chessboard})
        for (const auto method :
             {GrassfireMethod::tiles, GrassfireMethod::passes, GrassfireMethod::in_place,
              GrassfireMethod::raster, GrassfireMethod::query}) {
            if (method == GrassfireMethod::query && !options.queries) continue;
            all.push_back(method_of(
                fmt::format("grassfire_{}_{}", ChoiceNames<GridMetric>::names[int(metric)],
                            ChoiceNames<GrassfireMethod>::names[int(method)]),
                metric == GridMetric::manhattan ? reference::DistanceMetric::manhattan
                                                : reference::DistanceMetric::chessboard,
                passes::Grassfire{.metric = metric,
                                  .method = method,
                                  .border = options.border,
                                  .channels = options.channels}));
        }
}

} // namespace

std::vector<FieldMethod> exact_methods(const FieldOptions& options) {
    std::vector<FieldMethod> all;
    add_erosions(all, options);
    if (options.clamp == 0) add_grassfires(all, options);
    if (options.border != FieldBorder::background) return all;
    add_saitos(all, options);
    all.push_back(
        method_of("particles", reference::DistanceMetric::squared_euclid,
                  passes::DistanceParticles{.clamp = options.clamp, .channels = options.channels}));
    if (options.clamp == 0 && options.channels == FieldChannels::one)
        all.push_back(
            method_of("exact", reference::DistanceMetric::squared_euclid, passes::ExactDistance{}));
    return all;
}

} // namespace tuff::testing_distance
