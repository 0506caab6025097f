#pragma once

#include "config/check/flat_config.hpp"

#include <tuff/config.hpp>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff {

/// The domain of the main config, and the processes that have it.
struct DomainInput {
    std::array<std::uint32_t, 3> cells{};
    Ranks ranks;
};

/// Names of parameters whose values follow from the domain: from "$part_width", "$rank".
using DomainParameters = std::set<std::string, std::less<>>;

/// What the values of a config are worked out from.
struct EvaluationInput {
    std::array<std::uint32_t, 2> size{};
    /// Set from outside, by the names that `Config::set` takes.
    const std::map<std::string, ParameterValue, std::less<>>& overrides;
    FrameTime frame;
    std::optional<std::uint32_t> iteration = {}; ///< of the loop around, if any
    std::optional<DomainInput> domain = {}; ///< none: that of the config itself, on one process
    DomainParameters of_domain = {};        ///< of a loop's body: among those of its own
};

/// All parameters of all scopes at one instant.
class Evaluation {
  public:
    /// Reports config/unknown-parameter, config/wrong-type and config/out-of-range.
    Evaluation(const FlatConfig& flat, const EvaluationInput& input, Problems& problems);

    /// The values of the parameters of a scope's file; empty where that has been reported.
    const std::vector<std::optional<Evaluated>>& parameters(std::uint32_t scope) const {
        return parameters_[scope];
    }

    /// The value of an expression written in `scope`, or nothing after having reported why.
    std::optional<Evaluated> value(std::uint32_t scope, const ValueExpr& expr);
    /// A [width, height] from 1 to kMaxConfigSide. Reports config/bad-size.
    std::optional<Extent> size(std::uint32_t scope, const ValueExpr& expr);
    /// Numbers of a history or an asset. Reports config/wrong-type and config/out-of-range.
    std::optional<std::vector<double>> numbers(std::uint32_t scope, const ValueExpr& expr,
                                               const NumberRule& rule);
    /// What an asset is, with its numbers.
    std::optional<AssetSpec> asset(const FlatAsset& asset);
    /// What a history holds at first.
    std::optional<std::array<double, 4>> clear_value(const FlatHistory& history);
    /// The spacing and the origin that an output is given, each where there is one.
    struct OutputPlace {
        std::optional<std::array<double, 3>> spacing;
        std::optional<std::array<double, 3>> origin;
    };
    OutputPlace place(const OutputDecl& output);
    /// What a history or an output is a part of. `volume`: whether it has a halo along z. Reports
    /// config/no-domain, config/wrong-type and config/out-of-range.
    std::optional<FieldPart> part(std::uint32_t scope, const PartDecl& part, bool volume);
    /// Sets the parameters of a pass. Reports the pass's complaints at the values.
    void configure(const FlatNode& node, PassInstance& pass);
    /// What `configure` sets a parameter to, or its default. Nothing: the pass has no such one, or
    /// its value cannot be worked out.
    std::optional<ParameterValue> setting(const FlatNode& node, std::string_view parameter);
    /// Whether a node runs. Reports config/wrong-type.
    std::optional<bool> is_on(const FlatNode& node);
    /// What bodies of loops have their domain from.
    const std::optional<DomainInput>& domain() const { return input_.domain; }
    /// Whether a value of the node is another from frame to frame, though nobody sets anything.
    bool changes(const FlatNode& node) const;
    /// Whether a value of the node follows from the domain, or whether it runs does.
    bool follows_domain(const FlatNode& node) const;
    /// The parameters of a loop's body that are given such values.
    DomainParameters body_domain_parameters(const FlatNode& node) const;
    /// How often a loop runs at most, from 0 to kMaxConfigRepeats. Reports config/wrong-type and
    /// config/out-of-range.
    std::optional<std::uint32_t> repeats(const FlatNode& node);
    /// What the parameters of the config that a loop repeats, and of its nodes, are given, by the
    /// names that `Config::set` would take there. Reports
    /// config/wrong-type and config/out-of-range.
    std::map<std::string, ParameterValue, std::less<>> body_parameters(const FlatNode& node);

  private:
    friend class IterationScope;
    bool changes(std::uint32_t scope, const ValueExpr& expr) const;
    bool parameter_changes(std::uint32_t scope, std::size_t index) const;
    bool follows_domain(std::uint32_t scope, const ValueExpr& expr) const;
    bool parameter_follows_domain(std::uint32_t scope, std::size_t index) const;
    std::optional<Evaluated> parameter(std::uint32_t scope, std::size_t index);
    /// What was set from outside and stands for a parameter of the scope's file, or null.
    const ParameterValue* override_of(const FlatScope& scope, const std::string& name) const;
    struct Override {
        std::string_view name; ///< what follows the prefix
        const ParameterValue* value;
    };
    std::vector<Override> overrides_below(std::string_view prefix) const;
    std::optional<std::int64_t> look_up_in_domain(std::string_view name) const;
    std::optional<Evaluated> look_up(std::uint32_t scope, const std::string& name, Span where);
    /// Reports at `expr`; names the frame and the iteration where its value may depend on them.
    void report(Diagnostics found, const ValueExpr& expr);

    const FlatConfig& flat_;
    EvaluationInput input_;
    Problems& problems_;
    std::vector<std::vector<std::optional<Evaluated>>> parameters_; ///< by scope
    std::vector<std::vector<bool>> parameter_changes_;        ///< by scope: from frame to frame
    std::vector<std::vector<bool>> parameter_follows_domain_; ///< by scope
};

/// What "$iteration" means to an evaluation as long as this lives.
class IterationScope {
  public:
    IterationScope(Evaluation& evaluation, std::uint32_t iteration)
        : current_(evaluation.input_.iteration), before_(std::exchange(current_, iteration)) {}
    ~IterationScope() { current_ = before_; }
    IterationScope(const IterationScope&) = delete;
    IterationScope& operator=(const IterationScope&) = delete;

  private:
    std::optional<std::uint32_t>& current_;
    std::optional<std::uint32_t> before_;
};

/// Why `value` cannot stand for a parameter of this declaration, or nothing. `initial` is what the
/// declaration itself gives. Codes config/wrong-type and config/out-of-range.
std::optional<Diagnostic> find_mismatch(const ParameterDecl& decl, const ParameterValue& initial,
                                        const ParameterValue& value);

/// Sets every parameter of every pass once, at the start and at each keyframe. Interpolation stays
/// between its ends, so no other instant can leave a range.
void check_values(const FlatConfig& flat, Problems& problems);

} // namespace tuff
