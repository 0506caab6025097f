#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/graph.hpp>

#include <any>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// A pass is a struct: inputs, parameters and outputs are its fields, `describe` tells what they
/// mean, `build` adds its kernels to a graph. JSON loading, the JSON Schema, the reference pages
/// and the viewer's controls all come from `describe`.
///
///     struct Invert {
///         static constexpr std::string_view kName = "image/invert";
///         Image source;
///         float amount = 1.0f;
///         Image result;
///         static void describe(PassInfo<Invert>& info);
///         void build(Graph& graph);
///     };
namespace tuff {

class Modules;

/// A parameter's value as configs and command lines write it.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

/// What values a parameter takes.
enum class ParameterKind : std::uint8_t { boolean, integer, real, text, choice, vector, list };

/// A parameter as users see it. Fields of nested structs appear as "camera.position".
struct ParameterInfo {
    std::string name;                         ///< as configs have it
    std::string doc;                          ///< what it means
    ParameterKind kind = ParameterKind::real; ///< what it takes
    std::uint32_t components = 1;             ///< of a vector; for lists 0 (any length)
    bool integral = false;                    ///< integers and integer vectors: whole numbers only
    ParameterValue default_value = 0.0;       ///< of a default-made pass
    double low = -std::numeric_limits<double>::infinity(); ///< the least it may be
    double high = std::numeric_limits<double>::infinity(); ///< the most it may be
    std::string unit;                 ///< "texels", "degrees", "stops"; may be empty
    std::vector<std::string> choices; ///< `choice` only
    bool structural = false; ///< changing it recompiles the graph; others travel with the frame
};

/// Name of a port's type, "Image", "Buffer" or a bundle's.
template <typename T>
struct PortTypeName {
    static constexpr std::string_view value = T::kPortType; ///< bundles declare kPortType
};
/// @cond
template <>
struct PortTypeName<Image> {
    static constexpr std::string_view value = "Image";
};
template <>
struct PortTypeName<Buffer> {
    static constexpr std::string_view value = "Buffer";
};
/// @endcond

/// A resource inside a bundle.
struct PortMember {
    std::string name;                     ///< within the bundle
    std::variant<Image, Buffer> resource; ///< the version that is meant
};

/// A bundle may offer `std::vector<PortMember> members() const`, so that a config and
/// `tuff inspect` can name its resources one by one ("engine.vertices").
template <typename T>
concept HasPortMembers = requires(const T& bundle) {
    { bundle.members() } -> std::same_as<std::vector<PortMember>>;
};

/// What a wire carries.
struct PortValue {
    std::string_view type;                ///< of the port
    std::any value;                       ///< an Image, a Buffer or a bundle
    std::vector<PortMember> members = {}; ///< of bundles that tell theirs

    /// A value for a port of type `T`.
    template <typename T>
    static PortValue of(T bundle) {
        PortValue result{PortTypeName<T>::value, {}};
        if constexpr (HasPortMembers<T>) result.members = bundle.members();
        result.value = std::move(bundle);
        return result;
    }
    /// The value where it is of that type, else null.
    template <typename T>
    const T* get() const {
        return std::any_cast<T>(&value);
    }
};

/// An input or output of a pass, as users see it.
struct PortInfo {
    std::string name;      ///< as configs have it
    std::string doc;       ///< what it means
    std::string_view type; ///< name of its type
    bool required = true;  ///< inputs only
    bool list = false;     ///< inputs only: takes any number of wires
};

/// Work a pass does, for the share of the device's limits that `tuff bench` prints.
struct Cost {
    double bytes = 0.0;      ///< least traffic to and from memory
    double operations = 0.0; ///< arithmetic operations
};

/// A pass being configured by name: what the config loader and the viewer hold.
class PassInstance {
  public:
    virtual ~PassInstance() = default;
    /// Index into PassDescriptor::parameters. Errors: `pass/wrong-type`, `pass/out-of-range`,
    /// `pass/unknown-choice`.
    virtual Result<void> set_parameter(std::size_t index, const ParameterValue& value) = 0;
    /// Connects an input; a list input takes several calls. Error: `pass/wrong-port-type`.
    virtual Result<void> set_input(std::size_t index, const PortValue& value) = 0;
    /// Adds the pass to `graph` and sets its outputs.
    virtual void build(Graph& graph) = 0;
    virtual PortValue output(std::size_t index) const = 0; ///< after `build`
    virtual Cost cost(const Graph& graph) const = 0;       ///< after `build`
};

/// Everything known about a pass, from its `describe`.
struct PassDescriptor {
    std::string name;                      ///< "image/tonemap"
    std::string summary;                   ///< one sentence
    std::string details;                   ///< paragraphs: method, limits, behaviour on bad input
    std::string source;                    ///< chapter or paper
    std::string complexity;                ///< of work, "O(texels)"
    std::vector<PortInfo> inputs;          ///< in the order of their declaration
    std::vector<PortInfo> outputs;         ///< in the order of their declaration
    std::vector<ParameterInfo> parameters; ///< in the order of their declaration
    /// A pass with all parameters at their defaults.
    std::function<std::unique_ptr<PassInstance>()> make;

