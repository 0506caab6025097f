#pragma once

#include "config/read/config_file.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tuff {

inline constexpr std::uint32_t kNoIndex = ~0u;

/// Where a wire comes from, after inputs and outputs of used configs have been followed.
struct Wire {
    enum class Kind : std::uint8_t { none, node, asset, history, input };

    Kind kind = Kind::none;
    std::uint32_t index =
        0; ///< into FlatConfig::nodes, assets or histories; of the main file's input
    std::uint32_t port = 0; ///< output of a node
    std::string member;     ///< of a bundle; may be empty
};

/// Names of one file, for looking up.
struct FileNames {
    using Map = std::unordered_map<std::string, std::uint32_t>;
    Map parameters, assets, histories, inputs, nodes, outputs;

    explicit FileNames(const ConfigFile& file);
};

struct LoadedFile {
    std::filesystem::path path;
    ConfigFile config;
    FileNames names;
    std::vector<std::uint32_t> parameter_order; ///< each follows what its value refers to
};

/// One instance of a file: the main config, or a node that uses another.
struct FlatScope {
    const LoadedFile* file = nullptr;
    std::uint32_t parent = kNoIndex;
    const NodeDecl* user = nullptr;    ///< null: the main config
    std::string path;                  ///< "post/" or, for the main config, ""
    std::uint32_t first_asset = 0;     ///< its assets follow one another in FlatConfig::assets
    std::uint32_t first_history = 0;   ///< the same, in FlatConfig::histories
    std::vector<std::uint32_t> nodes;  ///< by node of the file: into FlatConfig::nodes or scopes
    std::vector<const Placed*> inputs; ///< by input of the file: a wire in the parent, or null
    std::vector<const ArgumentDecl*> arguments; ///< by parameter: given by the user, or null
};

struct FlatInput {
    std::uint32_t port = 0;
    Wire wire;
    Span span;
};

struct FlatConfig;

/// What a node does that runs several times.
struct FlatLoop {
    struct Carried {
        std::uint32_t input = 0;
        std::uint32_t output = 0; ///< of the body
    };
    const PassDescriptor* pass = nullptr;   ///< the body, or
    std::shared_ptr<const FlatConfig> body; ///< the used config
    std::vector<PortInfo> outputs;          ///< of the body
    std::vector<Carried> carried;
    std::uint32_t until = kNoIndex; ///< output of the body
    /// How the node looks from outside. Its outputs are those of the body; with `until`, what is
    /// carried and then "iterations".
    PassDescriptor face;
};

struct FlatNode {
    std::string path;
    const NodeDecl* decl = nullptr;
    const PassDescriptor* pass = nullptr; ///< null: unknown, and reported; of a loop: its face
    std::shared_ptr<FlatLoop> loop;       ///< null: runs once
    std::uint32_t scope = 0;
    std::vector<FlatInput> inputs;
    std::vector<FlatInput> otherwise; ///< by output: what stands for it while the node is off
    std::vector<std::pair<std::uint32_t, const ArgumentDecl*>> arguments; ///< parameter, value
};

struct FlatAsset {
    std::string path;
    const AssetDecl* decl = nullptr;
    std::uint32_t scope = 0;
    const PassDescriptor* decoder = nullptr; ///< of a file that the device decodes
    bool used = false;
};

struct FlatHistory {
    std::string path;
    const HistoryDecl* decl = nullptr;
    std::uint32_t scope = 0;
    Wire from;
    bool used = false;
};

struct FlatOutput {
    const OutputDecl* decl = nullptr;
    Wire wire;
};

/// A config and all it uses as flat arrays, names looked up. `nodes` stand in an order in which
/// each comes after those it reads from.
struct FlatConfig {
    std::vector<std::unique_ptr<const LoadedFile>> files; ///< the main one first
    std::vector<FlatScope> scopes;                        ///< the main one first, parents first
    std::vector<FlatNode> nodes;
    std::vector<FlatAsset> assets;
    std::vector<FlatHistory> histories;
    std::vector<FlatOutput> outputs;
    std::vector<std::unique_ptr<const PassDescriptor>> kernels; ///< of nodes that bring their own
    std::set<std::filesystem::path> kernel_files;               ///< those read, and their includes
    std::vector<std::filesystem::path> confined_to;             ///< see ConfigOptions
    Diagnostics warnings;
    bool is_body = false; ///< of a loop

    const ConfigFile& main() const { return files.front()->config; }
};

/// Finds what the wire `text` means in `scope`, reporting config/unknown-wire and
/// config/unknown-port at `span`. A wire of kind `none` has been reported, or leads to a node that
/// has.
Wire resolve_wire(const FlatConfig& flat, std::uint32_t scope, const Placed& wire,
                  Problems& problems);

/// The asset that stands for an input of the main file where nothing is connected, if one does.
std::optional<std::uint32_t> fallback_of(const FlatConfig& flat, const InputDecl& input);

/// "Image", "Scene", ...; empty where it is known only when the graph is built.
std::string_view wire_type(const FlatConfig& flat, const Wire& wire);

/// Every type that a port of a pass or an asset has, sorted.
std::vector<std::string> known_port_types(const PassRegistry& registry);

/// Reads a file. Errors: config/not-found, config/unreadable, config/too-large.
Result<std::string> read_text_file(const std::filesystem::path& path);

/// Calls `visit` with each value that is written in the file.
void for_each_value(const ConfigFile& file, const std::function<void(const ValueExpr&)>& visit);

/// True where some value of the config refers to "$iteration".
bool uses_iteration(const FlatConfig& flat);

/// What is worked out of a file that has been read. Reports config/cycle where parameters refer to
/// each other in a circle, and calls those faulty.
std::unique_ptr<LoadedFile> make_loaded_file(const std::filesystem::path& path, ConfigFile config,
                                             Problems& problems);

/// Expands `main` and the configs it uses, looks up every name and sorts the nodes. All mistakes go
/// to `problems`; the result is only to be built from where there is no error.
std::shared_ptr<FlatConfig> flatten(std::unique_ptr<LoadedFile> main, const PassRegistry& registry,
                                    std::vector<std::filesystem::path> confined_to,
                                    Problems& problems);

/// Sorts the nodes so that each comes after those it reads from, ties by path. Reports config/cycle
/// for each cycle.
void sort_nodes(FlatConfig& flat, Problems& problems);

/// Warns of what is declared and not used.
void warn_unused(const FlatConfig& flat, Problems& problems);

/// The names of some ports, to suggest from.
std::vector<std::string> port_names(const std::vector<PortInfo>& ports);

} // namespace tuff
