#include "gpu/shader/embedded_table.hpp"
#include "gpu/shader/shader_cache.hpp"
#include "gpu/shader/shader_compiler.hpp"
#include "gpu/shader/shader_pack.hpp"
#include "gpu/shader/shader_reflection.hpp"
#include "gpu/shader/shader_variants.hpp"

#include <tuff/modules.hpp>
#include <tuff/shader_library.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuff_engine_objects_shaders.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// A kernel after its loading: an interface and its stages, or the errors.
struct Kernel {
    Result<ShaderInterface> interface;
    std::vector<CompiledShader> stages;
};

enum class KernelKind : std::uint8_t { compute, raster, rays };
constexpr std::size_t kKernelKinds = 3;

/// What is said of each kind; its kernels begin with the stage of the same place in kFirstStages.
constexpr std::string_view kKindNames[kKernelKinds] = {"compute", "raster", "ray"};
static_assert(kFirstStages.size() == kKernelKinds);

/// The vertex stage of fragments that are drawn over the whole picture.
constexpr std::string_view kWholePicture = "graph/whole_picture";

ShaderStage first_stage(KernelKind kind) {
    return kFirstStages[static_cast<std::size_t>(kind)];
}

KernelKind kind_with(ShaderStage stage) {
    switch (stage) {
    case ShaderStage::compute: return KernelKind::compute;
    case ShaderStage::vertex:
    case ShaderStage::fragment: return KernelKind::raster;
    default: return KernelKind::rays;
    }
}

/// Keeps names from reaching outside the folder they belong to.
bool is_plain_name(std::string_view name) {
    const fs::path path(name);
    if (name.empty() || path.is_absolute() || path.has_root_path()) return false;
    return std::ranges::none_of(
        path, [](const fs::path& part) { return part == ".." || part == "." || part.empty(); });
}

/// Adds the names of the kernels below `directory`.
void list_kernels(const fs::path& directory, std::set<std::string>& names) {
    std::error_code error;
    fs::recursive_directory_iterator entry(directory, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const auto stage = stage_of(entry->path());
        if (!stage) continue;
        const std::string text = read_shader_file(entry->path()).value_or(std::string());
        if (!is_first(*stage) && named_stages(*stage, text).kernel.empty()) continue;
        fs::path name = entry->path().lexically_relative(directory);
        const std::string kernel = name.replace_extension().generic_string();
        const auto table = parse_variants(entry->path(), text);
        if (!table) continue;
        for (const ShaderVariant& variant : table->variants())
            names.insert(variant.name_of(kernel));
    }
}

} // namespace

struct ShaderLibrary::State {
    std::vector<EmbeddedTable> tables; ///< the last added first
    std::vector<fs::path> directories; ///< the last added first
    std::shared_ptr<Modules> modules;  ///< whose kernels are looked up last; may be null
    std::set<std::string, std::less<>> known_modules; ///< that `modules` was asked for
    ShaderCache cache{default_cache_directory()};

    mutable std::mutex mutex; ///< guards what follows
    std::map<std::string, std::unique_ptr<Kernel>, std::less<>>
        kernels[kKernelKinds]; ///< by KernelKind
    std::set<fs::path> files;
    ShaderStatistics statistics;

    const Kernel& load(std::string_view name, KernelKind kind);
    Result<const ShaderInterface*> define(std::string_view name, std::string_view glsl);
    Result<const ShaderInterface*> define(std::string_view name, const CompiledShader& shader);
    std::set<std::string> names() const;
    void add_all_modules();

  private:
    using Words = std::vector<std::uint32_t>;

    /// A kernel while it is loaded.
    struct Wanted {
        std::string name; ///< in full
        KernelKind kind = KernelKind::compute;
        VariantName variant;
        std::set<std::string> unused = {}; ///< macros that no stage so far declares
    };
    Kernel build(const std::string& name, KernelKind kind);
    /// Adds the fragment stage to a kernel that has its vertex stage, where there is one.
    Result<void> add_fragment(Wanted& wanted, Kernel& kernel);
    /// Adds the stages that rays call to a kernel that has its ray generation stage.
    Result<void> add_called(Wanted& wanted, Kernel& kernel);
    /// Whether there is a kernel of that kind.
    bool has(const std::string& kernel, KernelKind kind) const;
    Diagnostics unknown(const Wanted& wanted) const;
    /// The words of one stage; nothing where the kernel has no such stage.
    Result<std::optional<Words>> words_of(Wanted& wanted, ShaderStage stage);
    Result<Words> compile(const fs::path& file, ShaderStage stage, Wanted& wanted);
    Result<Words> compile(const ShaderSource& source);
    /// Adds the kernels of the module that `kernel` belongs to, where they are not there yet.
    void add_module_of(std::string_view kernel);
};

