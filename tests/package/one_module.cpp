// A program that is linked with one module: its passes, their kernels, and those it depends on.
#include <fluid_module.hpp>

#include <tuff/pass.hpp>
#include <tuff/shader_library.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

int main() {
    const tuff::Module* const linked[] = {&tuff::passes::fluid_module()};
    const auto modules = std::make_shared<tuff::Modules>(linked);
    const tuff::PassRegistry registry(modules);
    const tuff::ShaderLibrary shaders(modules);
    const auto names = modules->names();
    const bool no_more = std::ranges::find(names, "oit") == names.end();
    const bool all = registry.find("fluid/step") && registry.find("primitives/scan") &&
                     shaders.compute("fluid/stats") && shaders.compute("graph/gate");
    if (!all || !no_more || registry.find("oit/tiled")) {
        std::puts("the module fluid is not what was expected");
        return 1;
    }
    return 0;
}
