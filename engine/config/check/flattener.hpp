#pragma once

#include "config/check/flat_config.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff {

/// Expands a config and those it uses into flat arrays. Its parts: flatten.cpp (which nodes there
/// are), flatten_wires.cpp (what they are connected to), flatten_loops.cpp (those that repeat).
class Flattener {
  public:
    Flattener(const PassRegistry& registry, std::vector<std::filesystem::path> confined_to,
              Problems& problems)
        : registry_(registry), problems_(problems), flat_(std::make_shared<FlatConfig>()) {
        flat_->confined_to = std::move(confined_to);
    }

    std::shared_ptr<FlatConfig> run(std::unique_ptr<LoadedFile> main);
    /// The same for the body of a loop; `users` are the files around it.
    std::shared_ptr<FlatConfig> run_body(std::unique_ptr<LoadedFile> main,
                                         std::vector<std::filesystem::path> users);

  private:
    using Bodies = std::map<std::filesystem::path, std::shared_ptr<FlatConfig>>;
    std::uint32_t add_loop(std::uint32_t scope, const NodeDecl& node);
    std::shared_ptr<FlatConfig> load_body(std::uint32_t scope, const NodeDecl& node);
    std::unique_ptr<LoadedFile> read_used(const std::filesystem::path& path, const NodeDecl& node);
    bool closes_cycle(std::uint32_t scope, const NodeDecl& node, const std::filesystem::path& path);
    void connect_loop(FlatLoop& loop, const NodeDecl& node);
    void check_input_types(const ConfigFile& file);
    void expand(std::uint32_t scope);
    std::uint32_t add_used(std::uint32_t scope, const NodeDecl& node);
    std::uint32_t add_pass(std::uint32_t scope, const NodeDecl& node);
    /// The pass of a node, or what its own kernel makes one; null where it is reported.
    const PassDescriptor* find_pass(std::uint32_t scope, const NodeDecl& node);
    /// A pass by its name, which stands at `span`; null where it is reported.
    const PassDescriptor* find_registered(const std::string& name, const Span& span);
    const LoadedFile* load_used(const LoadedFile& user, const NodeDecl& node);
    void connect_used(FlatScope& scope, const NodeDecl& node);
    void connect_node(FlatNode& node);
    void connect_otherwise(FlatNode& node);
    void check_use_inputs(std::uint32_t scope);
    void connect_history(FlatHistory& history);
    void connect_outputs();
    std::string_view type_at(std::uint32_t scope, const Placed& placed, const Wire& wire) const;
    void mark_used();
    void check_type(std::string_view got, std::string_view wanted, std::string_view port,
                    Span span);

    const PassRegistry& registry_;
    Problems& problems_;
    std::shared_ptr<FlatConfig> flat_;
    std::map<std::filesystem::path, const LoadedFile*> loaded_; ///< null: could not be read
    Bodies bodies_;                                             ///< null: could not be read
    std::vector<std::filesystem::path> users_; ///< files whose loops this config is the body of
    /// Kernels of nodes, made once however often their file is used; null: reported.
    std::map<const NodeDecl*, const PassDescriptor*> kernels_;
    std::optional<std::filesystem::path> main_folder_; ///< none: that of the first file
    bool too_large_ = false;
};

} // namespace tuff
