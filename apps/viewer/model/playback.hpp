#pragma once

#include <tuff/config.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tuff::viewer {

/// Whether the scene goes on by itself, and which frame is next.
class Playback {
  public:
    explicit Playback(double frames_per_second = 60.0) : fps_(frames_per_second) {}

    bool paused() const { return paused_; }
    void toggle_pause() { paused_ = !paused_; }
    void set_paused(bool paused) { paused_ = paused; }
    /// Pauses, and asks for one more frame.
    void step() {
        paused_ = true;
        ++steps_;
    }
    /// Goes back to frame 0; goes on or stays paused as before.
    void rewind() {
        next_ = 0;
        steps_ = 0;
    }
    /// Goes back to frame 0, which is run even while paused.
    void restart() {
        rewind();
        steps_ = 1;
    }
    /// Goes to a frame, which is run even while paused. `jumps`: at once, for no frame needs the
    /// one before it; else the frames on the way are run, from the beginning where the frame has
    /// passed. True where the scene has to begin again.
    bool seek(std::int64_t frame, bool jumps) {
        frame = std::max<std::int64_t>(frame, 0);
        if (jumps) {
            next_ = frame;
            steps_ = 1;
            return false;
        }
        const bool again = frame < next_;
        if (again) next_ = 0;
        steps_ = static_cast<std::uint32_t>(
            std::min<std::int64_t>(frame + 1 - next_, std::numeric_limits<std::uint32_t>::max()));
        return again;
    }
    /// Whether a frame has been run since the beginning.
    bool begun() const { return next_ > 0; }

    /// How many frames were asked for that have not been run.
    std::uint32_t steps() const { return steps_; }
    /// Whether a frame is due. A still scene, in which nothing changes from frame to frame, is run
    /// for steps only.
    bool due(bool still) const { return steps_ > 0 || (!paused_ && !still); }
    /// The frame to run now; the next call tells the one after it.
    FrameTime advance() {
        const std::int64_t frame = next_++;
        if (steps_ > 0) --steps_;
        return at(frame);
    }
    /// The frame that was run last, or the first.
    FrameTime current() const { return at(next_ > 0 ? next_ - 1 : 0); }
    double seconds_per_frame() const { return 1.0 / fps_; }

  private:
    FrameTime at(std::int64_t frame) const {
        return {.frame = frame, .time = static_cast<double>(frame) / fps_, .dt = 1.0 / fps_};
    }

    double fps_;
    bool paused_ = false;
    std::int64_t next_ = 0;
    std::uint32_t steps_ = 0;
};

} // namespace tuff::viewer
