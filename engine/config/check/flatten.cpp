#include "config/check/flattener.hpp"
#include "config/kernel/config_kernel.hpp"
#include "core/file_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace tuff {
namespace {

/// Configs that use each other twice over grow without bound; this many nodes are enough.
constexpr std::size_t kMaxFlatNodes = 500'000;

/// Decodes the files of pictures that are to be decoded on the device.
constexpr const char* kJpegDecoder = "jpeg/decode";

/// The main config without nodes: what is left to check of one that is too large.
FlatConfig only_main(FlatConfig flat) {
    flat.nodes.clear();
    flat.assets.clear();
    flat.histories.clear();
    flat.scopes.resize(1);
    flat.scopes.front().nodes.clear();
    return flat;
}

} // namespace

std::shared_ptr<FlatConfig> Flattener::run(std::unique_ptr<LoadedFile> main) {
    FlatScope root{.file = main.get()};
    root.inputs.resize(main->config.inputs.size());
    root.arguments.resize(main->config.parameters.size());
    loaded_[main->path] = main.get();
    flat_->files.push_back(std::move(main));
    flat_->scopes.push_back(std::move(root));
    for (std::uint32_t scope = 0; scope < flat_->scopes.size() && !too_large_; ++scope)
        expand(scope);
    if (too_large_) return std::make_shared<FlatConfig>(only_main(std::move(*flat_)));

    for (FlatNode& node : flat_->nodes)
        connect_node(node);
    for (std::uint32_t scope = 1; scope < flat_->scopes.size(); ++scope)
        check_use_inputs(scope);
    for (FlatHistory& history : flat_->histories)
        connect_history(history);
    connect_outputs();
    mark_used();
    return std::move(flat_);
}

void Flattener::expand(std::uint32_t index) {
    // Adding scopes moves them: the scope is looked up again after each.
    const LoadedFile& file = *flat_->scopes[index].file;
    check_input_types(file.config);
    const std::string path = flat_->scopes[index].path;
    flat_->scopes[index].first_asset = static_cast<std::uint32_t>(flat_->assets.size());
    flat_->scopes[index].first_history = static_cast<std::uint32_t>(flat_->histories.size());
    for (const AssetDecl& asset : file.config.assets)
        flat_->assets.push_back({.path = path + asset.name.text,
                                 .decl = &asset,
                                 .scope = index,
                                 .decoder = asset.spec.on_device
                                                ? find_registered(kJpegDecoder, asset.span)
                                                : nullptr});
    for (const HistoryDecl& history : file.config.histories)
        flat_->histories.push_back(
            {.path = path + history.name.text, .decl = &history, .scope = index, .from = {}});
    for (const NodeDecl& node : file.config.nodes) {
        std::uint32_t target = kNoIndex;
        if (flat_->nodes.size() + flat_->scopes.size() >= kMaxFlatNodes) {
            if (!too_large_)
                problems_.error("config/too-large", node.name.span,
                                fmt::format("the config has more than {} nodes", kMaxFlatNodes));
            too_large_ = true;
        } else if (!node.target.text.empty()) {
            target = node.loop  ? add_loop(index, node)
                     : node.use ? add_used(index, node)
                                : add_pass(index, node);
        }
        flat_->scopes[index].nodes.push_back(target);
    }
}

const PassDescriptor* Flattener::find_pass(std::uint32_t scope, const NodeDecl& decl) {
    if (decl.kernel) {
        const auto kernel = kernels_.find(&decl);
        if (kernel != kernels_.end()) return kernel->second;
        const KernelFolders folders{
            .own = flat_->scopes[scope].file->path.parent_path(),
            .main = main_folder_.value_or(flat_->files.front()->path.parent_path())};
        std::unique_ptr<const PassDescriptor> made =
            make_config_kernel(decl, folders, flat_->kernel_files, problems_);
        const PassDescriptor* pass = made.get();
        if (made) flat_->kernels.push_back(std::move(made));
        return kernels_[&decl] = pass;
    }
    return find_registered(decl.target.text, decl.target.span);
}

