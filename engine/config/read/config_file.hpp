#pragma once

#include "config/read/asset_spec.hpp"
#include "config/read/kernel_decl.hpp"
#include "config/read/source_file.hpp"
#include "config/read/value.hpp"

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// A text of the config and where it stands.
struct Placed {
    std::string text;
    Span span;
};

struct ParameterDecl {
    Placed name;
    std::string doc;
    ValueExpr value;
    bool faulty = false; ///< the value could not be read, which has been reported
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Numbers of an asset or a history: what they may be.
struct NumberRule {
    std::string what;      ///< in messages, "\"cell\" of asset \"a\""
    std::size_t count = 0; ///< of a list; 0: one number
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool whole = false;
};

/// Numbers of an asset, and where they belong in its spec.
struct SpecNumbers {
    ValueExpr value;
    NumberRule rule;
    std::function<void(AssetSpec& spec, std::span<const double> numbers)> store;
};

struct AssetDecl {
    Placed name;
    AssetSpec spec;                   ///< without `numbers` and `size`
    std::vector<SpecNumbers> numbers; ///< computed when the config is built
    std::optional<ValueExpr> size;    ///< of a generated or drawn image; none: that in `spec`
    Span span;
};

/// What says that an image or a buffer is a rank's part of the domain's field.
struct PartDecl {
    Span span;
    ValueExpr halo;
};

struct HistoryDecl {
    Placed name;
    Placed from; ///< empty where it could not be read
    Format format = Format::undefined;
    ValueExpr size;
    std::optional<ValueExpr> clear; ///< four numbers; none: zeros
    std::optional<PartDecl> part;
};

struct InputDecl {
    Placed name;
    Placed type;
    std::optional<Placed> fallback; ///< the asset that stands for it where nothing is connected
};

struct ConnectionDecl {
    Placed port;
    std::vector<Placed> wires;
    bool list = false; ///< written as a list
};

struct ArgumentDecl {
    Placed name; ///< flattened, "camera.position"
    ValueExpr value;
};

/// A node that runs several times: "repeat", or "until" with "max".
struct LoopDecl {
    struct Carried {
        Placed input;
        Placed output;
    };
    Span span;
    std::optional<ValueExpr> count; ///< none: could not be read, which has been reported
    std::optional<Placed> until;    ///< an output of the body
    std::vector<Carried> carried;
};

struct NodeDecl {
    Placed name;
    Placed target; ///< the pass, the config file of a `use`, or the file of a kernel
    bool use = false;
    std::optional<KernelDecl> kernel; ///< of its own, instead of a pass
    std::vector<ConnectionDecl> connections;
    std::vector<ArgumentDecl> arguments;
    std::optional<LoopDecl> loop;
    std::optional<ValueExpr> when; ///< none: always
    /// What stands for an output while the node is off.
    struct Otherwise {
        Placed output; ///< empty: the only one
        Placed wire;
    };
    std::vector<Otherwise> otherwise;
    std::optional<QueueHint> queue; ///< none: that of the node that uses this config, if any

    /// Another config that is expanded once, where it stands.
    bool is_plain_use() const { return use && !loop; }
};

struct OutputDecl {
    Placed name;
    Placed from;
    std::optional<Placed> file;
    std::optional<ValueExpr> spacing; ///< of a volume, instead of what it was made from
    std::optional<ValueExpr> origin;
    std::optional<PartDecl> part;
};

/// What the spacing and the origin of a volume may be.
NumberRule spacing_rule(const std::string& what);
NumberRule origin_rule(const std::string& what);

/// One config file as read, before names are looked up. Members are sorted by name, so that the
/// order of lines in the file plays no part in what follows.
struct ConfigFile {
    std::shared_ptr<const SourceFile> source;
    std::string description;
    std::string credits;
    std::array<std::uint32_t, 2> size = {1280, 720};
    std::optional<ConfigDomain> domain;
    std::vector<ParameterDecl> parameters;
    std::vector<AssetDecl> assets;
    std::vector<HistoryDecl> histories;
    std::vector<InputDecl> inputs;
    std::vector<NodeDecl> nodes;
    std::vector<OutputDecl> outputs;
    Span outputs_span;

    Span start() const { return {source.get(), 0, 1}; }
};

/// What "$name" means in every config.
inline constexpr std::array<std::string_view, 6> kBuiltInNames = {"frame", "time",   "dt",
                                                                  "width", "height", "iteration"};

/// What "$name" means as well where the config has a domain, unless a parameter has that name.
inline constexpr std::array<std::string_view, 11> kDomainNames = {
    "rank",        "ranks",      "part_x",  "part_y",  "part_z", "part_width",
    "part_height", "part_depth", "cells_x", "cells_y", "cells_z"};

/// The most processes along an axis of a domain.
inline constexpr std::uint32_t kMaxRanksOfAxis = 65'536;
/// The widest halo of a part.
inline constexpr std::uint32_t kMaxPartHalo = 64;
/// The most cells of a domain along an axis.
inline constexpr std::uint32_t kMaxDomainCells = 1'000'000'000;

/// What a node's "queue" may be.
inline constexpr std::array<std::string_view, 3> kQueueNames = {"graphics", "compute", "transfer"};

/// The most iterations of a loop.
inline constexpr std::uint32_t kMaxConfigRepeats = 100'000;

/// The largest "$width" or "$height".
inline constexpr std::uint32_t kMaxConfigSide = 16384;

/// Reads the structure of a config: keys, types, sizes, names. What is sound of a faulty file is
/// returned as well, so that later checks find more; `problems` tells. Nothing is returned where
/// the file is not JSON.
std::optional<ConfigFile> read_config(std::shared_ptr<const SourceFile> source, Problems& problems);

} // namespace tuff
