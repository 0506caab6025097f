#pragma once

#include "config/kernel/config_kernel.hpp"
#include "gpu/shader/shader_reflection.hpp"

#include <tuff/shader_library.hpp>

#include <optional>
#include <set>
#include <string>

namespace tuff {

/// A config's kernel, compiled and looked into.
struct KernelSource {
    std::string name; ///< equal words, equal names
    std::string text; ///< as written; empty of SPIR-V
    std::string file; ///< as messages name it; empty where the text stands in the config
    CompiledShader shader;
    ShaderInterface interface;
    StageFacts facts;
};

/// Where line `line` (from 1) of the kernel is: in its file, or in the config.
SourcePlace kernel_place(const NodeDecl& decl, const KernelSource& source, int line);

/// Reads and compiles the kernel of a node. What is wrong is reported with its place in the kernel
/// and the node that it is of.
std::optional<KernelSource> read_kernel_source(const NodeDecl& decl, const KernelFolders& folders,
                                               std::set<std::filesystem::path>& files,
                                               Problems& problems);

} // namespace tuff
