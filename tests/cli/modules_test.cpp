// Modules of users: the example of docs/writing_a_pass.md, built as its readers build it, and files
// that are no such module.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kModule = TUFF_TEST_MODULE;
constexpr const char* kVignette = TUFF_TEST_SOURCE_DIR "/examples/first_pass/vignette.json";

std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The module's file with `now` in place of `before`, which is as long and occurs once.
std::string changed_module(std::string_view before, std::string_view now) {
    std::string bytes = contents(kModule);
    const std::size_t at = bytes.find(before);
    EXPECT_NE(at, std::string::npos);
    if (at != std::string::npos) bytes.replace(at, before.size(), now);
    return bytes;
}

/// What `tuff check` says of the example's config with `module` as a user's.
CommandResult check_with(const fs::path& module, const fs::path& folder) {
    return run_tuff({"check", kVignette, "--passes", module.string()}, folder);
}

void expect_refused(const CommandResult& result, std::string_view code) {
    EXPECT_EQ(result.exit_code, 2) << result.output << result.errors;
    EXPECT_THAT(result.errors, HasSubstr(std::string("error[") + std::string(code) + "]"));
    const std::size_t first = result.errors.find("error[");
    EXPECT_EQ(result.errors.find("error[", first + 1), std::string::npos) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("hint"));
}

TEST(UsersModules, AreKnownToCheckPassesAndSchema) {
    WorkFolder folder;
    EXPECT_EQ(check_with(kModule, folder.path()).exit_code, 0);
    const CommandResult page =
        run_tuff({"passes", "example/vignette", "--passes", kModule}, folder.path());
    EXPECT_THAT(page.output, HasSubstr("Darkens a picture towards its corners"));
    const CommandResult schema = run_tuff({"schema", "--passes", kModule}, folder.path());
    EXPECT_THAT(schema.output, HasSubstr("example/vignette"));
    EXPECT_THAT(schema.output, HasSubstr("image/tonemap"));
}

TEST(UsersModules, BringTheirKernels) {
    WorkFolder folder;
    const CommandResult result =
        run_tuff({"run", kVignette, "--passes", kModule, "--out", "dark.png"}, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(folder.files(), testing::ElementsAre("dark.png"));
}

TEST(UsersModules, AreTakenFromTheEnvironment) {
    WorkFolder folder;
    const CommandResult result =
        run_tuff({"check", kVignette}, folder.path(), {{"TUFF_PASSES", kModule}});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
}

TEST(UsersModules, AreNotLoadedBecauseTheyLieBesideAConfig) {
    WorkFolder folder;
    folder.write("vignette.json", contents(kVignette));
    folder.write("example.so", contents(kModule));
    const CommandResult result = run_tuff({"check", "vignette.json"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("error[config/unknown-pass]"));
}

TEST(UsersModules, OfAnotherVersionAreRefused) {
    WorkFolder folder;
    folder.write("old.so", changed_module("tuff-module-label:0.", "tuff-module-label:9."));
    const CommandResult result = check_with("old.so", folder.path());
    expect_refused(result, "module/wrong-version");
    EXPECT_THAT(result.errors, HasSubstr("was built for Tuff 9."));
}

TEST(UsersModules, OfAnotherCompilerAreRefused) {
    WorkFolder folder;
    folder.write("other.so", changed_module(";g++ ", ";G++ "));
    expect_refused(check_with("other.so", folder.path()), "module/wrong-compiler");
}

TEST(UsersModules, TwoOfOneNameAreRefused) {
    WorkFolder folder;
    folder.write("copy.so", contents(kModule));
    expect_refused(
        run_tuff({"check", kVignette, "--passes", kModule, "--passes", "copy.so"}, folder.path()),
        "module/two-of-one-name");
}

TEST(UsersModules, GivenTwiceAreOne) {
    WorkFolder folder;
    EXPECT_EQ(
        run_tuff({"check", kVignette, "--passes", kModule, "--passes", kModule}, folder.path())
            .exit_code,
        0);
}

TEST(UsersModules, AreNoTextsNoOtherLibrariesAndNoFolders) {
    WorkFolder folder;
    folder.write("text.so", "tuff-module-label:0.1.0;g++ 12;text");
    expect_refused(check_with("text.so", folder.path()), "module/not-a-module");
    expect_refused(check_with(TUFF_TEST_ENGINE, folder.path()), "module/not-a-module");
    expect_refused(check_with("no_such.so", folder.path()), "module/unreadable");
    expect_refused(check_with(folder.path(), folder.path()), "module/unreadable");
}

TEST(UsersModules, WithoutCodeAreRefused) {
    WorkFolder folder;
    folder.write("short.so", contents(kModule).substr(0, fs::file_size(kModule) / 2));
    const CommandResult result = check_with("short.so", folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors,
                testing::AnyOf(HasSubstr("module/load-failed"), HasSubstr("module/not-a-module")));
}

TEST(TuffsModules, AreNamedWhereOneCannotBeLoaded) {
    // A program of its own, beside which the module "image" is damaged.
    WorkFolder folder;
    const fs::path bin = folder.path() / "bin";
    fs::create_directories(bin);
    fs::copy_file(TUFF_TEST_BINARY, bin / "tuff");
    fs::create_directories(folder.path() / TUFF_TEST_LIBDIR / "tuff/modules");
    fs::create_symlink(fs::canonical(TUFF_TEST_ENGINE),
                       folder.path() / TUFF_TEST_LIBDIR / fs::path(TUFF_TEST_ENGINE_NAME));
    folder.write(TUFF_TEST_LIBDIR "/tuff/modules/image.so", "not a library");
    folder.write("graph.json", R"({"tuff": 1, "size": [8, 8],
        "assets": {"rings": {"generate": "zone_plate", "size": [8, 8]}},
        "nodes": {"gray": {"pass": "image/grayscale", "in": {"source": "rings"}}},
        "outputs": {"picture": {"from": "gray.result", "file": "gray.png"}}})");
    const CommandResult result =
        run_program({(bin / "tuff").string(), "check", "graph.json"}, folder.path());
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("error[module/not-a-module]"));
    EXPECT_THAT(result.errors, HasSubstr("image.so"));
    EXPECT_THAT(result.errors, HasSubstr("graph.json:3"));
}

TEST(OtherPrograms, AreNamedWhereTheyAreMissing) {
    WorkFolder folder;
    fs::copy_file(TUFF_TEST_BINARY, folder.path() / "tuff");
    for (const std::string command : {"bench", "view"}) {
        const CommandResult result =
            run_program({(folder.path() / "tuff").string(), command}, folder.path(),
                        {{"LD_LIBRARY_PATH", fs::path(TUFF_TEST_ENGINE).parent_path().string()}});
        EXPECT_EQ(result.exit_code, 1) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("error[cli/no-program]"));
        EXPECT_THAT(result.errors, HasSubstr("tuff-" + command));
    }
}

} // namespace
} // namespace tuff::test
