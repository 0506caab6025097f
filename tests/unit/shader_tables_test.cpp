// Tables of `tuff_add_shaders` in a library of kernels.

#include "passes/registry.hpp"

#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace tuff {
namespace {

using testing::Contains;

/// The words of one of Tuff's own kernels, which a table may give another name.
const CompiledShader& words_of(const ShaderLibrary& library, std::string_view name) {
    const CompiledShader* found = library.find(name, ShaderStage::compute);
    if (!found) throw std::runtime_error("no such kernel");
    return *found;
}

class ShaderTables : public testing::Test {
  protected:
    ShaderLibrary tuffs = passes::make_shaders();
    const CompiledShader& grayscale = words_of(tuffs, "image/grayscale");
    const CompiledShader& blend = words_of(tuffs, "image/blend");
};

TEST_F(ShaderTables, AddTheirKernelsToThoseOfTuff) {
    const EmbeddedShader table[] = {{"my/kernel", ShaderStage::compute, grayscale.words}};
    ShaderLibrary library = passes::make_shaders();
    library.add_embedded(table);
    EXPECT_THAT(library.names(), Contains("my/kernel"));
    EXPECT_THAT(library.names(), Contains("image/blend"));
    const auto kernel = library.load_compute("my/kernel");
    ASSERT_TRUE(kernel) << to_string(kernel.error());
    EXPECT_NE((*kernel)->find_binding("source"), nullptr);
}

TEST_F(ShaderTables, TheLastOneAddedHidesKernelsOfTheSameName) {
    const EmbeddedShader table[] = {{"image/blend", ShaderStage::compute, grayscale.words}};
    ShaderLibrary library = passes::make_shaders();
    library.add_embedded(table);
    EXPECT_EQ(words_of(library, "image/blend").words, grayscale.words);
    EXPECT_NE(words_of(library, "image/blend").words, blend.words);
}

TEST_F(ShaderTables, AnEmptyLibraryHasOnlyTheKernelsOfItsTables) {
    const EmbeddedShader table[] = {{"my/kernel", ShaderStage::compute, grayscale.words}};
    ShaderLibrary library;
    library.add_embedded(table);
    EXPECT_THAT(library.names(), testing::ElementsAre("my/kernel"));
}

} // namespace
} // namespace tuff
