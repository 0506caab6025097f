#include "tests/common/test_folder.hpp"

#include <tuff/assets.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// Sets environment variables for one test and puts the old values back.
class Assets : public testing::Test {
  protected:
    void SetUp() override {
        set("TUFF_ASSET_PATH", "");
        set("XDG_DATA_HOME", (folder_ / "home").string());
        set("XDG_DATA_DIRS",
            (folder_ / "one").string() + ":relative:" + (folder_ / "two").string());
    }
    void TearDown() override {
        for (const auto& [name, value] : old_) {
            if (value)
                setenv(name.c_str(), value->c_str(), 1);
            else
                unsetenv(name.c_str());
        }
        fs::remove_all(folder_);
    }
    void set(const std::string& name, const std::string& value) {
        const char* before = std::getenv(name.c_str());
        old_.try_emplace(name, before ? std::optional<std::string>(before) : std::nullopt);
        setenv(name.c_str(), value.c_str(), 1);
    }
    fs::path put(const std::string& name) const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << "x";
        return folder_ / name;
    }

    const fs::path folder_ = test::empty_folder();

  private:
    std::map<std::string, std::optional<std::string>> old_;
};

TEST_F(Assets, NearerFoldersWin) {
    const fs::path shared = put("two/m/a.glb");
    EXPECT_EQ(*find_asset("m/a.glb"), shared);
    const fs::path home = put("home/m/a.glb");
    EXPECT_EQ(*find_asset("m/a.glb"), home);
    set("TUFF_ASSET_PATH", (folder_ / "none").string() + ":" + (folder_ / "mine").string());
    const fs::path mine = put("mine/m/a.glb");
    EXPECT_EQ(*find_asset("m/a.glb"), mine);
    const fs::path base = put("base/m/a.glb");
    EXPECT_EQ(*find_asset("m/a.glb", folder_ / "base"), base);
    EXPECT_EQ(*find_asset(shared.string(), folder_ / "base"), shared);
}

TEST_F(Assets, RelativeSystemFoldersAreDropped) {
    const auto folders = asset_folders();
    EXPECT_EQ(std::count(folders.begin(), folders.end(), fs::path("relative")), 0);
    EXPECT_EQ(std::count(folders.begin(), folders.end(), folder_ / "two"), 1);
}

TEST_F(Assets, MissingOnesListWhereItLookedAndThePackage) {
    const auto found = find_asset("assimp/models/nothing.glb", folder_);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().front().code, "asset/not-found");
    EXPECT_THAT(found.error().front().message, testing::HasSubstr((folder_ / "two").string()));
    EXPECT_THAT(found.error().front().hint, testing::HasSubstr("assimp-testmodels"));
    EXPECT_THAT(find_asset("blender/x.exr").error().front().hint,
                testing::HasSubstr("blender-data"));
    EXPECT_THAT(find_asset("mine.glb").error().front().hint, testing::HasSubstr("TUFF_ASSET_PATH"));
    EXPECT_EQ(find_asset("").error().front().code, "asset/not-found");
}

TEST_F(Assets, FoldersAreNoAssets) {
    put("base/folder/a");
    const auto found = find_asset("folder", folder_ / "base");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().front().code, "asset/not-a-file");
}

} // namespace
} // namespace tuff