const Kernel& ShaderLibrary::State::load(std::string_view name, KernelKind kind) {
    // Held while compiling: loading twice at once would cost more than waiting.
    const std::lock_guard lock(mutex);
    auto& known = kernels[static_cast<std::size_t>(kind)];
    if (const auto found = known.find(name); found != known.end()) return *found->second;
    const std::string key(name);
    auto kernel = std::make_unique<Kernel>(build(key, kind));
    return *known.emplace(key, std::move(kernel)).first->second;
}

Result<const ShaderInterface*> ShaderLibrary::State::define(std::string_view name,
                                                            std::string_view glsl) {
    const std::lock_guard lock(mutex);
    auto& known = kernels[static_cast<std::size_t>(KernelKind::compute)];
    if (const auto found = known.find(name); found != known.end() && found->second->interface)
        return &*found->second->interface;
    const std::string key(name);
    auto words = compile(ShaderSource{.file = key, .text = std::string(glsl)});
    if (!words) return propagate(std::move(words));
    auto interface = reflect_shader(key, ShaderStage::compute, *words);
    if (!interface) return propagate(std::move(interface));
    auto kernel =
        std::make_unique<Kernel>(Kernel{.interface = std::move(*interface), .stages = {}});
    kernel->stages.push_back({ShaderStage::compute, std::move(*words)});
    auto& place = known[key];
    place = std::move(kernel);
    return &*place->interface;
}

Result<const ShaderInterface*> ShaderLibrary::State::define(std::string_view name,
                                                            const CompiledShader& shader) {
    const bool draws = shader.stage == ShaderStage::fragment;
    const Kernel* picture = draws ? &load(kWholePicture, KernelKind::raster) : nullptr;
    if (picture && !picture->interface) return std::unexpected(picture->interface.error());
    const std::lock_guard lock(mutex);
    auto& known = kernels[static_cast<std::size_t>(kind_with(shader.stage))];
    if (const auto found = known.find(name); found != known.end() && found->second->interface)
        return &*found->second->interface;
    const std::string key(name);
    auto interface = reflect_shader(key, shader.stage, shader.words);
    if (interface && picture) interface = join_stages(*picture->interface, *interface);
    if (!interface) return propagate(std::move(interface));
    interface->name = key;
    auto kernel =
        std::make_unique<Kernel>(Kernel{.interface = std::move(*interface), .stages = {}});
    if (picture) kernel->stages = picture->stages;
    kernel->stages.push_back(shader);
    auto& place = known[key];
    place = std::move(kernel);
    return &*place->interface;
}

std::set<std::string> ShaderLibrary::State::names() const {
    std::set<std::string> all;
    for (const EmbeddedTable& table : tables)
        list_kernels(table, all);
    for (const fs::path& directory : directories)
        list_kernels(directory, all);
    return all;
}

Diagnostics ShaderLibrary::State::unknown(const Wanted& wanted) const {
    const std::set<std::string> all = names();
    std::string hint;
    for (std::size_t other = 0; other < kKernelKinds; ++other)
        if (has(wanted.variant.kernel, static_cast<KernelKind>(other)))
            hint = fmt::format("there is a {} kernel of this name", kKindNames[other]);
    if (hint.empty()) {
        const std::vector<std::string> known(all.begin(), all.end());
        const std::string_view nearest = nearest_name(wanted.name, known);
        if (!nearest.empty()) hint = fmt::format("did you mean \"{}\"?", nearest);
    }
    return fail("shader/unknown",
                fmt::format("there is no {} kernel \"{}\"",
                            kKindNames[static_cast<std::size_t>(wanted.kind)], wanted.name),
                hint)
        .error();
}

bool ShaderLibrary::State::has(const std::string& kernel, KernelKind kind) const {
    const ShaderStage first = first_stage(kind);
    return std::ranges::any_of(directories,
                               [&](const fs::path& directory) {
                                   return stage_file(directory, kernel, first).has_value();
                               }) ||
           std::ranges::any_of(tables, [&](const EmbeddedTable& table) {
               return table.contains({kernel, first});
           });
}

void ShaderLibrary::State::add_all_modules() {
    const std::lock_guard lock(mutex);
    if (!modules) return;
    for (const std::string& name : modules->names())
        add_module_of(name);
}

void ShaderLibrary::State::add_module_of(std::string_view kernel) {
    const std::string_view module = kernel.substr(0, kernel.find('/'));
    if (!modules || known_modules.contains(module)) return;
    known_modules.emplace(module);
    if (const auto found = modules->find(module); found && *found)
        tables.push_back(table_of((*found)->shaders()));
}

