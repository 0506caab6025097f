#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/shader_interface.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

class Modules;

/// SPIR-V of one stage, with the binding numbers of the kernel's `ShaderInterface`.
struct CompiledShader {
    ShaderStage stage = ShaderStage::compute; ///< its stage
    std::vector<std::uint32_t> words;         ///< SPIR-V
};

/// A stage that was compiled when a program was built. The CMake function
/// `tuff_add_shaders(my_program FOLDER shaders)` compiles a folder of GLSL and writes
/// `my_program_shaders.hpp` with the table `my_program::shaders()`.
struct EmbeddedShader {
    std::string_view name;                    ///< "image/tonemap"; for a variant its full name
    ShaderStage stage = ShaderStage::compute; ///< its stage
    std::span<const std::uint32_t> words;     ///< SPIR-V, which lives as long as the program;
                                              ///< empty for a stage of a pack
    std::span<const std::byte> deflated = {}; ///< for a stage of a pack: its words, deflated
    std::uint32_t word_count = 0;             ///< number of inflated words
};

/// The stages of a shader pack, the file that `tuff_add_shaders` and `tuff_add_module` embed. They
/// refer to the bytes of `pack`. Empty if it is not a pack.
std::vector<EmbeddedShader> read_shader_pack(std::span<const std::byte> pack);

/// Origins of the kernels loaded so far.
struct ShaderStatistics {
    std::uint32_t embedded = 0;   ///< stages that were compiled at build time
    std::uint32_t compiled = 0;   ///< stages compiled from GLSL
    std::uint32_t cache_hits = 0; ///< stages whose SPIR-V was in the cache
};

/// TUFF_CACHE_DIR, else $XDG_CACHE_HOME/tuff, else ~/.cache/tuff; empty (no cache) if none of
/// these is set.
std::filesystem::path default_cache_directory();

/// Where kernels come from: tables of SPIR-V embedded when Tuff and the program were built, and
/// folders of GLSL, compiled on first use. The name of a kernel is its path below the folder,
/// without extension: `image/tonemap` is image/tonemap.comp, or image/tonemap.vert with an
/// optional image/tonemap.frag, or a .rgen with its .rmiss, .rchit and optional .rahit. A
/// kernel with variants is loaded by the full name of a variant: see `ShaderVariant`.
/// A kernel of each kind can have the same name. `#include "..."` searches beside the including
/// file, then in the `include` folders of all added directories, the last one first.
///
/// Lookups are thread-safe. Loaded kernels never change, nor do errors: to see
/// edited files, make a new library. Returned pointers live as long as the library, which can be
/// moved.
class ShaderLibrary final : public ShaderInterfaces {
  public:
    /// An empty library.
    ShaderLibrary();
    /// The kernels of the engine itself. Those of passes come with their modules.
    static ShaderLibrary embedded();
    /// The kernels of the engine and of these modules.
    explicit ShaderLibrary(std::shared_ptr<Modules> modules);

    ShaderLibrary(ShaderLibrary&&) noexcept;
    ShaderLibrary& operator=(ShaderLibrary&&) noexcept;
    ~ShaderLibrary() override;

    /// Adds a table of `tuff_add_shaders`, whose words must outlive the library. Its kernels hide
    /// those of the same name in tables added before; folders hide both. Call before the first
    /// lookup.
    void add_embedded(std::span<const EmbeddedShader> table);

    /// Adds the kernels of modules, which are loaded when one of their kernels is
    /// looked up. Kernels of tables and folders hide theirs. Call before the first lookup.
    void set_modules(std::shared_ptr<Modules> modules);

    /// Adds a folder of GLSL. Its kernels hide those of the same name added before or embedded,
    /// with all stages. Call before the first lookup. Error: `shader/no-directory`.
    Result<void> add_directory(const std::filesystem::path& directory);

    /// Folder of the cache of compiled GLSL, instead of `default_cache_directory()`; empty: no
    /// cache. Call before the first lookup.
    void set_cache_directory(std::filesystem::path directory);

    /// The interface of a kernel, compiled and reflected at the first call.
    /// Errors: `shader/unknown`, `shader/unreadable`, `shader/compile` (each with file and line),
    /// `shader/no-compiler`, and those of reflection: `shader/unsupported-binding`,
    /// `shader/unsupported-parameter`, `shader/binding-clash`, `shader/invalid`.
    Result<const ShaderInterface*> load_compute(std::string_view name) const;
    /// Loads a vertex and a fragment stage. The same errors.
    Result<const ShaderInterface*> load_raster(std::string_view name) const;

    /// Loads a ray generation stage and the stages that it calls. The same errors, and
    /// `shader/missing-stage`, and `shader/unsupported-binding` if a called stage has
    /// bindings.
    Result<const ShaderInterface*> load_rays(std::string_view name) const;

    /// The same, null instead of errors.
    const ShaderInterface* compute(std::string_view name) const override;
    const ShaderInterface* raster(std::string_view name) const override;
    const ShaderInterface* rays(std::string_view name) const override;
    std::vector<std::string> names() const override;
    Result<const ShaderInterface*> define_compute(std::string_view name,
                                                  std::string_view glsl) const override;

    /// Adds SPIR-V under a name: a compute stage (for `compute`), or a
    /// fragment stage (for `raster`), which is drawn over the whole picture and gets its position
    /// at location 0, a vec2 from (0, 0) at the top left to (1, 1). An existing kernel of that
    /// name is returned, so different words need different names. Errors: those of
    /// reflection, `shader/binding-clash`.
    Result<const ShaderInterface*> define(std::string_view name,
                                          const CompiledShader& shader) const;

    /// SPIR-V of a kernel's stage; loads it if necessary. Null if loading fails or the
    /// kernel has no such stage.
    const CompiledShader* find(std::string_view name, ShaderStage stage) const;

    /// All GLSL files read so far, with includes, to watch for edits.
    std::vector<std::filesystem::path> source_files() const;

    /// Origins of the kernels loaded so far.
    ShaderStatistics statistics() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tuff
