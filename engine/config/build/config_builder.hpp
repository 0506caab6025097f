#pragma once

#include "config/build/asset_loading.hpp"
#include "config/build/own_parts.hpp"
#include "config/check/evaluation.hpp"
#include "config/check/flat_config.hpp"

#include <tuff/config.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// Diagnostics of the graph below `end`, and past those of the entry before, belong to what stands
/// at `span`.
struct Blame {
    std::size_t end = 0;
    Span span;
    const NodeDecl* node = nullptr; ///< whose arguments may be at fault; may be null
};

/// What the builders of a config and of the bodies of its loops share.
struct BuildContext {
    Graph graph;
    AssetCache& cache;
    std::array<std::uint32_t, 2> size{};
    FrameTime frame;
    std::optional<DomainInput> domain = {};
    std::map<std::string, std::filesystem::path, std::less<>> files = {}; ///< of Config::set_file
    std::map<std::string, ConfigContents, std::less<>> contents = {}; ///< of Config::set_contents
    Problems problems = {};
    std::map<std::string, PortValue> asset_values = {}; ///< by key: equal assets enter once
    std::size_t unshared_assets = 0;                    ///< that have no key of their own
    std::set<std::filesystem::path> files_read = {};    ///< of assets
    std::map<ResourceId, VolumeGeometry> volumes = {};  ///< assets that are volumes
    std::vector<Blame> blames = {};
    std::vector<ConfiguredNode> nodes = {};
    OwnParts own_parts = OwnParts(domain);
    const ShaderInterfaces* shaders = nullptr;
};

/// What each input of a pass or a body is connected to; several wires where the input is a list.
using InputValues = std::vector<std::vector<PortValue>>;

/// Turns a flat config into a graph, once; the body of a loop, once for each iteration.
class ConfigBuilder {
  public:
    using Overrides = std::map<std::string, ParameterValue, std::less<>>;

    /// `extra_outputs` as of Config::add_output, `iteration` of the loop whose body this is, with
    /// the parameters of it `of_domain`. The config and the context outlive the builder.
    ConfigBuilder(const FlatConfig& flat, Overrides overrides,
                  const std::vector<std::string>& extra_outputs, BuildContext& context,
                  std::optional<std::uint32_t> iteration = {}, DomainParameters of_domain = {});

    using Imports = std::map<std::string, ConfigImport, std::less<>>;
    using Accesses = std::map<std::string, Access, std::less<>>;
    /// The imports stand for the config's inputs; outputs that `accesses` does not name are copied.
    Result<ConfiguredGraph> build(const Imports& imports, const Accesses& accesses) &&;

    /// Where the wire of an extra output ("used/node.port.member") begins. Reports
    /// config/unknown-wire, config/unknown-port and config/wrong-port-type.
    static Wire resolve_extra(const FlatConfig& flat, const std::string& text, Problems& problems);

  private:
    struct BuiltHistory {
        Extent extent;
        std::array<double, 4> clear{};
        ImageHistory image;
        std::optional<FieldPart> part;
    };
    void prepare();
    void check_inputs(const Imports& imports);
    InputValues add_imports(const Imports& imports);
    PortValue uploaded(const std::string& name, const ConfigContents& contents);
    void prepare_loop(std::size_t index);
    bool add_body(const InputValues& inputs, std::vector<PortValue>& outputs);
    void add_loop(std::size_t index);
    std::optional<InputValues> input_values(const FlatNode& node);
    std::optional<std::vector<PortValue>>
    add_iteration(std::size_t index, const InputValues& inputs, std::uint32_t iteration);
    bool begin_iteration(std::size_t index, std::uint32_t iteration);
    void repeat(std::size_t index, InputValues inputs);
    void repeat_until(std::size_t index, InputValues inputs);
    void load_assets();
    /// Loads what a config declares; `file`, if not null, instead of the file it names. None:
    /// reported.
    /// `decoder`: of a file that the device decodes, or null.
    std::optional<LoadedAsset> load(AssetSpec spec, const std::filesystem::path& own,
                                    const std::filesystem::path* file, Span span,
                                    const PassDescriptor* decoder = nullptr);
    Result<LoadedAsset> load_by(const PassDescriptor& decoder, const AssetSpec& spec,
                                const AssetFolders& folders, Span span);
    /// The file that stands for an asset or input of the main config, or null.
    const std::filesystem::path* file_of(const std::string& name) const;
    void add_histories();
    void add_node(std::size_t index);
    void add_pass(std::size_t index);
    void note_parts(const FlatNode& node, const PassInstance& pass, const InputValues& inputs,
                    bool asks_for_ranks);
    void replace(std::size_t index);
    bool is_absent(const Wire& wire) const;
    /// What the config says, for the node or for one that uses its config.
    std::optional<QueueHint> queue_of(const FlatNode& node) const;
    bool connect(const FlatNode& node, PassInstance& pass);
    void close_histories();
    std::optional<FieldPart> part_of(const FlatOutput& output);
    void add_output(const std::string& name, const Wire& wire, Span span, const Accesses& accesses);
    std::optional<PortValue> value_of(const Wire& wire, Span span);
    template <typename Resource>
    Resource kept_to_end(Resource resource, const std::string& name);
    void place_outputs();
    void blame(Span span, const NodeDecl* node = nullptr);
    Diagnostics graph_diagnostics(Diagnostics all) const;

    const FlatConfig& flat_;
    const Overrides overrides_;
    const std::vector<std::string>& extra_outputs_;
    BuildContext& context_;
    Problems& problems_;
    Graph& graph_;
    Evaluation evaluation_;
    std::vector<Wire> extra_wires_;
    std::map<std::uint32_t, LoadedAsset> assets_;    ///< by asset
    std::map<std::string, LoadedAsset> input_files_; ///< by input that a file stands for
    std::vector<BuiltHistory> histories_;
    std::vector<std::unique_ptr<PassInstance>> passes_;      ///< by node
    std::vector<bool> failed_;                               ///< by node
    std::vector<bool> off_;                                  ///< by node
    std::map<std::size_t, std::vector<PortValue>> replaced_; ///< outputs of nodes that are off
    struct Loop {
        std::uint32_t count = 0;
        std::unique_ptr<ConfigBuilder> body;
        bool varies = false;            ///< its iterations differ in their values
        std::vector<PortValue> outputs; ///< by output of the node's face; empty values: not made
    };
    std::map<std::size_t, Loop> loops_;   ///< by node
    const InputValues* inputs_ = nullptr; ///< of the body being built
    ConfiguredGraph result_;
};

} // namespace tuff