    /// Its index, if there is one of that name.
    std::optional<std::size_t> find_input(std::string_view port) const;
    /// Its index, if there is one of that name.
    std::optional<std::size_t> find_output(std::string_view port) const;
    /// Its index, if there is one of that name.
    std::optional<std::size_t> find_parameter(std::string_view parameter) const;
};

/// The passes a program knows by name. Those of modules are looked up when they are first asked
/// for. Lookups may come from several threads.
class PassRegistry {
  public:
    /// No passes.
    PassRegistry();
    /// The passes of these modules.
    explicit PassRegistry(std::shared_ptr<Modules> modules);
    PassRegistry(PassRegistry&&) noexcept;
    PassRegistry& operator=(PassRegistry&&) noexcept;
    ~PassRegistry();

    /// Adds the pass by its `kName` and `describe`.
    template <typename Pass>
    void add();
    /// Adds a pass that is described already.
    void add(PassDescriptor descriptor);
    /// The pass of that name, or null. Loads the module that the name begins with.
    const PassDescriptor* find(std::string_view name) const;
    /// Why there is no pass of that name: the errors of its module, where that did not load; else
    /// none.
    Diagnostics why_missing(std::string_view name) const;
    /// Sorted by name. Loads all modules.
    auto all() const& { return std::views::values(everything()); }
    /// What a temporary registry holds would be gone before it is looked at.
    auto all() && = delete;
    /// Of all passes, sorted. Loads all modules.
    std::vector<std::string> names() const;

  private:
    using Passes = std::map<std::string, PassDescriptor, std::less<>>;
    struct State;
    const Passes& everything() const;
    std::unique_ptr<State> state_;
};

// --- describing ----------------------------------------------------------------------------------

namespace detail {

template <typename T>
struct IsVector : std::false_type {};
template <glm::length_t N, typename T, glm::qualifier Q>
struct IsVector<glm::vec<N, T, Q>> : std::true_type {};

Result<double> as_number(const ParameterInfo& info, const ParameterValue& value);
Result<std::vector<double>> as_numbers(const ParameterInfo& info, const ParameterValue& value);
Result<bool> as_boolean(const ParameterInfo& info, const ParameterValue& value);
Result<std::string> as_text(const ParameterInfo& info, const ParameterValue& value);
Result<std::size_t> as_choice(const ParameterInfo& info, const ParameterValue& value);
std::unexpected<Diagnostics> wrong_port_type(const PortInfo& port, std::string_view got);

} // namespace detail

/// Specialise for an enum to make it a `choice` parameter: `static constexpr std::array names{...}`
/// of string views, in the order of the enumerators 0, 1, 2, ...
template <typename E>
struct ChoiceNames;

/// Refines the parameter just declared.
class ParameterRefinement {
  public:
    /// Refines what `info` says.
    explicit ParameterRefinement(ParameterInfo& info) : info_(&info) {}
    /// Values outside [low, high] are refused. Applies to each component of a vector.
    ParameterRefinement& range(double low, double high) {
        info_->low = low;
        info_->high = high;
        return *this;
    }
    /// What its numbers count: "texels", "degrees".
    ParameterRefinement& unit(std::string_view unit) {
        info_->unit = unit;
        return *this;
    }
    /// Changing the parameter changes the graph's structure.
    ParameterRefinement& structural() {
        info_->structural = true;
        return *this;
    }