Kernel ShaderLibrary::State::build(const std::string& name, KernelKind kind) {
    Kernel kernel;
    const auto failed = [](Diagnostics errors) {
        return Kernel{.interface = std::unexpected(std::move(errors)), .stages = {}};
    };
    Wanted wanted{.name = name, .kind = kind, .variant = parse_variant_name(name)};
    for (const auto& [macro, value] : wanted.variant.values)
        wanted.unused.insert(macro);
    if (!is_plain_name(wanted.variant.kernel)) return failed(unknown(wanted));
    add_module_of(wanted.variant.kernel);

    const ShaderStage first = first_stage(kind);
    auto words = words_of(wanted, first);
    if (!words) return failed(std::move(words.error()));
    if (!*words) return failed(unknown(wanted));
    kernel.interface = reflect_shader(name, first, **words);
    kernel.stages.push_back({first, std::move(**words)});
    if (!kernel.interface) return kernel;
    Result<void> added;
    if (kind == KernelKind::raster) added = add_fragment(wanted, kernel);
    if (kind == KernelKind::rays) added = add_called(wanted, kernel);
    if (!added) return failed(std::move(added.error()));
    if (!wanted.unused.empty())
        return failed(fail("shader/unknown-variant",
                           fmt::format("kernel {} declares no variants of {}",
                                       wanted.variant.kernel, *wanted.unused.begin()))
                          .error());
    return kernel;
}

Result<void> ShaderLibrary::State::add_fragment(Wanted& wanted, Kernel& kernel) {
    auto fragment = words_of(wanted, ShaderStage::fragment);
    if (!fragment) return propagate(std::move(fragment));
    if (!*fragment) return {}; // depth only
    auto aligned = align_bindings(*kernel.interface, **fragment);
    if (!aligned) return propagate(std::move(aligned));
    auto reflected = reflect_shader(wanted.name, ShaderStage::fragment, *aligned);
    if (!reflected) return propagate(std::move(reflected));
    kernel.interface = join_stages(*kernel.interface, *reflected);
    kernel.stages.push_back({ShaderStage::fragment, std::move(*aligned)});
    return {};
}

Result<void> ShaderLibrary::State::add_called(Wanted& wanted, Kernel& kernel) {
    for (const ShaderStage stage :
         {ShaderStage::miss, ShaderStage::closest_hit, ShaderStage::any_hit}) {
        auto words = words_of(wanted, stage);
        if (!words) return propagate(std::move(words));
        if (!*words) {
            if (stage == ShaderStage::any_hit) continue; // every hit counts
            return fail("shader/missing-stage", fmt::format("kernel {} has a .rgen, but no {}",
                                                            wanted.name, extension_of(stage)));
        }
        const auto reflected = reflect_shader(wanted.name, stage, **words);
        if (!reflected) return std::unexpected(reflected.error());
        auto joined = join_called(*kernel.interface, *reflected);
        if (!joined) return propagate(std::move(joined));
        kernel.interface = std::move(*joined);
        kernel.stages.push_back({stage, std::move(**words)});
    }
    return {};
}

Result<std::optional<ShaderLibrary::State::Words>>
ShaderLibrary::State::words_of(Wanted& wanted, ShaderStage stage) {
    const ShaderStage first = first_stage(wanted.kind);
    const std::string& kernel = wanted.variant.kernel;
    for (const fs::path& directory : directories) {
        if (!stage_file(directory, kernel, first)) continue;
        const auto file = stage_file(directory, kernel, stage);
        if (!file) return std::nullopt;
        auto words = compile(*file, stage, wanted);
        if (!words) return propagate(std::move(words));
        return std::move(*words);
    }
    for (const EmbeddedTable& table : tables) {
        if (!table.contains({kernel, first})) continue;
        const auto found = table.find({kernel, stage});
        if (found == table.end()) return std::nullopt;
        const auto shader = found->second.choose(wanted.variant.values, kernel, wanted.unused);
        if (!shader) return std::unexpected(shader.error());
        ++statistics.embedded;
        return tuff::words_of(*shader);
    }
    return std::nullopt;
}

Result<ShaderLibrary::State::Words>
ShaderLibrary::State::compile(const fs::path& file, ShaderStage stage, Wanted& wanted) {
    files.insert(file);
    auto text = read_shader_file(file);
    if (!text) return propagate(std::move(text));
    const auto table = parse_variants(file, *text);
    if (!table) return std::unexpected(table.error());
    auto macros = table->choose(wanted.variant.values, wanted.variant.kernel);
    if (!macros) return propagate(std::move(macros));
    for (const auto& [macro, value] : *macros)
        wanted.unused.erase(macro);
    ShaderSource source{.file = file,
                        .text = std::move(*text),
                        .stage = stage,
                        .macros = macro_definitions(*macros),
                        .built_in = shader_includes()};
    for (const fs::path& directory : directories)
        source.include_folders.push_back(directory / "include");
    return compile(source);
}

