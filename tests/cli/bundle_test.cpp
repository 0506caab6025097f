// `tuff bundle`: the folder runs elsewhere, with nothing of this machine but the C library.

#include "apps/tuff/report/shared_libraries.hpp"
#include "run_tuff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

/// What a shell command printed, errors included, and its exit code in the last line.
std::string shell(const std::string& command) {
    std::string text;
    FILE* const pipe = popen(fmt::format("({}) 2>&1; echo \"exit $?\"", command).c_str(), "r");
    if (!pipe) return "popen failed";
    std::array<char, 4096> buffer;
    while (std::fgets(buffer.data(), buffer.size(), pipe))
        text += buffer.data();
    pclose(pipe);
    return text;
}

/// One bundle for all tests of this file.
class BundleCommand : public testing::Test {
  public:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<WorkFolder>();
        made_ = run_tuff({"bundle", "--out", "first"}, folder_->path());
        // Another place than it was made in: nothing in it may name that.
        std::error_code error;
        fs::rename(folder_->path() / "first", folder_->path() / "moved", error);
    }
    static void TearDownTestSuite() { folder_.reset(); }

    void SetUp() override { ASSERT_EQ(made_.exit_code, 0) << made_.errors; }

    static fs::path bundle() { return folder_->path() / "moved"; }
    /// Runs the bundle's launcher with an empty environment but for `variables`, in the root
    /// folder.
    static std::string run(const std::string& arguments, const std::string& variables = "") {
        return shell(fmt::format("cd / && env -i {} '{}' {}", variables,
                                 (bundle() / "tuff").string(), arguments));
    }

    static inline std::unique_ptr<WorkFolder> folder_;
    static inline CommandResult made_;
};

TEST_F(BundleCommand, tells_what_the_other_machine_needs) {
    EXPECT_THAT(made_.output, testing::ContainsRegex("glibc 2[.][0-9]+ or newer"));
    EXPECT_THAT(made_.output, HasSubstr("first/tuff"));
}

TEST_F(BundleCommand, leaves_no_other_files_behind) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_->path()))
        names.push_back(entry.path().filename().string());
    EXPECT_THAT(names, testing::ElementsAre("moved"));
}

TEST_F(BundleCommand, is_small_enough_to_carry) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(bundle()))
        if (entry.is_regular_file()) bytes += entry.file_size();
    EXPECT_LT(bytes, std::uintmax_t{64} << 20);
}

TEST_F(BundleCommand, finds_its_graphs_from_anywhere) {
    const std::string checked = run("check filters");
    EXPECT_THAT(checked, HasSubstr("exit 0"));
    const std::string listed = run("bench --list");
    EXPECT_THAT(listed, HasSubstr("image/gaussian"));
}

TEST_F(BundleCommand, loads_nothing_of_this_machine_but_the_c_library_and_what_drivers_share) {
    const std::string log = run("check filters", "LD_DEBUG=libs");
    ASSERT_THAT(log, HasSubstr("exit 0"));
    std::istringstream lines(log);
    int own = 0;
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view kLoaded = "calling init: ";
        const std::size_t at = line.find(kLoaded);
        if (at == std::string::npos) continue;
        const fs::path file = line.substr(at + kLoaded.size());
        const bool bundled = file.lexically_normal().string().starts_with(bundle().string());
        own += bundled;
        // The launcher's shell and its helpers are the machine's, and load what they need.
        const std::string name = file.filename().string();
        if (bundled || name.starts_with("libselinux") || name.starts_with("libpcre")) continue;
        EXPECT_NE(cli::kind_of(name), cli::LibraryKind::own) << file;
    }
    EXPECT_GT(own, 3);
}

/// An empty machine: the C library, a shell, the bundle. Only root may go there.
class BareMachine : public BundleCommand {
  public:
    void SetUp() override {
        BundleCommand::SetUp();
        if (geteuid() != 0) GTEST_SKIP() << "chroot is for root";
        root_ = folder_->path() / "root";
        for (const char* file : {"/bin/sh", "/lib64/ld-linux-x86-64.so.2"})
            add(file);
        for (const fs::path& library : cli::loaded_libraries())
            if (cli::kind_of(library.filename().string()) == cli::LibraryKind::system) {
                add(library);
                // Empty today, but libraries that were linked long ago still ask for them.
                for (const char* part : {"libdl.so.2", "libpthread.so.0"})
                    if (fs::exists(library.parent_path() / part)) add(library.parent_path() / part);
            }
        fs::create_directories(root_ / "proc");
        fs::create_directories(root_ / "dev");
        std::ofstream(root_ / "dev/null");
        fs::copy(bundle(), root_ / "carried", fs::copy_options::recursive);
    }
    void TearDown() override {
        std::error_code error;
        fs::remove_all(root_, error);
    }

    void add(const fs::path& file) {
        const fs::path target = root_ / file.relative_path();
        fs::create_directories(target.parent_path());
        fs::copy_file(file, target, fs::copy_options::overwrite_existing);
    }
    /// The commands with /proc in its place, in a mount namespace that ends with them.
    std::string run_there(const std::string& command) {
        return shell(
            fmt::format("unshare --mount sh -c 'mount -t proc proc \"$1/proc\" && "
                        "exec env -i /usr/sbin/chroot \"$1\" /bin/sh -c \"$2\"' - '{}' '{}'",
                        root_.string(), command));
    }

    fs::path root_;
};

TEST_F(BareMachine, needs_nothing_but_the_c_library) {
    const std::string probe = run_there("true");
    if (probe.find("exit 0") == std::string::npos) GTEST_SKIP() << "no namespaces here: " << probe;
    EXPECT_THAT(run_there("/carried/tuff --version"), StartsWith("tuff "));
    const std::string checked = run_there("/carried/tuff check filters");
    EXPECT_THAT(checked, HasSubstr("exit 0"));
    EXPECT_THAT(run_there("/carried/tuff bench --list"), HasSubstr("image/gaussian"));
    // The loader that came along works, and finds that there is no driver.
    EXPECT_THAT(run_there("/carried/tuff devices"), HasSubstr("device/no-driver"));
}

TEST(SharedLibraries, are_sorted_by_whose_they_are) {
    using cli::kind_of;
    using cli::LibraryKind;
    for (const char* name : {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "linux-vdso.so.1"})
        EXPECT_EQ(kind_of(name), LibraryKind::system) << name;
    for (const char* name : {"libstdc++.so.6", "libgcc_s.so.1", "libz.so.1"})
        EXPECT_EQ(kind_of(name), LibraryKind::runtime) << name;
    for (const char* name : {"libcurl.so.4", "libfmt.so.9", "libmd.so.0", "libzstd.so.1"})
        EXPECT_EQ(kind_of(name), LibraryKind::own) << name;
}

TEST(SharedLibraries, want_the_newest_c_library_that_a_symbol_names) {
    using namespace std::string_view_literals;
    EXPECT_EQ(cli::needed_glibc("GLIBC_2.4\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0"sv), "2.34");
    EXPECT_EQ(cli::needed_glibc("GLIBC_2.2.5\0GLIBC_2.2\0"sv), "2.2.5");
    EXPECT_EQ(cli::needed_glibc("GLIBCXX_3.4.30\0nothing"sv), "");
    EXPECT_EQ(cli::newer_version("2.9", "2.10"), "2.10");
    EXPECT_EQ(cli::newer_version("2.9", ""), "2.9");
}

} // namespace
} // namespace tuff::test