  private:
    ParameterInfo* info_;
};

/// Collects what `Pass::describe` says. `Root` is the pass, `Pass` the struct being described,
/// which differs for nested parameter groups such as a camera.
template <typename Pass>
class PassInfo {
  public:
    /// Puts a value into its field, or says what is wrong with it.
    using Setter = std::function<Result<void>(Pass&, const ParameterInfo&, const ParameterValue&)>;

    /// One sentence, without a full stop.
    PassInfo& summary(std::string_view text) { return descriptor_.summary = text, *this; }
    /// Paragraphs: method, limits, what becomes of bad input.
    PassInfo& details(std::string_view text) { return descriptor_.details = text, *this; }
    /// The chapter or paper that the method is from.
    PassInfo& source(std::string_view text) { return descriptor_.source = text, *this; }
    /// Of work, "O(texels)".
    PassInfo& complexity(std::string_view text) { return descriptor_.complexity = text, *this; }
    /// What a built pass costs on a device.
    PassInfo& cost(std::function<Cost(const Pass&, const Graph&)> function) {
        cost_ = std::move(function);
        return *this;
    }
    /// What a built pass costs; zero where `describe` gives no cost.
    Cost cost_of(const Pass& pass, const Graph& graph) const {
        return cost_ ? cost_(pass, graph) : Cost{};
    }

    /// Declares an input that must be connected.
    template <typename Port>
    void input(std::string_view name, Port Pass::*field, std::string_view doc) {
        add_input(name, field, doc, true);
    }
    /// Declares an input that may stay unset.
    template <typename Port>
    void optional_input(std::string_view name, Port Pass::*field, std::string_view doc) {
        add_input(name, field, doc, false);
    }
    /// An input that takes any number of wires, in order.
    template <typename Port>
    void input_list(std::string_view name, std::vector<Port> Pass::*field, std::string_view doc) {
        descriptor_.inputs.push_back(
            {std::string(name), std::string(doc), PortTypeName<Port>::value, true, true});
        connect_.push_back(
            [field](Pass& pass, const PortInfo& port, const PortValue& value) -> Result<void> {
                const Port* typed = value.get<Port>();
                if (!typed) return detail::wrong_port_type(port, value.type);
                (pass.*field).push_back(*typed);
                return {};
            });
    }
    /// Declares an output, which `build` sets.
    template <typename Port>
    void output(std::string_view name, Port Pass::*field, std::string_view doc) {
        descriptor_.outputs.push_back(
            {std::string(name), std::string(doc), PortTypeName<Port>::value, true, false});
        fetch_.push_back([field](const Pass& pass) { return PortValue::of(pass.*field); });
    }

    /// Declares a parameter; the field's value in a default-made pass is its default.
    template <typename T>
    ParameterRefinement parameter(std::string_view name, T Pass::*field, std::string_view doc) {
        return add_parameter<T>(name, doc, [field](Pass& pass) -> T& { return pass.*field; });
    }
    /// The fields of a nested struct, as "name.field". `Group::describe_fields(f)` calls
    /// `f("field", &Group::field, "doc")` for each and may refine what it returns.
    template <typename Group>
    void group(std::string_view name, Group Pass::*field) {
        Group::describe_fields(
            [&](std::string_view member_name, auto member, std::string_view doc) {
                using T = std::remove_cvref_t<decltype(std::declval<Group&>().*member)>;
                return add_parameter<T>(
                    std::string(name) + "." + std::string(member_name), doc,
                    [field, member](Pass& pass) -> T& { return (pass.*field).*member; });
            });
    }

