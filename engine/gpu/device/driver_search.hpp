#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tuff {

/// Where SwiftShader's driver manifest lies: the environment variable TUFF_SWIFTSHADER_ICD, else
/// the path found when Tuff was configured. Empty where there is no such file.
std::string swiftshader_manifest();

/// The same for lavapipe: TUFF_LAVAPIPE_ICD, else the configured path.
std::string lavapipe_manifest();

/// Which drivers the Vulkan loader is to look at.
enum class DriverSet {
    all,         ///< the system's drivers and SwiftShader, which the loader does not know of
    swiftshader, ///< SwiftShader alone: no other driver is loaded
    lavapipe,    ///< lavapipe alone
};

/// Tells the loader the driver set, for as long as the object lives. The loader takes it from the
/// environment (there is no other way in the loaders that distributions ship), so these objects
/// must not overlap in time; instance.cpp sees to that. A VK_DRIVER_FILES or VK_ICD_FILENAMES that
/// the user has set wins: then nothing is changed.
class ScopedDriverSearch {
  public:
    explicit ScopedDriverSearch(DriverSet set);
    ~ScopedDriverSearch();
    ScopedDriverSearch(const ScopedDriverSearch&) = delete;
    ScopedDriverSearch& operator=(const ScopedDriverSearch&) = delete;

  private:
    void set(const char* name, const std::string& value);

    struct Saved {
        const char* name;
        std::optional<std::string> value;
    };
    std::vector<Saved> saved_;
};

} // namespace tuff