Result<ShaderLibrary::State::Words> ShaderLibrary::State::compile(const ShaderSource& source) {
    auto preprocessed = preprocess_shader(source);
    if (!preprocessed) return propagate(std::move(preprocessed));
    files.insert(preprocessed->includes.begin(), preprocessed->includes.end());

    const std::string key = fmt::format("{}\n{}\n{}", shader_compiler_version(),
                                        extension_of(source.stage), preprocessed->text);
    if (auto cached = cache.load(key)) {
        ++statistics.cache_hits;
        return std::move(*cached);
    }
    auto binary = compile_shader(source);
    if (!binary) return propagate(std::move(binary));
    ++statistics.compiled;
    cache.store(key, binary->words);
    return std::move(binary->words);
}

fs::path default_cache_directory() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return fs::path(value ? value : "");
    };
    if (fs::path own = variable("TUFF_CACHE_DIR"); !own.empty()) return own;
    if (const fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / "tuff";
    if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "tuff";
    return {};
}

ShaderLibrary::ShaderLibrary() : state_(std::make_unique<State>()) {}
ShaderLibrary::ShaderLibrary(ShaderLibrary&&) noexcept = default;
ShaderLibrary& ShaderLibrary::operator=(ShaderLibrary&&) noexcept = default;
ShaderLibrary::~ShaderLibrary() = default;

ShaderLibrary::ShaderLibrary(std::shared_ptr<Modules> modules) : ShaderLibrary(embedded()) {
    set_modules(std::move(modules));
}

ShaderLibrary ShaderLibrary::embedded() {
    ShaderLibrary library;
    library.add_embedded(embedded::shaders());
    return library;
}

void ShaderLibrary::add_embedded(std::span<const EmbeddedShader> table) {
    state_->tables.insert(state_->tables.begin(), table_of(table));
}

void ShaderLibrary::set_modules(std::shared_ptr<Modules> modules) {
    state_->modules = std::move(modules);
}

Result<void> ShaderLibrary::add_directory(const fs::path& directory) {
    std::error_code error;
    const fs::path full = fs::absolute(directory, error).lexically_normal();
    if (!fs::is_directory(full, error))
        return fail("shader/no-directory",
                    fmt::format("there is no shader folder {}", directory.string()));
    state_->directories.insert(state_->directories.begin(), full);
    return {};
}

void ShaderLibrary::set_cache_directory(fs::path directory) {
    state_->cache = ShaderCache(std::move(directory));
}

Result<const ShaderInterface*> ShaderLibrary::load_compute(std::string_view name) const {
    const Kernel& kernel = state_->load(name, KernelKind::compute);
    if (!kernel.interface) return std::unexpected(kernel.interface.error());
    return &*kernel.interface;
}

Result<const ShaderInterface*> ShaderLibrary::load_raster(std::string_view name) const {
    const Kernel& kernel = state_->load(name, KernelKind::raster);
    if (!kernel.interface) return std::unexpected(kernel.interface.error());
    return &*kernel.interface;
}

Result<const ShaderInterface*> ShaderLibrary::load_rays(std::string_view name) const {
    const Kernel& kernel = state_->load(name, KernelKind::rays);
    if (!kernel.interface) return std::unexpected(kernel.interface.error());
    return &*kernel.interface;
}

const ShaderInterface* ShaderLibrary::compute(std::string_view name) const {
    return load_compute(name).value_or(nullptr);
}

Result<const ShaderInterface*> ShaderLibrary::define_compute(std::string_view name,
                                                             std::string_view glsl) const {
    return state_->define(name, glsl);
}

Result<const ShaderInterface*> ShaderLibrary::define(std::string_view name,
                                                     const CompiledShader& shader) const {
    return state_->define(name, shader);
}

const ShaderInterface* ShaderLibrary::raster(std::string_view name) const {
    return load_raster(name).value_or(nullptr);
}

const ShaderInterface* ShaderLibrary::rays(std::string_view name) const {
    return load_rays(name).value_or(nullptr);
}

std::vector<std::string> ShaderLibrary::names() const {
    state_->add_all_modules();
    const std::set<std::string> all = state_->names();
    return {all.begin(), all.end()};
}

const CompiledShader* ShaderLibrary::find(std::string_view name, ShaderStage stage) const {
    const Kernel& kernel = state_->load(name, kind_with(stage));
    if (!kernel.interface) return nullptr;
    const auto found = std::ranges::find(kernel.stages, stage, &CompiledShader::stage);
    return found == kernel.stages.end() ? nullptr : &*found;
}

std::vector<fs::path> ShaderLibrary::source_files() const {
    const std::lock_guard lock(state_->mutex);
    return {state_->files.begin(), state_->files.end()};
}

ShaderStatistics ShaderLibrary::statistics() const {
    const std::lock_guard lock(state_->mutex);
    return state_->statistics;
}

} // namespace tuff
