#include <tuff/modules.hpp>
#include <tuff/pass.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>

namespace tuff {
namespace {

template <typename Entry>
std::optional<std::size_t> find_by_name(const std::vector<Entry>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    if (found == entries.end()) return std::nullopt;
    return static_cast<std::size_t>(found - entries.begin());
}

} // namespace

std::optional<std::size_t> PassDescriptor::find_input(std::string_view port) const {
    return find_by_name(inputs, port);
}
std::optional<std::size_t> PassDescriptor::find_output(std::string_view port) const {
    return find_by_name(outputs, port);
}
std::optional<std::size_t> PassDescriptor::find_parameter(std::string_view parameter) const {
    return find_by_name(parameters, parameter);
}

struct PassRegistry::State {
    std::shared_ptr<Modules> modules; ///< may be null
    mutable std::mutex mutex;         ///< guards what follows
    Passes passes;
    std::map<std::string, Diagnostics, std::less<>> asked; ///< modules, with what went wrong

    /// Adds the passes of the module, where it was not asked for yet.
    void load(std::string_view module);
};

void PassRegistry::State::load(std::string_view module) {
    if (!modules || asked.contains(module)) return;
    Diagnostics& errors = asked[std::string(module)];
    auto found = modules->find(module);
    if (!found) {
        errors = std::move(found.error());
        return;
    }
    if (!*found) return;
    PassRegistry own;
    (*found)->add_passes(own);
    for (auto& [name, pass] : own.state_->passes) {
        const bool inside = name.starts_with(fmt::format("{}/", module));
        if (inside && passes.try_emplace(name, std::move(pass)).second) continue;
        errors.push_back(
            {.code = "module/foreign-pass",
             .message = inside ? fmt::format("a pass \"{}\" exists beside that of the "
                                             "module \"{}\"",
                                             name, module)
                               : fmt::format("the module \"{}\" has a pass \"{}\"", module, name),
             .where = {},
             .hint = "the names of a module's passes begin with its own name and '/'"});
    }
}

PassRegistry::PassRegistry() : PassRegistry(nullptr) {}
PassRegistry::PassRegistry(std::shared_ptr<Modules> modules)
    : state_(std::make_unique<State>(std::move(modules))) {}
PassRegistry::PassRegistry(PassRegistry&&) noexcept = default;
PassRegistry& PassRegistry::operator=(PassRegistry&&) noexcept = default;
PassRegistry::~PassRegistry() = default;

void PassRegistry::add(PassDescriptor descriptor) {
    const std::lock_guard lock(state_->mutex);
    std::string name = descriptor.name;
    const bool added =
        state_->passes.insert_or_assign(std::move(name), std::move(descriptor)).second;
    assert(added && "two passes share a name");
    static_cast<void>(added);
}

const PassDescriptor* PassRegistry::find(std::string_view name) const {
    const std::lock_guard lock(state_->mutex);
    state_->load(name.substr(0, name.find('/')));
    const auto found = state_->passes.find(name);
    return found == state_->passes.end() ? nullptr : &found->second;
}

Diagnostics PassRegistry::why_missing(std::string_view name) const {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->asked.find(name.substr(0, name.find('/')));
    return found == state_->asked.end() ? Diagnostics{} : found->second;
}

const PassRegistry::Passes& PassRegistry::everything() const {
    const std::lock_guard lock(state_->mutex);
    if (state_->modules)
        for (const std::string& module : state_->modules->names())
            state_->load(module);
    return state_->passes;
}

std::vector<std::string> PassRegistry::names() const {
    std::vector<std::string> result;
    for (const auto& [name, pass] : everything())
        result.push_back(name);
    return result;
}

} // namespace tuff
