#pragma once

#include <tuff/asset_cache.hpp>
#include <tuff/device_caps.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/graph_desc.hpp>
#include <tuff/pass.hpp>
#include <tuff/ranks.hpp>
#include <tuff/shader_interface.hpp>
#include <tuff/volume.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Graph configs: JSON files (comments allowed) that declare assets, parameters, nodes and outputs.
/// docs/configs.md explains the format, `json_schema` describes it to editors.
///
///     auto config = Config::load("demo.json", registry);
///     AssetCache assets;
///     auto built = config->build(shaders, assets, {.frame = 0});
///     auto plan = compile(built->graph, device.caps());
namespace tuff {

/// The built-in values "$frame", "$time" and "$dt".
struct FrameTime {
    std::int64_t frame = 0; ///< number, from 0
    double time = 0.0;      ///< seconds since the first frame
    double dt = 1.0 / 60.0; ///< seconds since the frame before
};

/// A parameter of a config, as `--set` and the viewer see it.
struct ConfigParameter {
    std::string name;     ///< for `set`
    std::string doc;      ///< its text in the config
    ParameterValue value; ///< current; if it changes with the frame, the value at the first
    double low = -std::numeric_limits<double>::infinity(); ///< smallest value
    double high = std::numeric_limits<double>::infinity(); ///< largest value
    /// Its definition if that is not a plain value: "keyframes", "$sigma", "=2*$sigma". It holds
    /// until the parameter is set.
    std::string follows;
};

/// A field that several processes have in parts: "domain" of a config.
struct ConfigDomain {
    std::array<std::uint32_t, 3> cells = {1, 1, 1}; ///< of the whole field, along x, y, z
    std::array<std::uint32_t, 3> ranks = {0, 0, 0}; ///< grid of processes; zeros: not said
};

/// A result that is kept, and its file (empty: none). Relative files count from the working
/// folder.
struct ConfiguredOutput {
    std::string name;           ///< for `Executor::read_image`
    std::filesystem::path file; ///< empty: none
    std::string type;           ///< "Image", "Buffer"; empty: not known before the graph is built
    SourcePlace where;          ///< of the file's name in the config
    /// For a volume, once the graph is built: its place in the world, from the config or else from
    /// the one asset of its size that it is made from.
    std::optional<VolumeGeometry> geometry = {};
    /// Whether it is a rank's part of a field, which files hold as a whole.
    bool of_field = false;
    /// That part, once the graph is built.
    std::optional<FieldPart> part = {};
};

/// A pass of a config, as it was added to the graph.
struct ConfiguredNode {
    std::string name; ///< the full path, "post/blur"
    std::string pass; ///< "image/gaussian"
    Cost cost;        ///< declared by the pass
    /// Set if it knows nothing of ranks and works on the cells of this one alone: the size of the
    /// part of the domain that it reads, halo included, "194x130". Empty for filters where halos
    /// are exchanged, and for sums of a part that a pass with ranks reads.
    std::string own_part = {};
};

/// A config turned into a graph, ready for `compile`. `graph.diagnostics` holds warnings only.
struct ConfiguredGraph {
    GraphDesc graph;                          ///< what to compile
    std::vector<ConfiguredOutput> outputs;    ///< each is an output of `graph` of the same name
    std::vector<ConfiguredNode> nodes;        ///< in the order they were added
    std::vector<std::filesystem::path> files; ///< of its assets
};

struct FlatConfig;  // engine/config: the checked, flattened form
struct DomainInput; // engine/config: of expressions

/// An input of a config that a host connects to its own resource.
struct ConfigImport {
    std::variant<ImageDesc, BufferDesc> desc; ///< of the resource
    ImportState state;                        ///< its states before and after an execution
};

/// Contents that a program gives to an input of a config.
struct ConfigContents {
    std::variant<ImageDesc, BufferDesc> desc;            ///< of the resource
    std::shared_ptr<const std::vector<std::byte>> bytes; ///< texels, or those of the buffer
};

/// How a config is loaded.
struct ConfigOptions {
    /// Folders that it may read from, after following all links: the configs that it uses, its
    /// assets and the files that these name. Empty: anywhere. Kernels must always be beside their
    /// config.
    std::vector<std::filesystem::path> confined_to = {};
};

/// A loaded and checked config. Copies share the loaded data and have their own settings.
class Config {
  public:
    /// Reads and checks `path` and the configs it uses. All errors are reported, each with its
    /// place; docs/diagnostics.md lists the codes. `registry` must outlive the config.
    static Result<Config> load(const std::filesystem::path& path, const PassRegistry& registry,
                               const ConfigOptions& options = {});

    /// The same for a text. Diagnostics call it `file_name`, and relative files are searched in the
    /// folder of that name.
    static Result<Config> parse(std::string_view text, const std::filesystem::path& file_name,
                                const PassRegistry& registry, const ConfigOptions& options = {});

    /// Replaces a parameter of the config, "width" or "height", or a parameter of a node:
    /// "display.operator", "post/blur.sigma", "post.strength". `value_text` is written as in JSON;
    /// texts need no quotes and lists no brackets. Errors: config/unknown-parameter,
    /// config/wrong-type, config/out-of-range, config/bad-size, pass/out-of-range,
    /// pass/unknown-choice. Nothing changes on error.
    Result<void> set(std::string_view name, std::string_view value_text);

    /// Reverts all changes of `set`.
    void unset();

    /// The processes that have its domain, and which of them this is: what "$rank" and "$part_x"
    /// mean, and `Graph::set_ranks`. By default one process has all of it. Errors:
    /// config/no-domain, mpi/too-many-ranks.
    Result<void> set_ranks(const Ranks& ranks);
    /// The processes that have its domain.
    const Ranks& ranks() const { return ranks_; }