    /// The type-erased form.
    PassDescriptor finish() &&;

  private:
    template <typename Port>
    void add_input(std::string_view name, Port Pass::*field, std::string_view doc, bool required) {
        descriptor_.inputs.push_back(
            {std::string(name), std::string(doc), PortTypeName<Port>::value, required, false});
        connect_.push_back(
            [field](Pass& pass, const PortInfo& port, const PortValue& value) -> Result<void> {
                const Port* typed = value.get<Port>();
                if (!typed) return detail::wrong_port_type(port, value.type);
                pass.*field = *typed;
                return {};
            });
    }

    template <typename T, typename Access>
    ParameterRefinement add_parameter(std::string_view name, std::string_view doc, Access access);

    using Connector = std::function<Result<void>(Pass&, const PortInfo&, const PortValue&)>;
    using Fetcher = std::function<PortValue(const Pass&)>;

    PassDescriptor descriptor_;
    std::function<Cost(const Pass&, const Graph&)> cost_;
    std::vector<Connector> connect_;
    std::vector<Fetcher> fetch_;
    std::vector<Setter> set_;
    template <typename>
    friend class TypedPassInstance;
};

/// The shared, immutable closures of a pass type, and one configured pass.
template <typename Pass>
class TypedPassInstance final : public PassInstance {
  public:
    /// What all passes of the type share.
    struct Shared {
        PassInfo<Pass> info; ///< closures that reach the fields
    };
    /// A pass with all parameters at their defaults.
    explicit TypedPassInstance(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}

    Result<void> set_parameter(std::size_t index, const ParameterValue& value) override {
        const auto& info = shared_->info;
        return info.set_[index](pass_, info.descriptor_.parameters[index], value);
    }
    Result<void> set_input(std::size_t index, const PortValue& value) override {
        const auto& info = shared_->info;
        return info.connect_[index](pass_, info.descriptor_.inputs[index], value);
    }
    void build(Graph& graph) override { pass_.build(graph); }
    PortValue output(std::size_t index) const override {
        return shared_->info.fetch_[index](pass_);
    }
    Cost cost(const Graph& graph) const override { return shared_->info.cost_of(pass_, graph); }

