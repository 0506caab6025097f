#pragma once

#include <tuff/modules.hpp>
#include <tuff/pass.hpp>
#include <tuff/shader_library.hpp>

#include <memory>

/// For programs that are linked with all modules that Tuff ships, tuff::passes. One that is linked
/// with some of them makes `Modules` of what their headers declare, <fluid_module.hpp> for example.
namespace tuff::passes {

/// All modules that Tuff ships.
std::shared_ptr<Modules> modules();

/// All passes that Tuff ships, by name. A program adds its own to the registry it gets.
PassRegistry make_registry();

/// All kernels that Tuff ships: those of the engine and of the passes.
ShaderLibrary make_shaders();

} // namespace tuff::passes
