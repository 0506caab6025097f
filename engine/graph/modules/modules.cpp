#include "graph/modules/module_file.hpp"

#include <tuff/modules.hpp>

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

namespace tuff {

namespace fs = std::filesystem;

struct Modules::State {
    struct Entry {
        const Module* module = nullptr; ///< null: not loaded so far
        fs::path file;                  ///< empty where the program is linked with the module
        Diagnostics errors = {};        ///< of the attempt to load it
    };
    mutable std::mutex mutex;
    std::map<std::string, Entry, std::less<>> entries;

    /// Adds `module` and what it depends on, where they are not known yet.
    void add(const Module& module, const fs::path& file);
    Result<const Module*> load(const fs::path& file, std::string_view expected_name);
};

void Modules::State::add(const Module& module, const fs::path& file) {
    Entry& entry = entries[std::string(module.name)];
    if (entry.module) return;
    entry.module = &module;
    if (entry.file.empty()) entry.file = file;
    // Not loaded from files of their own: the system's loader brought them along.
    for (const Module* needed : module.dependencies())
        add(*needed, {});
}

Result<const Module*> Modules::State::load(const fs::path& file, std::string_view expected_name) {
    auto loaded = load_module_file(file, expected_name);
    if (loaded) add(**loaded, file);
    return loaded;
}

Modules::Modules(std::span<const Module* const> linked) : state_(std::make_unique<State>()) {
    for (const Module* module : linked)
        state_->add(*module, {});
}

Modules::~Modules() = default;

void Modules::add_folder(const fs::path& folder) {
    const std::lock_guard lock(state_->mutex);
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entry->path().extension() == ".so")
            state_->entries.try_emplace(entry->path().stem().string(),
                                        State::Entry{.file = entry->path()});
}

Result<void> Modules::add_file(const fs::path& file) {
    const std::lock_guard lock(state_->mutex);
    auto name = name_of_module_file(file);
    if (!name) return propagate(std::move(name));
    if (const auto known = state_->entries.find(*name); known != state_->entries.end()) {
        std::error_code ignored;
        if (fs::equivalent(known->second.file, file, ignored)) return {};
        const std::string where = known->second.file.empty()
                                      ? "is part of this program"
                                      : fmt::format("is {}", known->second.file.string());
        return fail("module/two-of-one-name",
                    fmt::format("{} is the module \"{}\", and another one of that name {}",
                                file.string(), *name, where),
                    "a module's name stands before the '/' of its passes: choose another one");
    }
    auto loaded = state_->load(file, *name);
    if (!loaded) return propagate(std::move(loaded));
    return {};
}

Result<const Module*> Modules::find(std::string_view name) {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->entries.find(name);
    if (found == state_->entries.end()) return nullptr;
    State::Entry& entry = found->second;
    if (entry.module) return entry.module;
    if (!entry.errors.empty()) return std::unexpected(entry.errors);
    auto loaded = state_->load(entry.file, name);
    if (!loaded) entry.errors = loaded.error();
    return loaded;
}

std::vector<std::string> Modules::names() const {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::string> names;
    for (const auto& [name, entry] : state_->entries)
        names.push_back(name);
    return names;
}

} // namespace tuff
