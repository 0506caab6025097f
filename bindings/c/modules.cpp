#include "modules.hpp"

#include "objects.hpp"

#ifdef TUFF_C_STATIC
#include "passes/registry.hpp"
#else
#include <dlfcn.h>

#include <filesystem>
#endif

namespace tuff::c {
namespace {

#ifdef TUFF_C_STATIC
std::shared_ptr<Modules> own_modules() {
    return passes::modules();
}
#else
/// Tuff's own lie beside this library, wherever it has been put.
std::shared_ptr<Modules> own_modules() {
    auto found = std::make_shared<Modules>();
    Dl_info library;
    if (dladdr(reinterpret_cast<const void*>(&tuff_version), &library) != 0)
        found->add_folder(std::filesystem::path(library.dli_fname).parent_path() / "tuff/modules");
    return found;
}
#endif

} // namespace

const std::shared_ptr<Modules>& modules() {
    static const std::shared_ptr<Modules> kAll = own_modules();
    return kAll;
}

} // namespace tuff::c

int tuff_module_load(const char* file, tuff_diagnostics** why) {
    using namespace tuff;
    return c::guarded<int>(why, 0, [&]() -> Result<int> {
        if (!file) return c::null_argument("file");
#ifdef TUFF_C_STATIC
        return fail("c/static", "a program with Tuff inside loads no modules",
                    "link the module to the program, or take libtuff.so");
#else
        if (auto added = c::modules()->add_file(file); !added) return propagate(std::move(added));
        return 1;
#endif
    });
}
