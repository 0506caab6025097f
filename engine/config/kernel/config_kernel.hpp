#pragma once

#include "config/read/config_file.hpp"

#include <tuff/pass.hpp>

#include <filesystem>
#include <memory>
#include <set>

namespace tuff {

/// Where the kernels of a config may lie: below these folders, links followed.
struct KernelFolders {
    std::filesystem::path own;  ///< of the config that names the kernel: its files count from there
    std::filesystem::path main; ///< of the config that was loaded
};

/// Makes a pass of a node's own kernel: compiles it, takes ports and parameters from what it binds,
/// and outputs and dispatch from `decl`. Null where something is wrong, which has been reported.
/// The files that were read join `files`.
std::unique_ptr<const PassDescriptor> make_config_kernel(const NodeDecl& decl,
                                                         const KernelFolders& folders,
                                                         std::set<std::filesystem::path>& files,
                                                         Problems& problems);

} // namespace tuff
