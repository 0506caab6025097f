#pragma once

#include "scene/film.hpp"
#include "scene/scene_report.hpp"
#include "scene/scene_request.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace tuff::viewer {

/// Runs the scene behind the interface: on a thread and a device of its own, so that a frame which
/// takes seconds, or a kernel that compiles for as long, holds up nothing but itself. The interface
/// posts what it wants and takes the newest report; neither waits for the other.
class SceneThread {
  public:
    explicit SceneThread(SceneOptions options);
    /// Waits for the frame under way.
    ~SceneThread();
    SceneThread(const SceneThread&) = delete;
    SceneThread& operator=(const SceneThread&) = delete;

    void post(SceneRequest request);
    void post(Transport transport);
    /// Goes to a frame. Where frames need those before them, they are run as well.
    void seek(std::int64_t frame);
    /// From now on each execution adds its picture to `film`, which is to become `file`.
    void record(std::unique_ptr<Film> film, std::filesystem::path file);
    void stop_recording();
    /// Writes the file when the frame under way is done.
    void save_jpeg(JpegOrder order);
    /// The newest report, or null before the first.
    std::shared_ptr<const SceneReport> report() const;

    /// Asks the thread to end; false where it has not done so within `timeout`, because the device
    /// or the shader compiler does not come back.
    bool stop(std::chrono::milliseconds timeout);

  private:
    class Loop;

    SceneOptions options_;
    mutable std::mutex mutex_;
    std::condition_variable wake_, ended_;
    SceneRequest request_;
    std::uint64_t posted_ = 0; ///< counts requests
    std::deque<Transport> transport_;
    std::optional<std::int64_t> seek_; ///< the newest; those before it are passed over
    std::unique_ptr<Film> new_film_;
    std::filesystem::path film_file_;
    bool stop_film_ = false;
    std::deque<JpegOrder> jpegs_;
    std::shared_ptr<const SceneReport> report_;
    bool stopping_ = false;
    bool has_ended_ = false;
    std::thread thread_;
};

} // namespace tuff::viewer
