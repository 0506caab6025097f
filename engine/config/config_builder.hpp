#pragma once

#include "config/asset_loading.hpp"
#include "config/evaluation.hpp"
#include "config/flat_config.hpp"

#include <tuff/config.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// Turns a flat config into a graph, once.
class ConfigBuilder {
  public:
    ConfigBuilder(const Config& config, const ShaderInterfaces& shaders, AssetCache& assets,
                  const FrameTime& frame);

    Result<ConfiguredGraph> build() &&;

    /// Where the wire of an extra output ("used/node.port.member") begins. Reports
    /// config/unknown-wire, config/unknown-port and config/wrong-port-type.
    static Wire resolve_extra(const FlatConfig& flat, const std::string& text, Problems& problems);

  private:
    struct BuiltHistory {
        Extent extent;
        ImageHistory image;
    };
    /// Diagnostics of the graph below `end`, and past those of the entry before, belong to what
    /// stands at `span`.
    struct Blame {
        std::size_t end = 0;
        Span span;
    };

    void prepare();
    void load_assets();
    void add_histories();
    void add_node(std::size_t index);
    bool connect(const FlatNode& node, PassInstance& pass);
    void close_histories();
    void add_output(const std::string& name, const Wire& wire, Span span);
    std::optional<PortValue> value_of(const Wire& wire, Span span);
    template <typename Resource>
    Resource not_overwritten(Resource resource, const std::string& name);
    void blame(Span span);
    Diagnostics graph_diagnostics(Diagnostics all) const;

    const Config& config_;
    const FlatConfig& flat_;
    AssetCache& cache_;
    Problems problems_;
    Evaluation evaluation_;
    Graph graph_;
    std::vector<Wire> extra_wires_;
    std::map<std::uint32_t, LoadedAsset> assets_;   ///< by asset
    std::map<std::string, PortValue> asset_values_; ///< by key: equal assets enter once
    std::vector<BuiltHistory> histories_;
    std::vector<std::unique_ptr<PassInstance>> passes_; ///< by node
    std::vector<bool> failed_;                          ///< by node
    std::vector<Blame> blames_;
    ConfiguredGraph result_;
};

} // namespace tuff