  private:
    std::shared_ptr<const Shared> shared_;
    Pass pass_{};
};

template <typename Pass>
template <typename T, typename Access>
ParameterRefinement PassInfo<Pass>::add_parameter(std::string_view name, std::string_view doc,
                                                  Access access) {
    ParameterInfo info{.name = std::string(name), .doc = std::string(doc)};
    Pass defaults{};
    const T& value = access(defaults);
    if constexpr (std::same_as<T, bool>) {
        info.kind = ParameterKind::boolean;
        info.default_value = value;
        set_.push_back(
            [access](Pass& pass, const ParameterInfo& i, const ParameterValue& v) -> Result<void> {
                auto parsed = detail::as_boolean(i, v);
                if (!parsed) return propagate(std::move(parsed));
                access(pass) = *parsed;
                return {};
            });
    } else if constexpr (std::is_enum_v<T>) {
        info.kind = ParameterKind::choice;
        for (std::string_view choice : ChoiceNames<T>::names)
            info.choices.emplace_back(choice);
        info.default_value = info.choices[static_cast<std::size_t>(value)];
        set_.push_back(
            [access](Pass& pass, const ParameterInfo& i, const ParameterValue& v) -> Result<void> {
                auto parsed = detail::as_choice(i, v);
                if (!parsed) return propagate(std::move(parsed));
                access(pass) = static_cast<T>(*parsed);
                return {};
            });
    } else if constexpr (std::integral<T> || std::floating_point<T>) {
        info.kind = std::integral<T> ? ParameterKind::integer : ParameterKind::real;
        if constexpr (std::integral<T>) {
            info.integral = true;
            info.default_value = static_cast<std::int64_t>(value);
            info.low = static_cast<double>(std::numeric_limits<T>::lowest());
            info.high = static_cast<double>(std::numeric_limits<T>::max());
        } else {
            info.default_value = static_cast<double>(value);
        }
        set_.push_back(
            [access](Pass& pass, const ParameterInfo& i, const ParameterValue& v) -> Result<void> {
                auto parsed = detail::as_number(i, v);
                if (!parsed) return propagate(std::move(parsed));
                access(pass) = static_cast<T>(*parsed);
                return {};
            });
    } else if constexpr (std::same_as<T, std::string>) {
        info.kind = ParameterKind::text;
        info.default_value = value;
        set_.push_back(
            [access](Pass& pass, const ParameterInfo& i, const ParameterValue& v) -> Result<void> {
                auto parsed = detail::as_text(i, v);
                if (!parsed) return propagate(std::move(parsed));
                access(pass) = std::move(*parsed);
                return {};
            });
    } else if constexpr (detail::IsVector<T>::value) {
        info.kind = ParameterKind::vector;
        info.components = static_cast<std::uint32_t>(T::length());
        if constexpr (std::integral<typename T::value_type>) {
            info.integral = true;
            info.low = static_cast<double>(std::numeric_limits<typename T::value_type>::lowest());
            info.high = static_cast<double>(std::numeric_limits<typename T::value_type>::max());
        }
        std::vector<double> numbers;
        for (glm::length_t c = 0; c < T::length(); ++c)
            numbers.push_back(static_cast<double>(value[c]));
        info.default_value = std::move(numbers);
        set_.push_back(
            [access](Pass& pass, const ParameterInfo& i, const ParameterValue& v) -> Result<void> {
                auto parsed = detail::as_numbers(i, v);
                if (!parsed) return propagate(std::move(parsed));
                for (glm::length_t c = 0; c < T::length(); ++c)
                    access(pass)[c] =
                        static_cast<typename T::value_type>((*parsed)[static_cast<std::size_t>(c)]);
                return {};
            });
    } else {
        static_assert(std::same_as<T, std::vector<float>>, "unsupported parameter type");
        info.kind = ParameterKind::list;
        info.components = 0;
        info.default_value = std::vector<double>(value.begin(), value.end());
        set_.push_back(
            [access](Pass& pass, const ParameterInfo& i, const ParameterValue& v) -> Result<void> {
                auto parsed = detail::as_numbers(i, v);
                if (!parsed) return propagate(std::move(parsed));
                std::vector<float>& list = access(pass);
                list.clear();
                for (double number : *parsed)
                    list.push_back(static_cast<float>(number));
                return {};
            });
    }
    descriptor_.parameters.push_back(std::move(info));
    return ParameterRefinement(descriptor_.parameters.back());
}

template <typename Pass>
PassDescriptor PassInfo<Pass>::finish() && {
    descriptor_.name = Pass::kName;
    PassDescriptor result = descriptor_;
    using Instance = TypedPassInstance<Pass>;
    auto shared = std::make_shared<const typename Instance::Shared>(
        typename Instance::Shared{std::move(*this)});
    result.make = [shared] { return std::make_unique<Instance>(shared); };
    return result;
}

template <typename Pass>
void PassRegistry::add() {
    PassInfo<Pass> info;
    Pass::describe(info);
    add(std::move(info).finish());
}

} // namespace tuff

/// Registers the pass `Type` with the module that its source is compiled into. It stands at the
/// start of a line, in the source that defines `Type::build` and in the namespace of `Type`; the
/// CMake function `tuff_add_module` finds it there.
#define TUFF_PASS(Type)                                                                            \
    extern "C" [[gnu::visibility("hidden")]] void tuff_add_pass_##Type(::tuff::PassRegistry& all); \
    void tuff_add_pass_##Type(::tuff::PassRegistry& all) {                                         \
        all.add<Type>();                                                                           \
    }