const PassDescriptor* Flattener::find_registered(const std::string& name, const Span& span) {
    const PassDescriptor* pass = registry_.find(name);
    if (pass) return pass;
    const Diagnostics why = registry_.why_missing(name);
    if (why.empty())
        problems_.error("config/unknown-pass", span, fmt::format("there is no pass \"{}\"", name),
                        suggest(name, registry_.names()));
    for (const Diagnostic& error : why) // its module does not load
        problems_.error(error.code, span, error.message, error.hint);
    return nullptr;
}

std::uint32_t Flattener::add_pass(std::uint32_t scope, const NodeDecl& decl) {
    const PassDescriptor* pass = find_pass(scope, decl);
    if (!pass) return kNoIndex;
    flat_->nodes.push_back({.path = flat_->scopes[scope].path + decl.name.text,
                            .decl = &decl,
                            .pass = pass,
                            .loop = {},
                            .scope = scope,
                            .inputs = {},
                            .otherwise = {},
                            .arguments = {}});
    return static_cast<std::uint32_t>(flat_->nodes.size() - 1);
}

std::uint32_t Flattener::add_used(std::uint32_t scope, const NodeDecl& decl) {
    const LoadedFile* file = load_used(*flat_->scopes[scope].file, decl);
    if (!file || closes_cycle(scope, decl, file->path)) return kNoIndex;
    FlatScope used{.file = file,
                   .parent = scope,
                   .user = &decl,
                   .path = flat_->scopes[scope].path + decl.name.text + "/"};
    connect_used(used, decl);
    flat_->scopes.push_back(std::move(used));
    return static_cast<std::uint32_t>(flat_->scopes.size() - 1);
}

const LoadedFile* Flattener::load_used(const LoadedFile& user, const NodeDecl& node) {
    const std::filesystem::path path =
        (user.path.parent_path() / node.target.text).lexically_normal();
    const auto [entry, is_new] = loaded_.try_emplace(path, nullptr);
    if (!is_new) return entry->second;
    std::unique_ptr<LoadedFile> file = read_used(path, node);
    if (!file) return nullptr;
    flat_->files.push_back(std::move(file));
    return entry->second = flat_->files.back().get();
}

std::unique_ptr<LoadedFile> Flattener::read_used(const std::filesystem::path& path,
                                                 const NodeDecl& node) {
    Result<void> readable = check_readable(path, flat_->confined_to);
    std::error_code ignored;
    // The user may give a pipe as the config itself; who names one in a config stops the program.
    if (readable && std::filesystem::exists(path, ignored) &&
        !std::filesystem::is_regular_file(path, ignored))
        readable =
            fail("config/unreadable", fmt::format("cannot read {}: it is no file", path.string()));
    Result<std::string> text = readable ? read_text_file(path) : propagate(std::move(readable));
    if (!text) {
        Diagnostics wrong = std::move(text.error());
        for (Diagnostic& d : wrong)
            d.where = node.target.span.place();
        problems_.take(std::move(wrong), node.target.span);
        return nullptr;
    }
    auto source = std::make_shared<const SourceFile>(path.string(), std::move(*text));
    std::optional<ConfigFile> config = read_config(std::move(source), problems_);
    if (!config) return nullptr;
    return make_loaded_file(path, std::move(*config), problems_);
}

bool Flattener::closes_cycle(std::uint32_t scope, const NodeDecl& node,
                             const std::filesystem::path& path) {
    std::vector<std::filesystem::path> around;
    for (std::uint32_t s = scope; s != kNoIndex; s = flat_->scopes[s].parent)
        around.push_back(flat_->scopes[s].file->path);
    around.insert(around.end(), users_.rbegin(), users_.rend());
    std::vector<std::string> chain = {path.filename().string()};
    for (const std::filesystem::path& user : around) {
        chain.push_back(user.filename().string());
        if (user != path) continue;
        std::ranges::reverse(chain);
        problems_.error("config/use-cycle", node.target.span,
                        fmt::format("the config uses itself: {}", fmt::join(chain, " -> ")));
        return true;
    }
    return false;
}

std::shared_ptr<FlatConfig> flatten(std::unique_ptr<LoadedFile> main, const PassRegistry& registry,
                                    std::vector<std::filesystem::path> confined_to,
                                    Problems& problems) {
    return Flattener(registry, std::move(confined_to), problems).run(std::move(main));
}

} // namespace tuff