    /// Adds an output under its own name: "node.port", "used/node.port", an asset, or a
    /// member of a bundle ("scene.mesh.vertices"). Errors: config/unknown-wire,
    /// config/unknown-port.
    Result<void> add_output(std::string_view wire);

    /// Connects an input of the config ("inputs"), of type Image, to an image of the host: an
    /// import of the graph with the input's name. Errors: config/unknown-port,
    /// config/wrong-port-type.
    Result<void> import_image(std::string_view input, const ImageDesc& desc,
                              const ImportState& state);
    /// The same for an input of type Buffer.
    Result<void> import_buffer(std::string_view input, const BufferDesc& desc,
                               const ImportState& state);

    /// Reads `file` (relative to the working folder) instead of the file of an asset, or for an
    /// input of type Image, Buffer or Scene: any file for an "image", "array" or "model".
    /// The file is read when the graph is built. Errors: config/unknown-input,
    /// config/wrong-port-type.
    Result<void> set_file(std::string_view name, const std::filesystem::path& file);

    /// Gives an input of type Image contents: the texels of the single mip and layer of `desc`,
    /// which every execution uploads. Other contents of the same size make a graph of
    /// the same structure. Errors: config/unknown-port, config/wrong-port-type, config/wrong-size.
    Result<void> set_contents(std::string_view input, const ImageDesc& desc,
                              std::shared_ptr<const std::vector<std::byte>> texels);
    /// The same for an input of type Buffer.
    Result<void> set_contents(std::string_view input, const BufferDesc& desc,
                              std::shared_ptr<const std::vector<std::byte>> bytes);

    /// Inputs without an import, contents, a file or a default, with their types:
    /// "scene (Image)".
    std::vector<std::string> open_inputs() const;

    /// The access for which `Graph::output` leaves this output: how the host reads it after the
    /// graph, and so its layout. Error: config/unknown-port.
    Result<void> set_output_access(std::string_view output, Access access);

    /// Builds the graph of one frame. Graphs of different frames have the same structure unless a
    /// structural parameter changes. `shaders` must outlive the result. Passes choose kernels for
    /// `target` (`Graph::set_target`), and sizes from `pools` (`Graph::set_pools`). Inputs that
    /// are not connected are errors, config/unconnected-input.
    Result<ConfiguredGraph> build(const ShaderInterfaces& shaders, AssetCache& assets,
                                  const FrameTime& frame = {}, const DeviceCaps& target = {},
                                  const PoolSizes& pools = {}) const;

    /// The config's text for people; may be empty.
    const std::string& description() const;
    /// Authors and licences of its assets; may be empty.
    const std::string& credits() const;
    /// Texels: the value of "$width".
    std::uint32_t width() const { return size_[0]; }
    /// Texels: the value of "$height".
    std::uint32_t height() const { return size_[1]; }
    /// Its domain; null if it has none.
    const ConfigDomain* domain() const;
    /// Its parameters with their current values.
    std::vector<ConfigParameter> parameters() const;
    /// What the parameters of the config and those that it gives to its own nodes are at a frame,
    /// with all expressions worked out, by the names that `set` takes: "exposure", "blur.sigma".
    /// Those of a loop's body are the ones of its first iteration. Left out is what cannot be
    /// worked out.
    std::map<std::string, ParameterValue, std::less<>> values(const FrameTime& frame = {}) const;
    /// Its outputs, including those that were added.
    std::vector<ConfiguredOutput> outputs() const;
    /// Things that work but look wrong: unused assets, parameters and history.
    const Diagnostics& warnings() const;
    /// The files that were read: configs, kernels and what kernels include.
    std::vector<std::filesystem::path> files() const;
    /// The names of the nodes of the config itself, sorted.
    std::vector<std::string> nodes() const;
    /// The pass of a node of the config itself, or its own kernel as a pass; null if the node uses
    /// another config or does not exist. Lives as long as the
    /// config and the registry.
    const PassDescriptor* pass_of(std::string_view node) const;
    /// The kernel files of nodes, as passes named after their files; each once.
    std::vector<const PassDescriptor*> kernels() const;
    /// Whether some value depends on the frame or on time.
    bool animated() const;

  private:
    friend class ConfigBuilder;
    explicit Config(std::shared_ptr<const FlatConfig> flat);
    std::optional<DomainInput> domain_input() const;
    Result<void> check_input(std::string_view input, std::string_view type) const;
    Result<void> import(std::string_view input, std::string_view type, ConfigImport import);
    Result<void> keep_contents(std::string_view input, std::string_view type, std::uint64_t wanted,
                               ConfigContents contents);

    std::shared_ptr<const FlatConfig> flat_;
    std::array<std::uint32_t, 2> size_{};
    Ranks ranks_;
    std::map<std::string, ParameterValue, std::less<>> overrides_;
    std::vector<std::string> extra_outputs_;
    std::map<std::string, ConfigImport, std::less<>> imports_;        ///< by input
    std::map<std::string, std::filesystem::path, std::less<>> files_; ///< by asset or input
    std::map<std::string, ConfigContents, std::less<>> contents_;     ///< by input
    std::map<std::string, Access, std::less<>> output_accesses_;
};

/// The JSON Schema (draft 2020-12) of configs that use the passes of `registry`. It includes the
/// ports and parameters of `kernels`, those of a config.
std::string json_schema(const PassRegistry& registry,
                        std::span<const PassDescriptor* const> kernels = {});

} // namespace tuff
