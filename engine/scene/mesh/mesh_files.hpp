#pragma once

#include <tuff/diagnostic.hpp>

#include <assimp/DefaultIOSystem.h>

#include <filesystem>
#include <span>

namespace tuff {

/// The files that assimp opens: plain ones within the folders that may be read. It goes on without
/// what it may not have, so that is noted in `refused`.
class MeshFiles : public Assimp::DefaultIOSystem {
  public:
    MeshFiles(std::span<const std::filesystem::path> confined_to, Diagnostics& refused)
        : confined_to_(confined_to), refused_(refused) {}

    bool Exists(const char* file) const override;
    Assimp::IOStream* Open(const char* file, const char* mode) override;

  private:
    std::span<const std::filesystem::path> confined_to_;
    Diagnostics& refused_;
};

} // namespace tuff
